/**
 * The topics, one row each: their content, encoding and retention.
 *
 * Every record about an event goes to the partition of the event's **league**: matching must see
 * every sportsbook of a league in one place. Inputs and outputs are partitioned alike, so a
 * processor restores from exactly the partitions it owns. `book_status` goes by sportsbook, and so
 * do dead letters. Ticks are written to every partition. The API's own topics, `accounts`, `usage`,
 * `bets`, `profiles` and alerts, are read whole by every API process, and so is the state of the
 * sources.
 */

import avro from 'avsc'
import type { AccountsRow } from './account.ts'
import type { AlertDeliveryRow, AlertRow } from './alert.ts'
import type { AliasOrder, AliasRow } from './alias.ts'
import type { ApiProcessRow } from './api-process.ts'
import { readAvroSchema } from './avro-schema.ts'
import type { BetRow } from './bet.ts'
import type { ClosingLine } from './closing-line.ts'
import type { DeploymentRow } from './deployment.ts'
import type { EventRow } from './event.ts'
import type { BoardRecord, GameStateRecord, SplitsRecord } from './feed-record.ts'
import type { FutureRow, FutureSighting } from './future.ts'
import type { GameResultRow } from './game-result.ts'
import type { GameStateRow } from './game-state.ts'
import type { MainLineRow } from './main-line.ts'
import type { OddsRow } from './odds.ts'
import type { OpportunityRow } from './opportunity.ts'
import type { OpportunityLife, RunningLife } from './opportunity-life.ts'
import type { PriceChange } from './price-change.ts'
import type { ProfileRow } from './profile.ts'
import type { RecordedTime } from './recorded-time.ts'
import type { Rejected } from './rejected.ts'
import type { Sighting } from './sighting.ts'
import type { AddedSource, SourcePause, SourceRow } from './source.ts'
import type { SplitSnapshot, SplitsRow } from './splits.ts'
import type { SportsbookStatus } from './sportsbook-status.ts'
import type { TracesRow } from './trace.ts'
import type { UsageRow } from './usage.ts'
import type { WithheldPrice } from './withheld-price.ts'

const hour = 3_600_000

/** How long the log keeps records that only the archive reads, by default. */
export const keptForArchiveMs = 48 * hour

/** How long records stay: `compacted` keeps the newest per key for good, a number is milliseconds. */
export type Retention = 'compacted' | { readonly forMs: number }

export interface Topic<Row = unknown> {
  readonly name: string
  readonly retention: Retention
  /** The Avro schema of the values, as registered and stored. */
  readonly schema: avro.Schema
  /** Returns a new buffer of the row in `schema`'s binary form, without any header. */
  encode(row: Row): Buffer
  /**
   * Writes the same bytes into `buffer` from `at` on.
   * @returns the end; negative when they do not fit, then by how many bytes
   */
  encodeInto(row: Row, buffer: Buffer, at: number): number
  /**
   * Reads the bytes from `from` to `to`, by default all.
   * @throws Error when they are not a value of `schema`
   */
  decode(bytes: Buffer, from?: number, to?: number): Row
}

function topic<Row>(name: string, schemaFile: string, retention: Retention): Topic<Row> {
  return createTopic(name, readAvroSchema(schemaFile), retention)
}

export function createTopic<Row>(
  name: string,
  schema: avro.Schema,
  retention: Retention,
): Topic<Row> {
  const type = avro.Type.forSchema(schema)
  // Encoding into a buffer that stays and copying the result out is several times faster than
  // letting the library size a new one for each value.
  let encoded = Buffer.allocUnsafe(4_096)
  return {
    name,
    retention,
    schema,
    encodeInto: (row, buffer, at) => type.encode(row, buffer, at),
    encode(row) {
      let end = type.encode(row, encoded, 0)
      if (end < 0) {
        // A negative result is how far the value ran over.
        encoded = Buffer.allocUnsafe(2 * (encoded.length - end))
        end = type.encode(row, encoded, 0)
      }
      return Buffer.from(encoded.subarray(0, end))
    },
    decode: (bytes, from = 0, to = bytes.length) =>
      type.fromBuffer(bytes.subarray(from, to)) as Row,
  }
}

