/**
 * Boards of the past: loaded from the archive into a view of their own, over which a route runs as over
 * the board of now. A few are kept, since a walk by pages asks for the same one again and again.
 *
 * A load is in pieces: the rows are read as they arrive, and the event loop has its turn between them.
 */

import { setImmediate as turnOfOthers } from 'node:timers/promises'
import {
  type NewestChange,
  newestChange,
  type PastEvent,
  type PastEventsQuery,
  type PastPrice,
  pastEvents,
  pastPrices,
} from '../pipeline/archive/past-board.ts'
import { instantOf } from '../pipeline/archive/price-history.ts'
import type { Statement } from '../pipeline/archive/shown-prices.ts'
import type { LogRecord } from '../pipeline/log/log.ts'
import {
  createStandingBoard,
  type StandingBoard,
} from '../pipeline/processors/opportunities/standing-board.ts'
import { filedAnew } from '../pipeline/rules/odds/three-ways.ts'
import { type BoardView, createBoardView } from '../pipeline/views/board/board-view.ts'
import { noAttributes } from '../schemas/attributes.ts'
import type { EventRow } from '../schemas/event.ts'
import type { OddsRow } from '../schemas/odds.ts'
import { type Sighting, sightingKey } from '../schemas/sighting.ts'
import { type Topic, topics } from '../schemas/topics.ts'
import type { Caller } from './access/keys.ts'
import type { SignedLinks } from './answer/signed-links.ts'
import type { ArchiveAccess } from './archive-access.ts'
import { ApiError, retryAfter } from './errors.ts'

/** Prices of one board. More are refused: the events are to be narrowed. */
export const mostPastPrices = 50_000
/** Of all boards that are kept, the newest aside. */
const mostKeptPrices = 100_000
/** A board that is kept longer is loaded anew: of another partition the archive may have been behind. */
const keptMs = 60_000
/** Records that a view takes at once. */
const pieceRecords = 500

export interface PastBoards {
  /** @throws ApiError as archive reads do; answer_too_large for more than `mostPastPrices` */
  at(asked: PastEventsQuery, caller: Caller): Promise<PastBoard>
}

export interface PastBoard {
  readonly board: BoardView
  /** The newest change that the archive had when the board was loaded (epoch ms); null for none. */
  readonly archivedUntil: number | null
}

interface Kept {
  readonly loaded: Promise<PastBoard>
  readonly keptUntil: number
  priceCount: number
}

/**
 * @param clock epoch ms
 * @param ownersOnly sportsbooks that only the owner may see
 * @param chain sharp books, the first choice first
 * @param most prices of one board
 */
export function createPastBoards(
  archive: Pick<ArchiveAccess, 'reads' | 'limits'>,
  clock: () => number,
  links: SignedLinks,
  ownersOnly: () => ReadonlySet<string>,
  chain: readonly string[],
  most = mostPastPrices,
): PastBoards {
  const kept = new Map<string, Kept>()

  /** The boards asked for last stay. */
  function forgetOthers() {
    let sum = 0
    for (const [key, { priceCount }] of [...kept].reverse()) {
      sum += priceCount
      if (sum > mostKeptPrices && key !== [...kept.keys()].at(-1)) kept.delete(key)
    }
  }

  /** Another may stand there by now. */
  function forget(key: string, one: Kept) {
    if (kept.get(key) === one) kept.delete(key)
  }

  async function load(asked: PastEventsQuery, caller: Caller): Promise<PastBoard> {
    const { reads, limits } = archive
    // A board that is too large is refused by its own count: beyond the rows that the tier may have at
    // once, the engine would break off its answer, and nobody would know why.
    const resultRows = Math.max(limits[caller.tier].resultRows, most + 1)
    const of = { caller: caller.accountId, limits: { ...limits[caller.tier], resultRows } }
    const [newest] = await reads.rows<NewestChange>({ ...of, ...newestChange })
    const events = await reads.rows<PastEvent>({ ...of, ...pastEvents(asked) })
    const board = createBoardView({ links })
    const standing = createStandingBoard(asked.at, ownersOnly(), chain)
    const load = createLoad(board, standing, asked.at)
    for (const event of events) await load.takeEvent(eventRow(event))
    const question: Statement = pastPrices(asked, most + 1)
    const seen = new Map<string, Sighting>()
    let count = 0
    const file = await reads.file({ ...of, ...question }, 'ndjson')
    for await (const price of rowsIn<PastPrice>(file)) {
      if (++count > most) throw tooManyPrices(most)
      await load.takePrice(oddsRow(price))
      noteSighting(seen, price)
    }
    await load.takeOffer()
    for (const [key, sighting] of seen) await load.take(recordOf(topics.sightings, key, sighting))
    let turn = 0
    for (const rows of standing.decided()) {
      for (const { topic, key, value } of rows) await load.take(recordOf(topic, key, value))
      if (++turn % pieceRecords === 0) await turnOfOthers()
    }
    load.flush()
    return { board, archivedUntil: instantOf(newest!.at) || null }
  }

  return {
    async at(asked, caller) {
      const key = JSON.stringify(asked)
      const known = kept.get(key)
      if (known && clock() < known.keptUntil) {
        kept.delete(key)
        kept.set(key, known)
        return known.loaded
      }
      const one: Kept = {
        loaded: load(asked, caller),
        keptUntil: clock() + keptMs,
        priceCount: 0,
      }
      // The newest stands last.
      kept.delete(key)
      kept.set(key, one)
      try {
        const past = await one.loaded
        one.priceCount = past.board.rows.size
        // What is still on its way to the archive is missing.
        if ((past.archivedUntil ?? 0) <= asked.at) forget(key, one)
        else forgetOthers()
        return past
      } catch (error) {
        forget(key, one)
        throw error
      }
    },
  }
}

