/**
 * The closing-line value of an account's bets, measured by the no-vig close of the same selection
 * and line. It is measured at the first sharp book of the chain that has one, and at the bet's own
 * sportsbook. Lines are never converted. A bet without a value has a reason.
 */

import {
  type ArchivedClose,
  type ArchivedMarket,
  type Ask,
  type ClosedSelection,
  mostBets,
  readCaptures,
  readCloses,
  readMarkets,
  readPlayers,
} from '../../pipeline/archive/bets.ts'
import { createPlayerNames, type PlayerNames } from '../../pipeline/rules/names/player-names.ts'
import { bettorClv } from '../../pipeline/rules/odds/bettor-clv.ts'
import { allBooksOf, booksOf, type Chains, chainOf } from '../../pipeline/rules/odds/chains.ts'
import type { Captured } from '../../pipeline/views/closes/closes-view.ts'
import type { BetRow, BetSelection } from '../../schemas/bet.ts'
import type { BetReason } from '../../schemas/http/bets/reasons.ts'
import type { Admitted } from '../route.ts'
import type { FoundBet } from './found-bets.ts'

export interface WeighedBet {
  readonly row: BetRow
  readonly found: BetSelection | null
  /** A fraction; null when `reason` is set. */
  readonly clv: number | null
  readonly reason: BetReason | null
  /** The close of the sharp book. */
  readonly close: ArchivedClose | null
  /** The close of the bet's own sportsbook. */
  readonly ownClose: ArchivedClose | null
  readonly ownClv: number | null
}

export interface WeighOptions {
  readonly ask: Ask
  /** Runs work and charges its time to the account. */
  readonly charged: Admitted['charged']
  /** The chain of each game. */
  readonly chain: Chains
  mayShow(sportsbook: string): boolean
  /** Returns the current start of an event (epoch ms); undefined for an unknown event. */
  startOf(eventId: string): number | undefined
  /** Current time of the price clock (epoch ms). */
  readonly now: number
  /** Returns the number and the newest time of an event's closes on the log. */
  capturedOf(eventId: string): Captured
}

/** Closes may still be captured for this long after the start. */
const captureMs = 60_000
/** Closes may take this long to reach the archive. The log keeps them as long. */
const underWayMs = 48 * 3_600_000

/** A bet with the selection it was matched to, or the reason it was not. */
export interface LocatedBet {
  readonly row: BetRow
  readonly match: FoundBet
}

export async function weighBets(
  bets: readonly LocatedBet[],
  options: WeighOptions,
): Promise<WeighedBet[]> {
  const { now, startOf, charged } = options
  const sinceStart = (found: BetSelection) => now - (startOf(found.eventId) ?? found.startsAt)
  const weighed: WeighedBet[] = []
  for (let from = 0; from < bets.length; from += mostBets) {
    const batch = await withShownPlayers(bets.slice(from, from + mostBets), options)
    const started = batch.flatMap(({ match }) =>
      'found' in match && sinceStart(match.found) >= captureMs ? [match.found] : [],
    )
    const underWay = started.filter((found) => sinceStart(found) < underWayMs)
    // Compare the archive with the log before reading closes, so that closes that arrive in between are read.
    const pending = await eventsNotArchived(underWay, options)
    const archived = await readArchived(batch, options)
    charged(() => {
      for (const { row, match } of batch) {
        if ('reason' in match) weighed.push(withoutValue(row, null, match.reason))
        else {
          const { found } = match
          const since = sinceStart(found)
          if (since < captureMs) weighed.push(withoutValue(row, found, 'no_close_yet'))
          else if (pending.has(found.eventId))
            weighed.push(withoutValue(row, found, 'archive_behind'))
          else weighed.push(weigh(row, found, archived, since, options))
        }
      }
    })
  }
  return weighed
}

/** Returns the bets with players spelled as in their events, the only spelling that closes have. */
async function withShownPlayers(
  bets: readonly LocatedBet[],
  { ask, charged }: WeighOptions,
): Promise<readonly LocatedBet[]> {
  const ofPlayers = bets.flatMap(({ match }) =>
    'found' in match && match.found.playerName !== null ? [match.found] : [],
  )
  if (ofPlayers.length === 0) return bets
  const archived = await readPlayers(ask, ofPlayers)
  return charged(() => {
    const players = new Map(
      archived.map((archivedEvent) => [archivedEvent.eventId, archivedEvent.players]),
    )
    const names = new Map<string, PlayerNames>()
    return bets.map(({ row, match }): LocatedBet => {
      if (!('found' in match) || match.found.playerName === null) return { row, match }
      const { eventId, homeTeam, awayTeam } = match.found
      let ofEvent = names.get(eventId)
      if (!ofEvent) {
        ofEvent = createPlayerNames([homeTeam, awayTeam])
        for (const name of players.get(eventId) ?? []) ofEvent.recall(name)
        names.set(eventId, ofEvent)
      }
      const playerName = ofEvent.nameIn(
        row.playerName ?? match.found.playerName,
        row.sportsbook,
        [],
      )
      return { row, match: { found: { ...match.found, playerName } } }
    })
  })
}

