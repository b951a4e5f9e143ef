/**
 * Alerts: rules of an account that tell a target when something comes, rows of the compacted topic `alerts`, and
 * what they have told, rows of `alert-deliveries`. All of them lie in partition 0, so that the process that tells reads
 * what the one before it wrote. A delivery is a row before it is sent.
 */

import type { OpportunityKind } from './opportunity.ts'

/** What a rule tells once: the best of an event or of a market, or each opportunity. */
export const alertOccasions = ['event', 'market', 'opportunity'] as const
export type AlertOccasion = (typeof alertOccasions)[number]

export const targetTypes = [
  'webhook',
  'discord',
  'slack',
  'telegram',
  'ntfy',
  'email',
  'browser',
] as const
export type TargetType = (typeof targetTypes)[number]

export interface AlertTarget {
  readonly type: TargetType
  /**
   * Where requests go; of Telegram the address of its bot API, of mail `mailto:` and its address, of browsers
   * `browser:`. It may be a secret itself.
   */
  readonly url: string
  /** Signs webhooks; the token of a Telegram bot or of an ntfy user. Null for none. */
  readonly secret: string | null
  /** Of Telegram. */
  readonly chatId: string | null
}

/** Every day from one time to another, which may be of the next day. */
export interface QuietHours {
  /** Minutes since midnight. */
  readonly from: number
  readonly to: number
  /** IANA name. */
  readonly timeZone: string
}

/** As `/opportunities/{id}/explain` takes them; null for what it takes by itself. */
export interface AlertStakes {
  readonly total: number | null
  readonly unit: number | null
  readonly kelly: number | null
}

/** What a rule tells of. */
export const ruleTypes = ['opportunity', 'price', 'move', 'source'] as const
export type RuleType = (typeof ruleTypes)[number]

/** What rules of every type have. */
interface AlertBase {
  readonly id: string
  readonly accountId: string
  /** A new one with each write, by which the writer knows its own row again. */
  readonly revision: string
  readonly createdAt: number
  readonly updatedAt: number
  readonly name: string
  /** What is asked for: filters of its type, as an address has them. */
  readonly query: string
  /** By how much worth another has to be better to be told too: a fraction; what it is of, its type says. */
  readonly improvement: number
  /** Most messages in an hour. */
  readonly perHour: number
  readonly quiet: QuietHours | null
  readonly target: AlertTarget
  readonly isPaused: boolean
  /** Why the service paused it; null where its account did, and while it is not paused. */
  readonly pauseReason: string | null
}

/** Tells of opportunities of a kind, by the filters of their list. */
export interface OpportunityAlert extends AlertBase {
  readonly type: 'opportunity'
  readonly kind: OpportunityKind
  readonly occasion: AlertOccasion
  readonly stakes: AlertStakes
}

/** Tells of prices that may be bet on, of moves of prices, or of sources, by filters of its own. */
export interface OtherAlert<Type extends RuleType> extends AlertBase {
  readonly type: Type
}

export type AlertRow =
  | OpportunityAlert
  | OtherAlert<'price'>
  | OtherAlert<'move'>
  | OtherAlert<'source'>
export type AlertOf<Type extends RuleType> = Extract<AlertRow, { readonly type: Type }>

export const deliveryStates = ['pending', 'delivered', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]

export interface AlertDeliveryRow {
  /** The `webhook-id`: the same however often it is sent. */
  readonly id: string
  readonly accountId: string
  readonly alertId: string
  readonly revision: string
  readonly type: RuleType | 'test'
  /** What is told once, by the rule's occasion; of a test ''. */
  readonly occasion: string
  /** A fraction; of a test 0. */
  readonly worth: number
  readonly decidedAt: number
  readonly state: DeliveryState
  /** Whether it is tried again until it arrives; a test, and one that is asked for again, is not. */
  readonly isRetried: boolean
  /** How often it was sent. */
  readonly attempts: number
  /** When it was sent last; null for not yet. */
  readonly attemptedAt: number | null
  /** Why the last attempt failed; null where it did not. */
  readonly problem: string | null
  readonly deliveredAt: number | null
  /** The message as JSON; '' of an old one, which cannot be sent again. */
  readonly message: string
  /** The message at its target, by which it can be edited; null where it cannot. */
  readonly remoteId: string | null
  /** When the opportunity or price of the message was found to be gone; null while it stands. */
  readonly goneAt: number | null
  /** When the target last showed that it is gone; null for not yet. */
  readonly editedAt: number | null
}

/** Where a row stands in its table. */
export const alertKey = ({ accountId, id }: Pick<AlertRow, 'accountId' | 'id'>) =>
  `${accountId}|${id}`
export const deliveryKey = (row: Pick<AlertDeliveryRow, 'accountId' | 'alertId' | 'id'>) =>
  `${row.accountId}|${row.alertId}|${row.id}`
