/**
 * Descriptor of a kind of opportunity for lists, streams, explanations and deep links: its filters, its form in
 * responses and the changes that end it. `kindRules` computes its figures. Each kind is a file of `kinds/`. Lists,
 * streams, explanations and links have no other code for single kinds.
 */

import type { z } from 'zod'
import type { Chains } from '../../pipeline/rules/odds/chains.ts'
import type { ViewEvent } from '../../pipeline/views/board/view-event.ts'
import type { Item, Valued } from '../../pipeline/views/opportunities/priced.ts'
import type { OpportunityContract } from '../../schemas/http/opportunities/opportunity.ts'
import { familyOf, type OpportunityKind, type OpportunityRow } from '../../schemas/opportunity.ts'
import type { OpportunityWarning } from '../../schemas/opportunity-warnings.ts'
import type { Scope } from '../access/scope.ts'
import type { RequiredFeature } from '../access/tiers.ts'
import type { LinkState } from '../answer/book-addresses.ts'
import type { Quote } from './quotes.ts'

export interface Kind<Figures extends object = object> {
  readonly name: OpportunityKind
  readonly contract: OpportunityContract
  /** Description of its list. `otherwise` is the error code for accounts without it. */
  readonly list: {
    readonly summary: string
    readonly description: string
    readonly answer: string
    readonly otherwise: 'feature_required' | 'tier_restricted'
    /** A second path to the same list, below `/opportunities`. */
    readonly alias?: string
  }
  /** The list as a tool for language models. */
  readonly tool: {
    readonly name: string
    readonly description: string
    readonly inputs: readonly string[]
  }

  // ---- queries

  /** Returns whether figures are within the bounds of the contract. */
  isWithin(figures: Figures, bounds: Readonly<Record<string, number>>): boolean
  /**
   * Interprets the query, with names as our ids.
   * @throws ApiError invalid_filter
   */
  understand?(query: UntypedQuery): UntypedQuery
  /** Selects further among the matching items. */
  choose?(some: readonly Valued<Figures>[], query: UntypedQuery): readonly Valued<Figures>[]
  /** Keys of the contract's `sorts` for which `sort=x` and `sort=-x` both mean the largest first. */
  readonly alwaysDescending?: readonly string[]

  // ---- how it is shown

  /** Returns the functions that show the kind to one caller at one time. */
  at(moment: Moment): Seen<Figures>
  /** Contents of the list's `meta.summary`, besides the count. */
  readonly summary: SummaryShape<Figures>
  /** Returns the fields of `meta` from `filters` on; default: these and the summary. */
  meta?(parts: MetaParts): object
  /** The file for `format=csv`. */
  readonly csv?: { readonly fileName: string; write(shown: readonly object[]): string }
  /** Pages below the list's path: each opportunity by id, and an overview of all. */
  readonly pages?: {
    readonly one: {
      readonly summary: string
      readonly id: string
      readonly answer: string
      readonly contract: z.ZodType<{ readonly data: object }>
      /** Error message if no opportunity has the id. */
      readonly missing: string
    }
    readonly overview: {
      readonly summary: string
      readonly query: OverviewQuery
      readonly answer: string
      readonly contract: z.ZodType<{ readonly data: object }>
    }
    overviewOf(some: readonly Valued<Figures>[], scope: Scope): object
  }

  // ---- explanation

  readonly explain: {
    /** Returns unrounded figures. */
    result(item: Item<Figures>): object
    /** Returns the markets whose margin is removed. */
    markets(item: Item<Figures>): readonly MarketToDevig[]
    /** Returns the net price of a leg at and below which the opportunity ends; null if any price will do. */
    leastNet(item: Item<Figures>, leg: number): number | null
    readonly stakes: StakeRule<Figures>
    /** How sportsbooks can end it other than by a lower price of a leg. */
    readonly replacedBy: 'price_is_withdrawn' | 'better_price_elsewhere'
  }
  /** For kinds that other sportsbooks may offer too, at the same best price as a leg. */
  readonly ties?: {
    /** Returns whether one of these sportsbooks offers it. */
    isAt(one: Valued<Figures>, books: ReadonlySet<string>, scope: Scope, now: number): boolean
    /** Returns all prices at which it can be bet on. */
    quotes(legs: readonly Quote[], scope: Scope, now: number): readonly Quote[]
  }
}

/** How its legs are staked: so that all return alike, or a single bet by Kelly's rule. */
export type StakeRule<Figures extends object = object> =
  | { readonly rule: 'equal_return' }
  | {
      readonly rule: 'kelly'
      /** Returns the fair probability of the outcome that is bet on. */
      fair(item: Item<Figures>): number
      /** Returns the warnings that concern such a stake. */
      warnings(item: Item<Figures>): readonly OpportunityWarning[]
    }

