/** Interface between the decisions and the rule types. Each type is a module of its own. */

import type { Chains } from '../../pipeline/rules/odds/chains.ts'
import type { BoardView } from '../../pipeline/views/board/board-view.ts'
import type { AlertOf, AlertRow, RuleType } from '../../schemas/alert.ts'
import type { AlertMessage } from '../../schemas/http/alerts.ts'
import type { Scope } from '../access/scope.ts'
import type { Features, RequiredFeature } from '../access/tiers.ts'
import type { Boards } from '../boards.ts'
import type { Admitted } from '../route.ts'
import type { MessageParts } from './alert-messages.ts'

/** The rights of an alert's account. */
export interface AlertRights extends Pick<Admitted, 'scope' | 'scopeAmong'> {
  readonly features: Features
}

/** An alert's filters, compiled for its account's rights. */
export interface CompiledAlert {
  readonly type: RuleType
  /** Scope chosen by the alert's `books`. */
  readonly scope: Scope
  /** Values of the filter `books`. */
  readonly books: readonly string[] | undefined
  /** Whether the leagues that the account's profile hides are left out. */
  readonly isOfAnyLeague: boolean
  /** Feature the account needs; null for any tier with alerts. */
  readonly requires: RequiredFeature | null
}

/** A rule that is followed, with its earlier messages. */
export interface Rule<Alert extends AlertRow = AlertRow, Compiled = CompiledAlert> {
  readonly alert: Alert
  readonly compiled: Compiled
  /** The messages that were sent, by occasion, oldest first. */
  readonly sent: ReadonlyMap<string, SentSummary>
  /** The rule ignored changes before this time, so cached data must be newer (epoch ms). */
  readonly followsFrom: number
  /** Returns whether the worth exceeds the best sent for the occasion by enough. */
  isNews(occasion: string, worth: number): boolean
  /** Returns whether the account's profile hides the league from this rule. */
  isHidden(league: string | null): boolean
  /** Ends an occasion. The next message of it counts as the first. */
  end(occasion: string): void
}

/** The messages sent about one occasion. */
export interface SentSummary {
  /** Greatest worth sent: a fraction, more is better; -Infinity once the occasion is over. */
  readonly worth: number
  /** Time of the newest message (epoch ms). */
  readonly at: number
}

/** A match that a rule may report. */
export interface Finding {
  /** Key under which a finding is reported once. */
  readonly occasion: string
  /** Null if it is of no league. */
  readonly league: string | null
  /** Worth as a fraction, more is better. */
  readonly worth: number
  /** Values that distinguish this news from others of its occasion. They are the same in every process. */
  readonly identity: readonly (string | number)[]
  /** Returns the sportsbooks that the message tells of or whose prices measure it, each once. */
  sportsbooks(): readonly string[]
  /** @param bestSent the best worth sent before; null for the first message */
  message(bestSent: number | null, parts: MessageParts): AlertMessage
}

/** A message that was sent before. */
export interface SentMessage {
  readonly alertId: string
  readonly occasion: string
  /** Null for messages about something else. */
  readonly opportunityId: string | null
}

export interface FinderParts {
  readonly boards: Pick<Boards, 'now' | 'sources'>
  /** The board of its rules' scopes. */
  readonly board: BoardView
  /** The chain of each game. */
  readonly chain: Chains
}

/**
 * A full look, in pieces: each call looks at the next one. The board may change between two calls.
 * @returns the findings, best first, once all is looked at; null before
 */
export type Look = () => readonly Finding[] | null

/** Time between two full looks of an alert. */
export const lookEveryMs = 60_000

/** Finds matches for the rules of one type on one board. Called many times a second. */
export interface Finder<R extends Rule> {
  /** Replaces the rules. @returns those that can be followed now */
  setRules(rules: readonly R[]): readonly R[]
  /** Reads the changes since the last call, to be used until `end`. @param now by the clock of prices (epoch ms) */
  begin(now: number): void
  /** Returns the rules that the changes may concern. */
  concerned(now: number): Iterable<R>
  /**
   * @param at by the service's clock (epoch ms)
   * @returns a rule's findings among the changes, best first; null if changes were missed, so that
   *   it needs a full look
   */
  changed(rule: R, now: number, at: number): readonly Finding[] | null
  end(): void
  /** Begins a look for a rule's findings among everything current. */
  look(rule: R, now: number, at: number): Look
  /** Whether full looks end occasions, so that a rule that may send nothing now needs them too. */
  readonly endsOccasions: boolean
  /**
   * Whether a message's opportunity or price is gone; false if messages report something that has
   * happened.
   */
  isGone(rule: R, message: SentMessage, now: number): boolean
  close(): void
}

export type RuleOf<Type extends RuleType, Compiled extends CompiledAlert> = Rule<
  AlertOf<Type>,
  Compiled
>

/** A type of rule. */
export interface TypeOfRule<Type extends RuleType, Compiled extends CompiledAlert = CompiledAlert> {
  /**
   * @throws ApiError feature_required or tier_restricted if the account lacks the right;
   *   invalid_filter or validation_error for invalid filters; too_many_book_sets if it names
   *   `books` and too many sets are in use
   */
  compile(alert: RuleDefinition<Type>, rights: AlertRights): Compiled
  openFinder(parts: FinderParts): Finder<RuleOf<Type, Compiled>>
  /** Returns paths of the list and of the page that show the rule's current matches. */
  paths(alert: RuleDefinition<Type>): { readonly list: string; readonly page: string }
}

/** The rule of an alert, also before the alert exists. */
export type RuleDefinition<Type extends RuleType = RuleType> = Type extends RuleType
  ? Pick<AlertOf<Type>, 'type' | 'query' | Extract<'kind', keyof AlertOf<Type>>>
  : never
