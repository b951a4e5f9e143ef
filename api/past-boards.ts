/**
 * Boards of the past, loaded from the archive into views that routes read like the current board. A few are cached,
 * because paging reads the same board repeatedly.
 *
 * Loading yields to the event loop between batches of rows. The account of the request that begins it pays for it, within
 * its limits, and it ends when that client has left: a request that waits for the same board then begins anew.
 */

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
import type { Append, LogRecord } from '../pipeline/log/log.ts'
import {
  createStandingBoard,
  type StandingBoard,
} from '../pipeline/processors/opportunities/standing-board.ts'
import type { Chains } from '../pipeline/rules/odds/chains.ts'
import { filedAnew } from '../pipeline/rules/odds/three-ways.ts'
import { type BoardView, createBoardView } from '../pipeline/views/board/board-view.ts'
import { noAttributes } from '../schemas/attributes.ts'
import type { EventRow } from '../schemas/event.ts'
import type { OddsRow } from '../schemas/odds.ts'
import { type Sighting, sightingKey } from '../schemas/sighting.ts'
import { type Topic, topics } from '../schemas/topics.ts'
import { batchLength, inBatches } from './answer/charged-batches.ts'
import type { SignedLinks } from './answer/signed-links.ts'
import type { ArchiveAccess } from './archive-access.ts'
import type { Asker } from './ask/archive-questions.ts'
import { ApiError, ClientGoneError, retryAfter } from './errors.ts'

/** Most prices of one board. Larger boards are refused with the advice to narrow the events. */
export const mostPastPrices = 50_000
/** Most prices of all cached boards, excluding the newest. */
const mostKeptPrices = 100_000
/** Most cached boards: one without prices takes memory too, about half a megabyte. */
const mostKeptBoards = 16
/** Lifetime of cached boards. The archive may have been behind in some partition. */
const keptMs = 60_000

export interface PastBoards {
  /** @throws ApiError as reads of the archive, or answer_too_large for more than `mostPastPrices` */
  at(query: PastEventsQuery, by: Asker): Promise<PastBoard>
}

export interface PastBoard {
  readonly board: BoardView
  /** The archive's newest change when the board was loaded (epoch ms); null for none. */
  readonly archivedUntil: number | null
}

interface Kept {
  /** The account that pays. */
  readonly accountId: string
  readonly loaded: Promise<PastBoard>
  readonly keptUntil: number
  priceCount: number
}

/**
 * @param clock epoch ms
 * @param ownersOnly returns sportsbooks that only the owner may see
 * @param chain what +EV is measured against
 * @param references sportsbooks that serve only as references
 */
export function createPastBoards(
  archive: Pick<ArchiveAccess, 'reads' | 'limits'>,
  clock: () => number,
  links: SignedLinks,
  ownersOnly: () => ReadonlySet<string>,
  chain: Chains,
  references: ReadonlySet<string>,
): PastBoards {
  const kept = new Map<string, Kept>()

  /** Drops the boards whose lifetime is over, and the least recently used of too many. */
  function forgetOthers() {
    const now = clock()
    let prices = 0
    let boards = 0
    for (const [key, { priceCount, keptUntil }] of [...kept].reverse()) {
      if (now >= keptUntil) {
        kept.delete(key)
        continue
      }
      prices += priceCount
      boards++
      const isTooMany = boards > mostKeptBoards || prices > mostKeptPrices
      if (isTooMany && boards > 1) kept.delete(key)
    }
  }

  /** Drops a board unless another has replaced it. */
  function forget(key: string, one: Kept) {
    if (kept.get(key) === one) kept.delete(key)
  }

  async function load(query: PastEventsQuery, { caller, charged }: Asker): Promise<PastBoard> {
    const { reads, limits } = archive
    // Asks for more rows than the tier's limit if needed to find here that there are too many. At
    // that limit the engine would cut its result off without a reason that clients can use.
    const resultRows = Math.max(limits[caller.tier].resultRows, mostPastPrices + 1)
    const asker = { caller: caller.accountId, limits: { ...limits[caller.tier], resultRows } }
    const ofRows = { ...asker, decoding: charged }
    const [newest] = await reads.rows<NewestChange>({ ...ofRows, ...newestChange })
    const events = await reads.rows<PastEvent>({ ...ofRows, ...pastEvents(query) })
    const board = createBoardView({ links, references })
    const guard = createStandingBoard(query.at, ownersOnly(), chain, references)
    const load = createLoad(board, guard, query.at)
    await inBatches(events, charged, (event) => load.takeEvent(eventRow(event)))
    const statement: Statement = pastPrices(query, mostPastPrices + 1)
    const lastSeen = new Map<string, Sighting>()
    let count = 0
    for await (const lines of linesIn(await reads.lines({ ...asker, ...statement }))) {
      await inBatches(lines, charged, (line) => {
        if (++count > mostPastPrices) throw tooManyPrices()
        const price: PastPrice = JSON.parse(line)
        load.takePrice(oddsRow(price))
        noteLastSeen(lastSeen, price)
      })
    }
    charged(load.takeOffer)
    await inBatches(lastSeen, charged, ([key, sighting]) =>
      load.take(recordOf(topics.sightings, key, sighting)),
    )
    await inBatches(stepsOf(guard), charged, (decided) => {
      if (decided) load.take(recordOf(decided.topic, decided.key, decided.value))
    })
    charged(load.flush)
    return { board, archivedUntil: instantOf(newest!.at) || null }
  }

  async function at(query: PastEventsQuery, by: Asker): Promise<PastBoard> {
    const key = JSON.stringify(query)
    const known = kept.get(key)
    if (known && clock() < known.keptUntil) {
      kept.delete(key)
      kept.set(key, known)
      try {
        return await known.loaded
      } catch (error) {
        const isSameForAll = error instanceof ApiError && error.code === 'not_ready'
        const isOfOther = known.accountId !== by.caller.accountId && !isSameForAll
        if (!(error instanceof ClientGoneError) && !isOfOther) throw error
        // One whose client has left meanwhile, or whose account has overdrawn too much, begins nothing.
        by.charged(() => {})
        return at(query, by)
      }
    }
    const one: Kept = {
      accountId: by.caller.accountId,
      loaded: load(query, by),
      keptUntil: clock() + keptMs,
      priceCount: 0,
    }
    // The map is ordered by last use.
    kept.delete(key)
    kept.set(key, one)
    try {
      const past = await one.loaded
      one.priceCount = past.board.rows.size
      // Changes may still be on their way to the archive, so the board is not cached.
      if ((past.archivedUntil ?? 0) <= query.at) forget(key, one)
      forgetOthers()
      return past
    } catch (error) {
      forget(key, one)
      throw error
    }
  }

  return { at }
}

