/**
 * Withdrawals of the sources that are read page by page (a subcategory, a tab, a coupon). No page has all offers of a
 * sportsbook on an event, so a snapshot would withdraw those on other pages, and a plain delta would never withdraw
 * anything. Each page is therefore compared with its last reading, and a price that it no longer names is removed,
 * unless another page names it.
 *
 * Its memory is of one run of the feed. A price that vanished before it, or was withdrawn while the log could not be
 * written to, would stay on the board for as long as the event is seen, so the first record of an event is a
 * snapshot: it clears the prices of an earlier run, and the event's other pages follow.
 *
 * A source may also have one page with all offers on an event, and others with some of them. The whole one stays a
 * snapshot, and replaces what the others said of that event before.
 */

import type {
  FeedEvent,
  FeedMarket,
  FeedRecord,
  FeedSelection,
  OddsRecord,
} from '../../../schemas/feed-record.ts'
import type { Parsed } from '../feed.ts'
import { FetchError, type GetJson } from './http-source.ts'
import { outcomeKey } from './outcomes.ts'
import { createLastSeen, type TargetReader } from './polling-feed.ts'

interface Offer {
  readonly sportsbook: string
  readonly event: FeedEvent
  readonly observedAt: number
  readonly markets: readonly FeedMarket[]
  readonly keys: ReadonlySet<string>
}

/** The offers of a page, by event. */
type Page = Map<string, Offer>

export function createWithdrawals() {
  const byTarget = new Map<string, Map<string, Page>>()
  const seasons = createLastSeen()
  const seasonsPage = (target: string, page: string) => `${target} ${page}`

  /** Returns an event as it was last read, on whichever page: another may know that play has begun. */
  function asLastRead(eventKey: string, before: Offer): FeedEvent {
    let last = before
    for (const pages of byTarget.values()) {
      for (const page of pages.values()) {
        const offer = page.get(eventKey)
        if (offer && offer.observedAt > last.observedAt) last = offer
      }
    }
    return last.event
  }

  const isNamed = (eventKey: string, key: string) =>
    [...byTarget.values()].some((pages) =>
      [...pages.values()].some((page) => page.get(eventKey)?.keys.has(key)),
    )

  /** Returns deltas that remove prices named by `before` and by no page now. */
  function removals(before: Page, observedAt: number): Map<string, FeedRecord & { type: 'odds' }> {
    const records = new Map<string, FeedRecord & { type: 'odds' }>()
    for (const [eventKey, offer] of before) {
      const { sportsbook, markets } = offer
      const gone = markets
        .map((market) => ({
          ...market,
          selections: market.selections
            .filter((selection) => !isNamed(eventKey, keyOf(market, selection)))
            .map(removed),
        }))
        .filter(({ selections }) => selections.length > 0)
      if (gone.length === 0) continue
      records.set(eventKey, {
        type: 'odds',
        sportsbook,
        mode: 'delta',
        observedAt,
        event: asLastRead(eventKey, offer),
        markets: gone,
      })
    }
    return records
  }

  /** Forgets what other pages said of an event, because a snapshot has replaced it. */
  function forgetElsewhere(eventKey: string, own: Page) {
    for (const pages of byTarget.values()) {
      for (const page of pages.values()) if (page !== own) page.delete(eventKey)
    }
  }

  return {
    /**
     * Replaces the last reading of a page.
     * @param records where one of an event that no page has named only removes prices, it is left out
     * @param isWhole whether the page has all offers on its events: its records stay as they are, snapshots
     * @returns the records as deltas, each with the removed prices of its event before the current ones, then a delta
     * for each event that has gone from the page, then an empty snapshot for each market of a season that has
     */
    replace(
      target: string,
      page: string,
      records: readonly FeedRecord[],
      observedAt: number,
      { isWhole = false } = {},
    ) {
      const pages = byTarget.get(target) ?? new Map<string, Page>()
      byTarget.set(target, pages)
      const before = pages.get(page) ?? new Map<string, Offer>()
      const known = new Set(
        [...byTarget.values()].flatMap((ofTarget) =>
          [...ofTarget.values()].flatMap((read) => [...read.keys()]),
        ),
      )
      const stated = records.filter(
        (record) => record.type !== 'odds' || known.has(keyOfEvent(record)) || offersAny(record),
      )
      const after = offersOf(stated)
      pages.set(page, after)
      const gone = removals(before, observedAt)
      const now = stated.map((record): FeedRecord => {
        if (record.type !== 'odds') return record
        const key = keyOfEvent(record)
        const withdrawn = gone.get(key)?.markets ?? []
        gone.delete(key)
        if (isWhole) {
          forgetElsewhere(key, after)
          return record
        }
        if (!known.has(key)) {
          known.add(key)
          return { ...record, mode: 'snapshot' }
        }
        return { ...record, mode: 'delta', markets: [...withdrawn, ...record.markets] }
      })
      const futures = records.filter((record) => record.type === 'futures')
      const goneFutures = seasons.replace(seasonsPage(target, page), futures, observedAt)
      return [...now, ...gone.values(), ...goneFutures]
    },

    /** Ends a reading of a target: withdraws the prices of pages that are no longer read. */
    finish(target: string, current: ReadonlySet<string>, observedAt: number): FeedRecord[] {
      const pages = byTarget.get(target)
      const left = [...(pages ?? [])].filter(([page]) => !current.has(page))
      for (const [page] of left) pages?.delete(page)
      return left.flatMap(([address, page]) => [
        ...removals(page, observedAt).values(),
        ...seasons.replace(seasonsPage(target, address), [], observedAt),
      ])
    },
  }
}

