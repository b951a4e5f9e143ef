/**
 * The descriptor of a kind of opportunity, for lists, streams, explanations and deep links: what may be
 * asked of it, how it is shown and what would end it. What its prices come to is in `kindRules`. Each kind
 * is described in a file of `kinds/`; nothing else asks which kind an opportunity is of.
 */

import type { z } from 'zod'
import type { ViewEvent } from '../../pipeline/views/board/view-event.ts'
import type { Item, Valued } from '../../pipeline/views/opportunities/priced.ts'
import type { OpportunityContract } from '../../schemas/http/opportunities/opportunity.ts'
import { familyOf, type OpportunityKind, type OpportunityRow } from '../../schemas/opportunity.ts'
import type { Scope } from '../access/scope.ts'
import type { RequiredFeature } from '../access/tiers.ts'
import type { Quote } from './quotes.ts'

export interface Kind<Figures extends object = object> {
  readonly name: OpportunityKind
  readonly contract: OpportunityContract
  /** How its list is described; `otherwise` is the code for those without it. */
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

  // ---- what may be asked

  /** Whether figures are within the bounds of the contract. */
  isWithin(figures: Figures, bounds: Readonly<Record<string, number>>): boolean
  /**
   * The query as it is understood, names in our ids.
   * @throws ApiError invalid_filter
   */
  understand?(query: AskedOfKind): AskedOfKind
  /** What is left of the items that a request names. */
  choose?(some: readonly Valued<Figures>[], query: AskedOfKind): readonly Valued<Figures>[]
  /** `sort=x` and `sort=-x` both mean the largest first. */
  readonly isAlwaysDescending?: true

  // ---- how it is shown

  /** What depends on who asks, and when. */
  at(moment: Moment): Seen<Figures>
  /** What `meta.summary` of a list tells, beside how many they are. */
  readonly summary: SummaryShape<Figures>
  /** Members of `meta` from `filters` on; default: these and the summary. */
  meta?(of: MetaParts): object
  /** The file that `format=csv` asks for. */
  readonly csv?: { readonly fileName: string; write(shown: readonly object[]): string }
  /** Below the path of its list: each of them by its id, and all in figures. */
  readonly pages?: {
    readonly one: {
      readonly summary: string
      readonly id: string
      readonly answer: string
      readonly contract: z.ZodType<{ readonly data: object }>
      /** The message where no opportunity has the id. */
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

  // ---- what is behind it

  readonly explain: {
    /** Figures, not rounded. */
    result(item: Item<Figures>): object
    /** What there is to take the margin out of. */
    markets(item: Item<Figures>): readonly MarketToDevig[]
    /**
     * What a leg pays, its fee counted, at and below which there is no opportunity; null where any
     * price will do.
     */
    leastNet(item: Item<Figures>, leg: number): number | null
    /** The chance of a bet on one answer, which is staked by Kelly's rule; absent where all legs are bet on. */
    fair?(item: Item<Figures>): number
    /** What else the sportsbooks can do to end it. */
    readonly replacedBy: 'price_is_withdrawn' | 'better_price_elsewhere'
  }
  /** For a kind that more sportsbooks may offer than those of its legs. */
  readonly ties?: {
    /** Whether one of these sportsbooks offers it. */
    isAt(one: Valued<Figures>, books: ReadonlySet<string>, scope: Scope, now: number): boolean
    /** Every price at which it can be bet on. */
    quotes(legs: readonly Quote[], scope: Scope, now: number): readonly Quote[]
  }
}

/** The feature that an account needs for a kind. */
export const requirementOf = ({ name, list }: Kind): RequiredFeature => ({
  feature: familyOf(name),
  otherwise: list.otherwise,
})

export interface SummaryShape<Figures extends object = object> {
  /** A figure whose average and whose least or greatest are told, by these names. */
  readonly figure?: {
    of(figures: Figures): number
    readonly average: string
    readonly extreme: string
    readonly isLeast: boolean
  }
  /** What they are counted by, by the names that the counts are told under. */
  readonly counts: Readonly<Record<string, CountedBy>>
}

export type CountedBy = 'sport' | 'marketType' | 'sportsbook'

type OverviewQuery = Pick<OpportunityContract['query'], 'sport' | 'league'>

/** The parameters of a list, of whatever kind. */
export type AskedOfKind = Readonly<Record<string, unknown>>

export interface MetaParts {
  readonly filters: object
  readonly summary: object
  readonly scope: Scope
  /** When the newest price of the page was seen (epoch ms). */
  readonly updatedAt: number
}

/** Who looks at opportunities, and when; good for one answer. */
export interface Moment {
  readonly scope: Scope
  /** Sharp books, the first choice first. */
  readonly chain: readonly string[]
  /** Epoch ms. */
  readonly now: number
  /** The US state that addresses of sportsbooks are for, lower case. */
  readonly state: string
}

/** Members of an item by name; those of its legs are in `legs`. */
export interface Clocked {
  readonly [name: string]: unknown
  readonly legs?: readonly Readonly<Record<string, unknown>>[]
}

/** A kind at one moment. */
export interface Seen<
  Figures extends object = object,
  Around = unknown,
  Members extends Clocked = Clocked,
> {
  /**
   * Reads off the board what stands beside an item: which sportsbooks offer the bets of its legs, their prices for
   * stricter answers (`contradictions.ts`), and, of a kind with `ties`, all prices of the line. `item-texts.ts` tells
   * from these when a text no longer holds.
   */
  around(item: Item<Figures>): Around
  /**
   * The same after nothing but prices of the line and their ages have moved, of a kind with `ties`; `before` itself
   * where it comes to the same.
   */
  againAround?(item: Item<Figures>, before: Around): Around
  /** Members that depend on the clock, on sightings, on main lines, or on other opportunities. */
  clocked(item: Item<Figures>, around: Around): Members
  /** An item as answers have it. It puts members of `clocked` in their places and computes nothing from them. */
  show(item: Item<Figures>, around: Around, clocked: Members): object
  /** @param key one of those that the contract's `sorts` mean */
  order(key: string): Order<Figures>
  /** Whether one passes the filters that this kind alone has. */
  isAsked?(one: Valued<Figures>, query: AskedOfKind): boolean
  /** Rows computed for this request, where it asks for rows that the table does not have. */
  otherRows?(
    query: AskedOfKind,
    isOfEvent: (event: ViewEvent) => boolean,
  ): readonly OpportunityRow[] | undefined
}

export interface Order<Figures extends object = object> {
  keyOf(of: Valued<Figures>): number | string
  /** What the key has to do with the rank, by which the list is in order: it is that, its opposite, or less. */
  readonly byRank?: 'same' | 'opposite' | 'at_most'
}

/** A complete market and the price that is held against it. */
export interface MarketToDevig {
  /** Null: the best prices of several. */
  readonly sportsbook: string | null
  readonly quotes: readonly Quote[]
  /** The answer that is bet on, among them; -1 for all. */
  readonly answer: number
  /** What the price that is bet at pays, its fee counted. */
  readonly price: number | null
  /** What is told of it where its prices are hidden. */
  readonly veiled?: { readonly fair: number; readonly overround: number }
}