/** Returns the events whose closes are on the log but not yet in the archive. */
async function eventsNotArchived(
  found: readonly BetSelection[],
  { ask, capturedOf }: WeighOptions,
): Promise<ReadonlySet<string>> {
  const pending = new Map<string, Captured>()
  for (const { eventId } of found) {
    const captured = capturedOf(eventId)
    if (captured.lastAt > 0) pending.set(eventId, captured)
  }
  if (pending.size === 0) return new Set()
  const toCompare = found.filter(({ eventId }) => pending.has(eventId))
  for (const { eventId, count, lastAt } of await readCaptures(ask, toCompare)) {
    const captured = pending.get(eventId)!
    if (count >= captured.count && lastAt >= captured.lastAt) pending.delete(eventId)
  }
  return new Set(pending.keys())
}

// ---- closes in the archive

interface Archived {
  /** By selection, then by sportsbook. */
  readonly closes: ReadonlyMap<string, ReadonlyMap<string, ArchivedClose>>
  readonly markets: ReadonlyMap<string, ArchivedMarket>
  /** Events with any captured close. */
  readonly events: ReadonlySet<string>
}

async function readArchived(
  bets: readonly LocatedBet[],
  { ask, chain, mayShow }: WeighOptions,
): Promise<Archived> {
  const closes = new Map<string, Map<string, ArchivedClose>>()
  const selections: BetSelection[] = []
  const sportsbooks = new Set(allBooksOf(chain))
  for (const { row, match } of bets) {
    if ('reason' in match) continue
    selections.push(match.found)
    if (mayShow(row.sportsbook)) sportsbooks.add(row.sportsbook)
  }
  if (selections.length === 0) return { closes, markets: new Map(), events: new Set() }
  for (const close of await readCloses(ask, selections, [...sportsbooks])) {
    const key = selectionKey(close)
    const atBooks = closes.get(key) ?? new Map<string, ArchivedClose>()
    closes.set(key, atBooks)
    // A renamed price has a row under each name, one of them marked withdrawn.
    if (close.price !== null || !atBooks.has(close.sportsbook)) atBooks.set(close.sportsbook, close)
  }
  const without = selections.filter((selection) => {
    const atBooks = closes.get(selectionKey(selection))
    return !booksOf(chainOf(chain, selection)).some((book) => hasValue(atBooks?.get(book)))
  })
  const captured = without.length > 0 ? await readMarkets(ask, without, allBooksOf(chain)) : []
  const shown = captured.filter(({ pricedBy }) => pricedBy.some(mayShow))
  return {
    closes,
    markets: new Map(shown.map((market) => [marketKey(market), market])),
    events: new Set(shown.map(({ eventId }) => eventId)),
  }
}

const selectionKey = (selection: Omit<ClosedSelection, 'league'>) =>
  `${marketKey(selection)}|${selection.selectionType}|${selection.line ?? ''}`

const marketKey = (market: { eventId: string; marketType: string; playerName: string | null }) =>
  `${market.eventId}|${market.marketType}|${market.playerName ?? ''}`

const hasValue = (close: ArchivedClose | undefined) => close !== undefined && close.noVig !== null

// ---- one bet

/** @param since ms since the event started */
function weigh(
  row: BetRow,
  found: BetSelection,
  archived: Archived,
  since: number,
  { chain, now }: WeighOptions,
): WeighedBet {
  const atBooks = archived.closes.get(selectionKey(found))
  const books = booksOf(chainOf(chain, found))
  const ofChain = books.flatMap((sportsbook) => atBooks?.get(sportsbook) ?? [])
  const reference = ofChain.find(hasValue)
  const ownClose = atBooks?.get(row.sportsbook) ?? null
  if (row.placedAt >= (reference?.startsAt ?? ownClose?.startsAt ?? now - since)) {
    return { ...withoutValue(row, found, 'placed_after_start'), ownClose }
  }
  const ownClv = ownClose?.noVig == null ? null : bettorClv(ownClose.noVig, row.price)
  const own = { row, found, ownClose, ownClv }
  if (reference) {
    return { ...own, clv: bettorClv(reference.noVig!, row.price), reason: null, close: reference }
  }
  const close = ofChain[0] ?? null
  return { ...own, clv: null, reason: reasonWithout(found, archived, books, close, since), close }
}

/**
 * Returns why no sharp book has a no-vig close of the selection.
 * @param books of its chain
 * @param close of the first of these with the price
 */
function reasonWithout(
  found: BetSelection,
  { markets, events }: Archived,
  books: readonly string[],
  close: ArchivedClose | null,
  since: number,
): BetReason {
  if (close) return close.missing ?? (close.withheld === null ? 'not_devigged' : 'withheld')
  if (!events.has(found.eventId)) return since < underWayMs ? 'no_close_yet' : 'close_not_kept'
  const closedBy = markets.get(marketKey(found))?.closedBy ?? []
  return closedBy.some((book) => books.includes(book)) ? 'no_price_at_line' : 'no_reference'
}

export const withoutValue = (
  row: BetRow,
  found: BetSelection | null,
  reason: BetReason,
): WeighedBet => ({
  row,
  found,
  clv: null,
  reason,
  close: null,
  ownClose: null,
  ownClv: null,
})