/** Thrown for a payload of another shape than its parser reads. */
export class MalformedPayloadError extends Error {
  override readonly name = 'MalformedPayloadError'
}

/** One request to a source. */
export interface PageRequest {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface PageSource<Target> {
  readonly keyOf: (target: Target) => string
  /** Returns the current pages of a target; it may request a list of them from the source. */
  readonly pages: (target: Target, get: GetJson) => Promise<readonly PageRequest[]>
  readonly parse: (payload: unknown, observedAt: number) => Parsed
}

/**
 * Creates the reader of a polled feed (`polling-feed.ts`) whose targets consist of pages. A missing or unreadable
 * page keeps its last reading while the others are read; the target then counts as failed. Prices of pages that are
 * no longer read are withdrawn too. Any other failure is the source's, and ends the reading at once.
 */
export function createPageReader<Target>(options: PageSource<Target>): TargetReader<Target> {
  const withdrawals = createWithdrawals()
  return async function* read(target, get) {
    const key = options.keyOf(target)
    const failures: unknown[] = []
    let lastReceivedAt: number | null = null
    const ask: GetJson = async (url, request) => {
      const answer = await get(url, request)
      lastReceivedAt = answer.receivedAt
      return answer
    }
    const pages = await options.pages(target, ask)
    for (const { url, ...request } of pages) {
      try {
        const { body, receivedAt } = await ask(url, request)
        const { records, skipped } = options.parse(body, receivedAt)
        const malformed = skipped.find(({ reason }) => reason === 'malformed_payload')
        if (malformed) throw new MalformedPayloadError(malformed.detail)
        yield { records: withdrawals.replace(key, url, records, receivedAt), skipped }
      } catch (error) {
        if (!isOfOnePage(error)) throw error
        failures.push(error)
      }
    }
    // A page that is always missing must not keep alive the prices of pages that are no longer read.
    const current = new Set(pages.map(({ url }) => url))
    const records = lastReceivedAt === null ? [] : withdrawals.finish(key, current, lastReceivedAt)
    if (records.length > 0) yield { records, skipped: [] }
    if (failures.length > 0) throw failures[0]
  }
}

const isOfOnePage = (error: unknown) =>
  error instanceof MalformedPayloadError ||
  (error instanceof FetchError && error.reason === 'http_404')

function offersOf(records: readonly FeedRecord[]): Page {
  const offers: Page = new Map()
  for (const record of records) {
    if (record.type !== 'odds') continue
    const { sportsbook, event, observedAt } = record
    const key = keyOfEvent(record)
    const markets = [...(offers.get(key)?.markets ?? []), ...record.markets]
    const keys = new Set(
      markets.flatMap((market) => market.selections.map((selection) => keyOf(market, selection))),
    )
    offers.set(key, { sportsbook, event, observedAt, markets, keys })
  }
  return offers
}

const keyOf = (market: FeedMarket, selection: FeedSelection) =>
  outcomeKey({ ...market, ...selection, line: selection.line ?? market.line })

function keyOfEvent({ sportsbook, event }: OddsRecord): string {
  const { externalId, homeTeam, awayTeam, startsAt } = event
  return JSON.stringify([sportsbook, externalId ?? [homeTeam, awayTeam, startsAt]])
}

/** Returns whether a record is a snapshot, or has an outcome that is not removed. */
const offersAny = ({ mode, markets }: OddsRecord) =>
  mode === 'snapshot' || markets.some(({ selections }) => selections.some((of) => !of.removed))

const removed = (selection: FeedSelection): FeedSelection => ({
  ...selection,
  price: null,
  removed: true,
  suspended: false,
})