export const topics = {
  feedOdds: topic<BoardRecord>('feed.odds', 'feed-odds', { forMs: 48 * hour }),
  feedGameState: topic<GameStateRecord>('feed.game-state', 'feed-game-state', { forMs: 48 * hour }),
  feedSplits: topic<SplitsRecord>('feed.splits', 'feed-splits', { forMs: 48 * hour }),
  feedRejected: topic<Rejected>('feed.rejected', 'feed-rejected', { forMs: 7 * 24 * hour }),
  /** The operator's orders about aliases, by league. */
  feedAliases: topic<AliasOrder>('feed.aliases', 'feed-aliases', { forMs: 48 * hour }),
  /** By `aliasKey`, partitioned by league. */
  aliases: topic<AliasRow>('aliases', 'aliases', 'compacted'),
  /** By event id. */
  events: topic<EventRow>('events', 'events', 'compacted'),
  /** By odds id; a tombstone is a withdrawn price. */
  odds: topic<OddsRow>('odds', 'odds', 'compacted'),
  /** By odds id: the history of the table, for the archive. Written only where there is one. */
  priceChanges: topic<PriceChange>('price-changes', 'price-changes', { forMs: keptForArchiveMs }),
  /** By odds id: the close of a price, or why it has none; kept 48 hours after the start. */
  closingLines: topic<ClosingLine>('closing-lines', 'closing-lines', 'compacted'),
  /** By event id; a tombstone is a game that nobody reports any more. */
  gameStates: topic<GameStateRow>('game-state', 'game-state', 'compacted'),
  /** By event id: how games ended; kept 30 days after the start, for good in the archive. */
  gameResults: topic<GameResultRow>('game-results', 'game-results', 'compacted'),
  /** By `splitsKey`; a tombstone is a game that is over, or no more. */
  splits: topic<SplitsRow>('splits', 'splits', 'compacted'),
  /** By `splitsKey`: the splits of every five minutes, for the archive. Written only where there is one. */
  splitSnapshots: topic<SplitSnapshot>('split-snapshots', 'split-snapshots', {
    forMs: keptForArchiveMs,
  }),
  /** By opportunity id; a tombstone is an opportunity that has expired. */
  opportunities: topic<OpportunityRow>('opportunities', 'opportunities', 'compacted'),
  /** By opportunity id: lives that have ended, for the archive. Written only where there is one. */
  opportunityLives: topic<OpportunityLife>('opportunity-lives', 'opportunity-lives', {
    forMs: keptForArchiveMs,
  }),
  /** By opportunity id: running lives; a tombstone is one that has ended. Written under the same condition. */
  runningLives: topic<RunningLife>('running-lives', 'running-lives', 'compacted'),
  /** By odds id: prices that the phantom guard withholds; a tombstone is one no longer withheld, or gone. */
  withheldPrices: topic<WithheldPrice>('withheld-prices', 'withheld-prices', 'compacted'),
  /** By `mainLineKey`: questions with several rungs; a tombstone is one with at most one left. */
  mainLines: topic<MainLineRow>('main-lines', 'main-lines', 'compacted'),
  /** By `sightingKey`. */
  sightings: topic<Sighting>('sightings', 'sightings', 'compacted'),
  /** By `futureKey`; a tombstone is a market that its sportsbook no longer offers. */
  futures: topic<FutureRow>('futures', 'futures', 'compacted'),
  /** By `futureKey`. */
  futureSightings: topic<FutureSighting>('future-sightings', 'future-sightings', 'compacted'),
  /** By sportsbook. */
  sportsbookStatus: topic<SportsbookStatus>('sportsbook-status', 'sportsbook-status', 'compacted'),
  /** One row a partition, while a recording is replayed. */
  recordedTime: topic<RecordedTime>('recorded-time', 'recorded-time', 'compacted'),
  /** One row a partition: the pushes with an id. Committed after the tables that they changed. */
  traces: topic<TracesRow>('traces', 'traces', 'compacted'),
  /** By source, all in partition 0; a tombstone is a source that nobody runs any more. */
  sources: topic<SourceRow>('sources', 'sources', 'compacted'),
  /** By source, all in partition 0. */
  sourcePauses: topic<SourcePause>('source-pauses', 'source-pauses', 'compacted'),
  /** By source, all in partition 0; a tombstone is a source that was removed. */
  addedSources: topic<AddedSource>('added-sources', 'added-sources', 'compacted'),
  /** By `accountsKey`, all in partition 0. */
  accounts: topic<AccountsRow>('accounts', 'accounts', 'compacted'),
  /** By `usageKey`, partitioned by account; rows of old days get tombstones. */
  usage: topic<UsageRow>('usage', 'usage', 'compacted'),
  /** By process, all in partition 0; a tombstone is one that has stopped. */
  apiProcesses: topic<ApiProcessRow>('api-processes', 'api-processes', 'compacted'),
  /** By `DeploymentKey`, all in partition 0. */
  deployments: topic<DeploymentRow>('deployments', 'deployments', 'compacted'),
  /** By bet id, partitioned by account. */
  bets: topic<BetRow>('bets', 'bets', 'compacted'),
  /** By `alertKey`, all in partition 0. */
  alerts: topic<AlertRow>('alerts', 'alerts', 'compacted'),
  /** By `deliveryKey`, all in partition 0; old ones get tombstones. */
  alertDeliveries: topic<AlertDeliveryRow>('alert-deliveries', 'alert-deliveries', 'compacted'),
  /** By account. */
  profiles: topic<ProfileRow>('profiles', 'profiles', 'compacted'),
} as const