/** Returns the feature that an account needs for a kind. */
export const requirementOf = ({ name, list }: Kind): RequiredFeature => ({
  feature: familyOf(name),
  otherwise: list.otherwise,
})

export interface SummaryShape<Figures extends object = object> {
  /** A figure shown with its average and its minimum or maximum, by these names. */
  readonly figure?: {
    of(figures: Figures): number
    readonly average: string
    readonly extreme: string
    readonly isLeast: boolean
  }
  /** Attributes to count by, by the names of the counts. */
  readonly counts: Readonly<Record<string, CountedBy>>
}

export type CountedBy = 'sport' | 'marketType' | 'sportsbook'

type OverviewQuery = Pick<OpportunityContract['query'], 'sport' | 'league'>

/** The parameters of a list. Only the kind knows their types. */
export type UntypedQuery = Readonly<Record<string, unknown>>

export interface MetaParts {
  readonly filters: object
  readonly summary: object
  readonly scope: Scope
  /** Newest sighting of the page's prices (epoch ms). */
  readonly updatedAt: number
}

/** A caller's scope at one time, for one response. */
export interface Moment {
  readonly scope: Scope
  /** The chain of each game. */
  readonly chain: Chains
  /** Time (epoch ms). */
  readonly now: number
  readonly state: LinkState
}

/** Fields of an item by name. The fields of its legs are in `legs`. */
export interface Clocked {
  readonly [name: string]: unknown
  readonly legs?: readonly Readonly<Record<string, unknown>>[]
}

/** A kind for one caller at one time. */
export interface Seen<
  Figures extends object = object,
  Around = unknown,
  Members extends Clocked = Clocked,
> {
  /**
   * Reads the data around an item from the board: the prices of stricter outcomes at its sportsbooks
   * (`contradictions.ts`), which sportsbooks quote the line of `linedUp`, and, for a kind with `ties`, all prices of
   * that line. `item-texts.ts` uses these to detect outdated texts.
   */
  around(item: Item<Figures>): Around
  /** Returns a price for each outcome of the line that `around` reads; absent if it reads no line. */
  linedUp?(item: Item<Figures>): readonly Quote[]
  /**
   * Updates `around` for a kind with `linedUp` after only prices of the line and their ages have changed. Returns
   * `before` itself if nothing differs.
   */
  againAround?(item: Item<Figures>, before: Around): Around
  /** Returns the fields that depend on the clock, on sightings, on main lines or on other opportunities. */
  clocked(item: Item<Figures>, around: Around): Members & { readonly warnings: readonly string[] }
  /** Returns an item for a response. It inserts the fields of `clocked` and computes nothing from them. */
  show(item: Item<Figures>, around: Around, clocked: Members): object
  /** @param key a value of the contract's `sorts` */
  order(key: string): Order<Figures>
  /** Returns whether an opportunity passes the kind's own filters. */
  matches?(one: Valued<Figures>, query: UntypedQuery): boolean
  /** Returns how to compute the rows of this request, if it asks for rows that are not in the table. */
  otherRows?(query: UntypedQuery, part: NamedPart): OtherRows | undefined
}

/** The part of the board that a request names. Markets outside it need not be looked at. */
export interface NamedPart {
  isOfEvent(event: ViewEvent): boolean
  /** Market types, and sportsbooks that are bet at; undefined for all. */
  readonly markets: ReadonlySet<string> | undefined
  readonly sportsbooks: ReadonlySet<string> | undefined
}

/** Computes rows for one request, some games a step. Between steps the board may change. */
export type OtherRows = Generator<void, readonly OpportunityRow[]>

export interface Order<Figures extends object = object> {
  keyOf(valued: Valued<Figures>): number | string
  /** Relation of the key to the rank, by which the list is sorted: equal, opposite, or never greater. */
  readonly byRank?: 'same' | 'opposite' | 'at_most'
}

/** A complete market and the price it is compared with. */
export interface MarketToDevig {
  /** Null for the best prices of several sportsbooks. */
  readonly sportsbook: string | null
  readonly quotes: readonly Quote[]
  /** Index of the outcome that is bet on; -1 for all. */
  readonly outcome: number
  /** Net price of the bet, after fees. */
  readonly price: number | null
  /** The figures shown if the market's prices are hidden. */
  readonly veiled?: { readonly fair: number; readonly overround: number }
}
