/**
 * The API responses that the pages read, or parts of them, derived from the contracts. Only types: the pages carry no
 * zod, and `client/` may not import contracts itself.
 */

import type { z } from 'zod'
import type { accountAnswer, adminAccountsAnswer } from '../../schemas/http/account.ts'
import type { moveFilters, priceFilters, sourceFilters } from '../../schemas/http/alert-filters.ts'
import type { alertItem, deliveryItem } from '../../schemas/http/alerts.ts'
import type { betResultsAnswer } from '../../schemas/http/bets/results.ts'
import type { betsAddedAnswer } from '../../schemas/http/bets/statements.ts'
import type { briefGameState, eventDetail, eventItem } from '../../schemas/http/events.ts'
import type { explanationObject } from '../../schemas/http/explain.ts'
import type { eventHistoryList, movementsList } from '../../schemas/http/history.ts'
import type { opportunityContracts } from '../../schemas/http/opportunities/contracts.ts'
import type { listParameters } from '../../schemas/http/opportunities/opportunity.ts'
import type { profile } from '../../schemas/http/profile.ts'
import type { recordAnswer } from '../../schemas/http/record.ts'
import type { leagueItem, marketItem, sportsbookItem } from '../../schemas/http/reference.ts'
import type { availableSource, sourceItem, sourceTrial } from '../../schemas/http/sources.ts'
import type { SettingsSchema } from '../../schemas/settings-schema.ts'

/** A read-only form of a shape. */
type ReadOnly<Shape> = Shape extends object
  ? { readonly [Member in keyof Shape]: ReadOnly<Shape[Member]> }
  : Shape

/** Some members of what a contract describes. */
type Part<Contract extends z.ZodType, Member extends keyof z.output<Contract>> = ReadOnly<
  Pick<z.output<Contract>, Member>
>

/** The data of an answer. */
type Data<Answer extends z.ZodType<{ readonly data: unknown }>> = ReadOnly<z.output<Answer>['data']>

export type League = Part<
  typeof leagueItem,
  'id' | 'name' | 'sport' | 'country' | 'event_count' | 'live_count'
>

export type Market = Part<typeof marketItem, 'id' | 'numerical_id' | 'answers' | 'selection_count'>

export type Sportsbook = Part<
  typeof sportsbookItem,
  | 'id'
  | 'display_name'
  | 'short_name'
  | 'category'
  | 'is_sharp'
  | 'is_reference'
  | 'status'
  | 'last_update'
>

export type GameState = Part<
  typeof briefGameState,
  'home_score' | 'away_score' | 'period' | 'clock'
>

/** A game in a list of events, or as one event, which has no score. */
export interface Game
  extends Part<
      typeof eventItem,
      | 'id'
      | 'league'
      | 'sport'
      | 'home_team'
      | 'away_team'
      | 'start_time'
      | 'is_live'
      | 'stale_books'
    >,
    Part<typeof eventDetail, 'status'> {
  /** Of a game in a list, whose `status` is only `upcoming` or `live`. */
  readonly event_status?: Part<typeof eventDetail, 'status'>['status'] | undefined
  readonly game_state?: GameState | undefined
}

/** A game to bet on, with its markets. */
export type FoundGame = Part<
  typeof eventItem,
  'id' | 'league' | 'home_team' | 'away_team' | 'start_time' | 'markets'
>

export type Account = Pick<Data<typeof accountAnswer>, 'tier' | 'limits' | 'features'>

/** A page of a list. */
export interface Page<Item> {
  readonly data: readonly Item[]
  readonly pagination: { readonly has_more: boolean; readonly next_cursor?: string | null }
  readonly meta: Readonly<Record<string, unknown>>
}

export type Alert = ReadOnly<z.output<typeof alertItem>>
/** The names of the filters of an alert, by its type. */
export interface AlertFilters {
  readonly price: keyof typeof priceFilters
  readonly move: keyof typeof moveFilters
  readonly source: keyof typeof sourceFilters
}
type OpportunityContracts = typeof opportunityContracts
/** The names of the filters of opportunities, by their kind. */
export type OpportunityFilters = {
  readonly [Kind in keyof OpportunityContracts]: Exclude<
    keyof OpportunityContracts[Kind]['query'],
    (typeof listParameters)[number]
  >
}
/** An opportunity in a list, by its kind. */
export type OpportunityItems = {
  readonly [Kind in keyof OpportunityContracts]: ReadOnly<
    z.output<OpportunityContracts[Kind]['item']>
  >
}
export type Explanation = Data<typeof explanationObject>
export type Delivery = ReadOnly<z.output<typeof deliveryItem>>
export type Profile = ReadOnly<z.output<typeof profile>>
export type OwnBook = Profile['sportsbooks'][number]

/** The bets of a request or a file that were stored, and those that were refused. */
export type TakenFile = Omit<Data<typeof betsAddedAnswer>, 'bets'>
export type BetResults = Data<typeof betResultsAnswer>
export type BetResult = BetResults['bets'][number]
/** A mean with its interval, in percent. */
export type BetMean = NonNullable<BetResults['total']['roi']>

type HistoryItem = Data<typeof eventHistoryList>[number]
/** The history of a price, with the course that `points` asks for. */
export type PriceHistory = HistoryItem & { readonly course: NonNullable<HistoryItem['course']> }

export type SteamMovement = Data<typeof movementsList>[number]

export type ServiceRecord = Data<typeof recordAnswer>
export type OwnedAccount = Data<typeof adminAccountsAnswer>[number]
export type Source = ReadOnly<z.output<typeof sourceItem>>
export type SourceTrial = ReadOnly<z.output<typeof sourceTrial>>
export interface AvailableSource extends Part<typeof availableSource, 'id' | 'official'> {
  readonly settings: SettingsSchema
}

export type { SettingSchema, SettingsSchema } from '../../schemas/settings-schema.ts'