const tooManyPrices = (most: number) =>
  new ApiError(
    'answer_too_large',
    `There were more than ${most} prices at that time; name fewer events or leagues.`,
  )

/** Gives a view its records in pieces, and the guard what it judges. */
function createLoad(board: BoardView, standing: StandingBoard, at: number) {
  const sports = new Map<string, string>()
  let records: LogRecord[] = []
  /** Of one sportsbook on one event. */
  let offer: OddsRow[] = []
  const flush = () => {
    board.apply(records, { epoch: 'past', offsets: {} }, at)
    records = []
  }
  async function take(record: LogRecord) {
    records.push(record)
    if (records.length < pieceRecords) return
    flush()
    await turnOfOthers()
  }
  async function takeOffer() {
    const [first] = offer
    if (!first) return
    const rows = filedAnew(offer, sports.get(first.eventId) ?? '')
    offer = []
    for (const row of rows) {
      standing.addPrice(row)
      await take(recordOf(topics.odds, String(row.id), row))
    }
  }
  return {
    flush,
    take,
    async takeEvent(row: EventRow) {
      sports.set(row.id, row.sport)
      standing.addEvent(row)
      await take(recordOf(topics.events, row.id, row))
    },
    /** Those of a sportsbook on an event come one behind the other. */
    async takePrice(row: OddsRow) {
      const [first] = offer
      if (first && (first.eventId !== row.eventId || first.sportsbook !== row.sportsbook)) {
        await takeOffer()
      }
      offer.push(row)
    },
    /** Takes the prices of the last offer, which no other ends. */
    takeOffer,
  }
}

/** The rows of a file of JSON lines, as they arrive. */
async function* rowsIn<Row>(file: AsyncIterable<Buffer | string>): AsyncGenerator<Row> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of partsOf(file)) {
    rest += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    const lines = rest.split('\n')
    rest = lines.pop()!
    for (const line of lines) yield JSON.parse(line)
  }
  if (rest !== '') yield JSON.parse(rest)
}

/** The parts of a file. @throws ApiError not_ready for one that ends before its end */
async function* partsOf<Part>(file: AsyncIterable<Part>): AsyncGenerator<Part> {
  try {
    yield* file
  } catch {
    throw new ApiError(
      'not_ready',
      'The archive did not finish; try again, or ask for fewer events or leagues.',
      { ...retryAfter(1), reason: 'starting' },
    )
  }
}

// ---- rows of the archive as rows of the board

function recordOf<Row>(topic: Topic<Row>, key: string, value: Row): LogRecord {
  return { topic: topic as Topic, partition: 0, offset: 0, key, value }
}

function eventRow(event: PastEvent): EventRow {
  return {
    id: event.event_id,
    sport: event.sport,
    league: event.league,
    leagueMapped: event.league_mapped,
    homeTeam: event.home_team,
    awayTeam: event.away_team,
    listedHome: event.listed_home,
    listedAway: event.listed_away,
    flipped: event.flipped,
    startsAt: instantOf(event.starts_at),
    status: event.status as EventRow['status'],
    isLive: event.is_live,
    updatedAt: instantOf(event.updated_at),
  }
}

function oddsRow(price: PastPrice): OddsRow {
  return {
    id: Number(price.id),
    eventId: price.event_id,
    league: price.league,
    sportsbook: price.sportsbook,
    marketType: price.market_type,
    selection: price.selection,
    selectionType: price.selection_type,
    line: price.line,
    playerName: price.player_name,
    statCategory: price.stat_category,
    price: price.price,
    isLive: price.is_live,
    isActive: price.is_active,
    observedAt: instantOf(price.observed_at),
    changedAt: price.changed_at === null ? null : instantOf(price.changed_at),
    ...noAttributes,
  }
}

/** When a sportsbook was seen is not archived; when it last changed a price of the event is. */
function noteSighting(seen: Map<string, Sighting>, { event_id, league, ...price }: PastPrice) {
  const { sportsbook, is_live } = price
  const key = sightingKey(event_id, sportsbook)
  const observedAt = instantOf(price.observed_at)
  const known = seen.get(key)
  if (known && known.lastSeenAt >= observedAt) return
  seen.set(key, {
    eventId: event_id,
    league,
    sportsbook,
    lastSeenAt: observedAt,
    hasGivenPrices: true,
    statedAt: null,
    externalId: null,
    listing: '',
    formerListings: [],
    homeTeam: '',
    awayTeam: '',
    startsAt: observedAt,
    swapped: false,
    isLive: is_live,
    statedStatus: null,
  })
}
