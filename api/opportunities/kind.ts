/**
 * The descriptor of a kind of opportunity, for lists, streams, explanations and deep links: what its
 * prices come to, what may be asked of it, how it is shown and what would end it. Each kind is
 * described in a file of `kinds/`; nothing else asks which kind an opportunity is of.
 */

import type { ViewEvent } from '../../pipeline/views/board/view-event.ts'
import type { OpportunityContract } from '../../schemas/http/opportunities/opportunity.ts'
import type { OpportunityKind, OpportunityRow } from '../../schemas/opportunity.ts'
import type { Scope } from '../access/scope.ts'
import type { Described } from '../routes/route.ts'
import type { Quote } from './quotes.ts'

/** An opportunity with its prices as they stand. */
export interface Priced {
  readonly row: OpportunityRow
  readonly event: ViewEvent
  readonly legs: readonly Quote[]
  /** What each leg's price pays, its sportsbook's fee counted where fees are: decimal odds. */
  readonly nets: readonly number[]
  /** The sharp book's answers; empty unless it is +EV. */
  readonly reference: readonly Quote[]
  /** What the same sportsbooks offer on the other side of each line; empty where that is no matter. */
  readonly others: readonly (Quote | undefined)[]
}

export type Item<Figures extends object = object> = Priced & { readonly figures: Figures }

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

  // ---- figures

  /** Whether its figures rest on the other side of each line as well. */
  readonly needsOtherSides?: true
  /** What its prices come to; null when they do not make such an opportunity any more. */
  figures(priced: Priced): Figures | null
  /**
   * What those are told who do not see the prices of `reference`; null for nothing. Every figure of a
   * hidden price that they get goes through here.
   */
  veiled?(figures: Figures, priced: Priced): Figures | null
  /** See `worthOf`: a fraction. */
  worth(figures: Figures): number

  // ---- what may be asked

  /** Whether figures are within the bounds of the contract. */
  isWithin(figures: Figures, bounds: Readonly<Record<string, number>>): boolean
  /**
   * The query as it is understood, names in our ids.
   * @throws ApiError invalid_filter
   */
  understand?(query: AskedOfKind): AskedOfKind
  /** Whether it asks for rows that the table does not have, see `Seen.otherRows`. */
  hasOtherRows?(query: AskedOfKind): boolean
  /** What is left of the items that a request names. */
  choose?(items: Item<Figures>[], query: AskedOfKind): Item<Figures>[]
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
      readonly answer: Described
      /** The message where no opportunity has the id. */
      readonly missing: string
    }
    readonly overview: {
      readonly summary: string
      readonly query: OverviewQuery
      readonly answer: Described
    }
    overviewOf(items: readonly Item<Figures>[]): object
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
    isAt(item: Item<Figures>, books: ReadonlySet<string>, scope: Scope, now: number): boolean
    /** Every price at which it can be bet on. */
    quotes(legs: readonly Quote[], scope: Scope, now: number): readonly Quote[]
  }
}

export interface SummaryShape<Figures extends object = object> {
  /** A figure whose average and whose least or greatest are told, by these names. */
  readonly figure?: {
    of(figures: Figures): number
    readonly average: string
    readonly extreme: string
    readonly isLeast: boolean
  }
  /** What items are counted by, by the names that the counts are told under. */
  readonly counts: Readonly<Record<string, (item: Priced) => string>>
}

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
  /** Whether an item is on another line than its question's main one. */
  isAlternate(item: Priced): boolean
  /** The greatest worth of a kind on the line of an item; null for none. */
  worthOnLine(kind: OpportunityKind, item: Priced): number | null
  /** The greatest worth of a kind that takes a leg of an item; null for none. */
  worthOfLegs(kind: OpportunityKind, item: Priced): number | null
}

/** A kind at one moment. */
export interface Seen<Figures extends object = object> {
  /** An item as answers have it. */
  show(item: Item<Figures>): object
  /** @param key one of those that the contract's `sorts` mean */
  order(key: string): Order<Figures>
  /** Whether an item passes the filters that this kind alone has. */
  isAsked?(item: Item<Figures>, query: AskedOfKind): boolean
  /** Rows computed for this request, where it asks for rows that the table does not have. */
  otherRows?(
    query: AskedOfKind,
    isOfEvent: (event: ViewEvent) => boolean,
  ): readonly OpportunityRow[] | undefined
}

export interface Order<Figures extends object = object> {
  keyOf(item: Item<Figures>): number | string
  /** An upper bound of the item's key. For descending lists by keys that are slow to compute. */
  boundOf?(item: Item<Figures>): number
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
