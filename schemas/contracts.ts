/**
 * The imports of a client in TypeScript, as `import type { OddsItem } from 'overround'`: the rows of the responses,
 * the responses around them, and the messages of the streams. Types only; the schemas behind them, which also
 * validate, are at `overround/schemas/http/odds` and its neighbours.
 */

import type { z } from 'zod'
import type { batchBody, batchObject } from './http/batch.ts'
import type { bestItem, bestList } from './http/best.ts'
import type { betItem, betsAnswer } from './http/bets/bet.ts'
import type { betClvItem, betsClvAnswer } from './http/bets/closing-values.ts'
import type { betStatement, betsAddedAnswer } from './http/bets/statements.ts'
import type { comparisonObject } from './http/comparison.ts'
import type { errorAnswer, pagination } from './http/envelope.ts'
import type { eventDetail, eventItem, eventList, eventMarket } from './http/events.ts'
import type { explanationObject } from './http/explain.ts'
import type {
  futureComparisonObject,
  futureItem,
  futureOddsItem,
  futureOddsList,
  futuresList,
} from './http/futures.ts'
import type { healthAnswer } from './http/health.ts'
import type { closingDayObject, clvObject } from './http/historical.ts'
import type { ingestAnswer } from './http/ingest.ts'
import type { deltaAnswer, oddsAnswer, oddsItem } from './http/odds.ts'
import type { opportunityContracts } from './http/opportunities/contracts.ts'
import type {
  leagueItem,
  marketItem,
  sportItem,
  sportsbookItem,
  teamItem,
} from './http/reference.ts'
import type { splitsEntry, splitsHistory, splitsItem, splitsList } from './http/splits.ts'
import type { gameStateRow } from './stream/game-state.ts'

type Contracts = typeof opportunityContracts

// ---- rows

export type OddsItem = z.output<typeof oddsItem>
export type EventItem = z.output<typeof eventItem>
export type EventDetail = z.output<typeof eventDetail>
export type EventMarket = z.output<typeof eventMarket>
export type BestItem = z.output<typeof bestItem>
/** An opportunity, of one kind or of any. */
export type OpportunityItem<Kind extends keyof Contracts = keyof Contracts> = z.output<
  Contracts[Kind]['item']
>
export type EvItem = OpportunityItem<'ev'>
export type ArbitrageItem = OpportunityItem<'arbitrage'>
export type MiddleItem = OpportunityItem<'middle'>
export type LowHoldItem = OpportunityItem<'low_hold'>
export type FutureItem = z.output<typeof futureItem>
export type FutureOddsItem = z.output<typeof futureOddsItem>
export type SplitsItem = z.output<typeof splitsItem>
export type SplitsHistoryEntry = z.output<typeof splitsEntry>
export type SportItem = z.output<typeof sportItem>
export type LeagueItem = z.output<typeof leagueItem>
export type SportsbookItem = z.output<typeof sportsbookItem>
export type MarketItem = z.output<typeof marketItem>
export type TeamItem = z.output<typeof teamItem>
export type GameState = z.output<typeof gameStateRow>
export type BetItem = z.output<typeof betItem>
export type BetClvItem = z.output<typeof betClvItem>

// ---- responses

export type OddsAnswer = z.output<typeof oddsAnswer>
export type DeltaAnswer = z.output<typeof deltaAnswer>
export type EventsAnswer = z.output<typeof eventList>
export type BestAnswer = z.output<typeof bestList>
export type ComparisonAnswer = z.output<typeof comparisonObject>
export type BatchBody = z.input<typeof batchBody>
export type BatchAnswer = z.output<typeof batchObject>
export type OpportunitiesAnswer<Kind extends keyof Contracts = keyof Contracts> = z.output<
  Contracts[Kind]['list']
>
export type EvAnswer = OpportunitiesAnswer<'ev'>
export type ArbitrageAnswer = OpportunitiesAnswer<'arbitrage'>
export type MiddlesAnswer = OpportunitiesAnswer<'middle'>
export type LowHoldAnswer = OpportunitiesAnswer<'low_hold'>
export type FuturesAnswer = z.output<typeof futuresList>
export type FutureOddsAnswer = z.output<typeof futureOddsList>
export type FutureComparisonAnswer = z.output<typeof futureComparisonObject>
export type SplitsAnswer = z.output<typeof splitsList>
export type SplitsHistoryAnswer = z.output<typeof splitsHistory>
export type ClvAnswer = z.output<typeof clvObject>
export type ClosingDayAnswer = z.output<typeof closingDayObject>
export type ExplanationAnswer = z.output<typeof explanationObject>
export type HealthAnswer = z.output<typeof healthAnswer>
export type IngestAnswer = z.output<typeof ingestAnswer>
export type BetStatement = z.input<typeof betStatement>
export type BetsAddedAnswer = z.output<typeof betsAddedAnswer>
export type BetsAnswer = z.output<typeof betsAnswer>
export type BetsClvAnswer = z.output<typeof betsClvAnswer>
export type ErrorAnswer = z.output<typeof errorAnswer>
export type Pagination = z.output<typeof pagination>

// ---- pushed records, and the streams

export type { IngestRecord } from './http/ingest.ts'
export type { CloseCode, SseChannel, StreamErrorCode, WebsocketChannel } from './stream/channels.ts'
export type { ClientFrame } from './stream/client-frames.ts'
export type { StreamEvent, StreamEventName } from './stream/events.ts'
export type { ServerFrame, ServerFrameType } from './stream/server-frames.ts'
