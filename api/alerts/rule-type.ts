/** What each type of rule is to what decides, and what that is to it. A type is a module of its own. */

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

/** A rule's filters, read for what its account may see. */
export interface CompiledAlert {
  readonly type: RuleType
  /** As the alert chose it by `books`. */
  readonly scope: Scope
  /** Values of its filter `books`. */
  readonly books: readonly string[] | undefined
  /** What the account needs; null for nothing but a tier with alerts. */
  readonly requires: RequiredFeature | null
}

/** A rule that is followed, with what it told. */
export interface Rule<Alert extends AlertRow = AlertRow, Compiled = CompiledAlert> {
  readonly alert: Alert
  readonly compiled: Compiled
  /** What it told by occasion, the oldest first. */
  readonly told: ReadonlyMap<string, Told>
  /** It did not follow changes until then: what it looks at has to be newer (epoch ms). */
  readonly followsFrom: number
  /** Whether nothing so good was told of the occasion. */
  isNews(occasion: string, worth: number): boolean
  /** The occasion is over: what comes of it later is told as the first. */
  end(occasion: string): void
}

export interface Told {
  /** The greatest that was told: a fraction, more is better; -Infinity once the occasion is over. */
  readonly worth: number
  /** Of the newest message (epoch ms). */
  readonly at: number
}

/** Something that a rule may tell. */
export interface Finding {
  /** What is told once. */
  readonly occasion: string
  /** A fraction, more is better. */
  readonly worth: number
  /** What tells this news from others of its occasion; whichever process decides it, it is the same. */
  readonly identity: readonly (string | number)[]
  /** @param toldBefore the worth of the best told before; null for the first */
  message(toldBefore: number | null, parts: MessageParts): AlertMessage
}

/** A message that was told before. */
export interface ToldMessage {
  readonly alertId: string
  readonly occasion: string
  /** Null for messages about something else. */
  readonly opportunityId: string | null
}

export interface FinderParts {
  readonly boards: Pick<Boards, 'live' | 'now' | 'sources'>
  /** Sharp books, the first choice first. */
  readonly chain: readonly string[]
}

/** Finds what the rules of a type may tell. It is asked many times a second. */
export interface Finder<R extends Rule> {
  /** Replaces the rules. @returns those that it can follow now */
  setRules(rules: readonly R[]): readonly R[]
  /** Takes what has changed since the last time, until `end`. @param now by the clock of prices (epoch ms) */
  begin(now: number): void
  /** The rules that what has changed may concern. */
  concerned(now: number): Iterable<R>
  /** What a rule may tell of what has changed, the best first. @param at by the service's clock (epoch ms) */
  changed(rule: R, now: number, at: number): readonly Finding[]
  end(): void
  /** The same of all that stands. */
  standing(rule: R, now: number, at: number): readonly Finding[]
  /** Whether what a message is about is gone; false where messages are about what has happened. */
  isGone(rule: R, message: ToldMessage, now: number): boolean
  close(): void
}

export type RuleOf<Type extends RuleType, Compiled extends CompiledAlert> = Rule<
  AlertOf<Type>,
  Compiled
>

/** A type of rule. */
export interface TypeOfRule<Type extends RuleType, Compiled extends CompiledAlert = CompiledAlert> {
  /**
   * @throws ApiError feature_required, tier_restricted where the account may not see what is asked for;
   *   invalid_filter, validation_error for what cannot be asked; too_many_book_sets where it names `books` and as many
   *   sets as there may be are in use
   */
  compile(alert: Asked<Type>, rights: AlertRights): Compiled
  openFinder(parts: FinderParts): Finder<RuleOf<Type, Compiled>>
  /** Where what it names now is listed, and the page for people; addresses below the service's. */
  paths(alert: Asked<Type>): { readonly list: string; readonly page: string }
}

/** What is asked of an alert that may not be one yet. */
export type Asked<Type extends RuleType = RuleType> = Type extends RuleType
  ? Pick<AlertOf<Type>, 'type' | 'query' | Extract<'kind', keyof AlertOf<Type>>>
  : never
