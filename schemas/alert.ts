/**
 * Alerts: rules of an account that send a message to a target when something happens. Alerts are
 * rows of the compacted topic `alerts`, the sent messages rows of `alert-deliveries`. All of them
 * are in partition 0, so that the sending process reads the rows of the one before it. A delivery
 * has a row before it is sent.
 */

import type { OpportunityKind } from './opportunity.ts'

/** The unit for which a rule sends one message: the best of an event or of a market, or each opportunity. */
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
   * The address of requests; for Telegram that of its bot API, for mail `mailto:` and the address, for browsers
   * `browser:`. It may itself be a secret.
   */
  readonly url: string
  /** The key that signs webhooks; the token of a Telegram bot or of an ntfy user. Null for none. */
  readonly secret: string | null
  /** The chat, for Telegram. */
  readonly chatId: string | null
}

/** A daily period from one time to another, which may be on the next day. */
export interface QuietHours {
  /** Minutes since midnight. */
  readonly from: number
  readonly to: number
  /** IANA name. */
  readonly timeZone: string
}

/** The stakes, as `/opportunities/{id}/explain` takes them; null for its defaults. */
export interface AlertStakes {
  readonly total: number | null
  readonly unit: number | null
  readonly kelly: number | null
}

/** The subjects of rules. */
export const ruleTypes = ['opportunity', 'price', 'move', 'source'] as const
export type RuleType = (typeof ruleTypes)[number]

/** The fields of rules of every type. */
interface AlertBase {
  readonly id: string
  readonly accountId: string
  /** Random with each write, so that the writer recognises its own row. */
  readonly revision: string
  readonly createdAt: number
  readonly updatedAt: number
  readonly name: string
  /** The filters of its type, as a query string. */
  readonly query: string
  /** The improvement in worth for which another message is sent: a fraction; its meaning depends on the type. */
  readonly improvement: number
  /** The most messages in an hour. */
  readonly perHour: number
  readonly quiet: QuietHours | null
  readonly target: AlertTarget
  readonly isPaused: boolean
  /** Why the service paused it; null if its account paused it, or while it is not paused. */
  readonly pauseReason: string | null
}

/** A rule on opportunities of a kind, by the filters of their list. */
export interface OpportunityAlert extends AlertBase {
  readonly type: 'opportunity'
  readonly kind: OpportunityKind
  readonly occasion: AlertOccasion
  readonly stakes: AlertStakes
}

/** A rule on active prices, on moves of prices, or on sources, by filters of its own type. */
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
  /** The `webhook-id`, the same for every attempt. */
  readonly id: string
  readonly accountId: string
  readonly alertId: string
  readonly revision: string
  readonly type: RuleType | 'test'
  /** The subject that gets one message, by the rule's occasion; '' for a test. */
  readonly occasion: string
  /** A fraction; 0 for a test. */
  readonly worth: number
  readonly decidedAt: number
  readonly state: DeliveryState
  /** Whether it is retried until it arrives; false for a test, and for a message that is sent again on request. */
  readonly isRetried: boolean
  /** The number of attempts to send it. */
  readonly attempts: number
  /** When it was last sent; null for not yet. */
  readonly attemptedAt: number | null
  /** Why the last attempt failed; null if it did not. */
  readonly problem: string | null
  readonly deliveredAt: number | null
  /** The message as JSON; '' for an old one and for one that was refused: they cannot be sent again. */
  readonly message: string
  /** The id of the message at its target, to edit it by; null if it cannot be edited. */
  readonly remoteId: string | null
  /** When the opportunity or price of the message was found to be gone; null while it stands. */
  readonly goneAt: number | null
  /** When the message at the target was last edited to say so; null for not yet. */
  readonly editedAt: number | null
  /** The `visibilityBit` of its account when it was decided; null for a test, and from earlier builds. */
  readonly visibilityBit?: number | null
  /**
   * The sportsbooks that it tells of or whose prices measure it; null for a test, and from earlier
   * builds.
   */
  readonly sportsbooks?: readonly string[] | null
}

/** Returns the row's key in its table. */
export const alertKey = ({ accountId, id }: Pick<AlertRow, 'accountId' | 'id'>) =>
  `${accountId}|${id}`
export const deliveryKey = (row: Pick<AlertDeliveryRow, 'accountId' | 'alertId' | 'id'>) =>
  `${row.accountId}|${row.alertId}|${row.id}`