/** Yields the rows that are decided, and null for each line of prices: to judge it takes time too. */
function* stepsOf({ decided }: StandingBoard): Iterable<Append | null> {
  for (const rows of decided()) {
    yield null
    yield* rows
  }
}

const tooManyPrices = () =>
  new ApiError(
    'answer_too_large',
    `There were more than ${mostPastPrices} prices at that time; name fewer events or leagues.`,
  )

/** Feeds records to the view in batches, and prices to the phantom guard. */
function createLoad(board: BoardView, guard: StandingBoard, at: number) {
  const sports = new Map<string, string>()
  let records: LogRecord[] = []
  /** Prices of one sportsbook on one event. */
  let offer: OddsRow[] = []
  const flush = () => {
    board.apply(records, { epoch: 'past', offsets: {} }, at)
    records = []
  }
  function take(record: LogRecord) {
    records.push(record)
    if (records.length >= batchLength) flush()
  }
  function takeOffer() {
    const [first] = offer
    if (!first) return
    const rows = filedAnew(offer, sports.get(first.eventId) ?? '')
    offer = []
    for (const row of rows) {
      guard.addPrice(row)
      take(recordOf(topics.odds, String(row.id), row))
    }
  }
  return {
    flush,
    take,
    takeEvent(row: EventRow) {
      sports.set(row.id, row.sport)
      guard.addEvent(row)
      take(recordOf(topics.events, row.id, row))
    },
    /** Prices of one sportsbook on one event arrive together. */
    takePrice(row: OddsRow) {
      const [first] = offer
      if (first && (first.eventId !== row.eventId || first.sportsbook !== row.sportsbook)) {
        takeOffer()
      }
      offer.push(row)
    },
    /** Reads the prices of the last offer. */
    takeOffer,
  }
}

/** Yields lines as they arrive, a batch or more at a time. */
async function* linesIn(stream: AsyncIterable<Buffer | string>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder()
  let rest = ''
  let lines: string[] = []
  for await (const chunk of partsOf(stream)) {
    rest += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    const parts = rest.split('\n')
    rest = parts.pop()!
    lines.push(...parts)
    if (lines.length < batchLength) continue
    yield lines
    lines = []
  }
  if (rest !== '') lines.push(rest)
  yield lines
}

/** Yields the chunks of a stream. @throws ApiError not_ready if it breaks off */
async function* partsOf<Part>(stream: AsyncIterable<Part>): AsyncGenerator<Part> {
  try {
    yield* stream
  } catch {
    throw new ApiError(
      'not_ready',
      'The archive did not finish its response. Try again, or ask for fewer events or leagues.',
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
    isStalePregamePrice: price.is_stale_pregame ? true : null,
  }
}

/** The archive has no sightings, so a sportsbook's last price change on the event stands for one. */
function noteLastSeen(lastSeen: Map<string, Sighting>, { event_id, league, ...price }: PastPrice) {
  const { sportsbook, is_live } = price
  const key = sightingKey(event_id, sportsbook)
  const observedAt = instantOf(price.observed_at)
  const known = lastSeen.get(key)
  if (known && known.lastSeenAt >= observedAt) return
  lastSeen.set(key, {
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
