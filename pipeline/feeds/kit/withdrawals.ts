/**
 * Withdrawals of the sources that are read page by page (a subcategory, a tab, a coupon). No page has all offers of a
 * sportsbook on an event, so a snapshot would withdraw those on other pages, and a plain delta would never withdraw
 * anything. Each page is therefore compared with its last reading, and a price that it no longer names is removed,
 * unless another page names it.
 *
 * Its memory lasts for one run of the feed. A price that vanished before the run, or while the log
 * took no writes, would stay on the board as long as its event. So the first record of an event is
 * a snapshot: it clears the prices of an earlier run, and the event's other pages follow.
 *
 * A source may also have one page with all offers on an event, and others with some of them.
 * Records of the complete page stay snapshots, and replace what the other pages said about the
 * event.
 *
 * A record renews all prices of its event, even those of a page that cannot be read. So each page
 * has its own age. Its prices of an event are removed when another page names the event after they
 * have become too old to use. All of its prices are removed when it is missing twice in a row.
 *
 * A page, or a list of pages, with a part that cannot be read may contain an event that it seems to
 * lack. That event stays until it is too old.
 */

import type {
  FeedEvent,
  FeedMarket,
  FeedRecord,
  FeedSelection,
  OddsRecord,
} from '../../../schemas/feed-record.ts'
import { expiryMs, passedOnAfterMs, usableMs } from '../../rules/odds/freshness.ts'
import type { Parsed, Skip } from '../feed.ts'
import { type Ask, createAsk } from './ask.ts'
import { FetchError, reasonOf } from './http-source.ts'
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
  /** How often in a row pages were missing, by target and page. */
  const missed = new Map<string, number>()

  /** Returns the newest reading of an event: another page may know that play has begun. */
  function lastReadOf(eventKey: string, before: Offer): Offer {
    let last = before
    for (const pages of byTarget.values()) {
      for (const page of pages.values()) {
        const offer = page.get(eventKey)
        if (offer && offer.observedAt > last.observedAt) last = offer
      }
    }
    return last
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
        event: lastReadOf(eventKey, offer).event,
        markets: gone,
      })
    }
    return records
  }

  /** Forgets an event's offers on other pages, because a snapshot has replaced them. */
  function forgetElsewhere(eventKey: string, own: Page) {
    for (const pages of byTarget.values()) {
      for (const page of pages.values()) if (page !== own) page.delete(eventKey)
    }
  }

  /** Forgets pages. Returns the records that remove the prices that no other page names. */
  function drop(target: string, addresses: readonly string[], observedAt: number): FeedRecord[] {
    const pages = byTarget.get(target)
    const left = addresses.map((address) => [address, pages?.get(address)] as const)
    for (const address of addresses) {
      pages?.delete(address)
      missed.delete(seasonsPage(target, address))
    }
    return left.flatMap(([address, page]) => [
      ...removals(page ?? new Map(), observedAt).values(),
      ...seasons.replace(seasonsPage(target, address), [], observedAt),
    ])
  }

  /** Forgets a page's offers on events that other pages named later than its prices are usable. */
  function dropOutdated(page: Page): FeedRecord[] {
    return [...page].flatMap(([eventKey, offer]) => {
      const { observedAt, event } = lastReadOf(eventKey, offer)
      if (observedAt - offer.observedAt <= usableMs(event.isLive)) return []
      page.delete(eventKey)
      return [...removals(new Map([[eventKey, offer]]), observedAt).values()]
    })
  }

  return {
    /**
     * Replaces the last reading of a page.
     * @param records those that only remove prices of an event that no page has named are left out
     * @param isWhole whether the page has all offers on its events: its records stay as they are, snapshots
     * @param mayLack whether an event may be in a part of the page that could not be read: the
     * prices of events that it does not name stay while they are usable
     * @returns the records as deltas, each with the removed prices of its event before the current
     * ones; then a delta for each event that is gone from the page; then an empty snapshot for each
     * futures market that is gone
     */
    replace(
      target: string,
      page: string,
      records: readonly FeedRecord[],
      observedAt: number,
      { isWhole = false, mayLack = false } = {},
    ) {
      const pages = byTarget.get(target) ?? new Map<string, Page>()
      byTarget.set(target, pages)
      const before = pages.get(page) ?? new Map<string, Offer>()
      // After a longer silence another source may have published prices, which a delta would not
      // clear.
      const isStated = ({ observedAt: at }: Offer) => observedAt - at <= passedOnAfterMs
      const known = new Set(
        [...byTarget.values()].flatMap((ofTarget) =>
          [...ofTarget.values()].flatMap((read) =>
            [...read].flatMap(([key, offer]) => (isStated(offer) ? [key] : [])),
          ),
        ),
      )
      const stated = records.filter(
        (record) => record.type !== 'odds' || known.has(keyOfEvent(record)) || offersAny(record),
      )
      const after = offersOf(stated)
      if (mayLack) {
        for (const [key, offer] of before) {
          const isUsable = observedAt - offer.observedAt <= usableMs(offer.event.isLive)
          if (isUsable && !after.has(key)) after.set(key, offer)
        }
      }
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
      const goneFutures = seasons.replace(
        seasonsPage(target, page),
        futures,
        observedAt,
        () => mayLack,
      )
      return [...now, ...gone.values(), ...goneFutures]
    },

    /**
     * Ends a reading of a target: withdraws the prices of pages that are no longer read.
     * @param mayLack whether the list of pages has a part that could not be read: pages stay until
     * the board has no prices of them
     */
    finish(
      target: string,
      current: ReadonlySet<string>,
      observedAt: number,
      { mayLack = false } = {},
    ): FeedRecord[] {
      const hasExpired = (page: Page) =>
        [...page.values()].every((offer) => observedAt - offer.observedAt > expiryMs(false))
      const left = [...(byTarget.get(target) ?? [])]
        .filter(([address, page]) => !current.has(address) && (!mayLack || hasExpired(page)))
        .map(([address]) => address)
      return drop(target, left, observedAt)
    },

    /**
     * Ends a reading of a target that may have failed.
     * @param read the pages that were read
     * @param missing the pages that the source did not know
     * @param observedAt when the last response came
     * @returns records that remove the prices of unread pages that must not be renewed
     */
    settle(
      target: string,
      {
        read,
        missing,
      }: { readonly read: ReadonlySet<string>; readonly missing: ReadonlySet<string> },
      observedAt: number,
    ): FeedRecord[] {
      for (const page of read) missed.delete(seasonsPage(target, page))
      const gone: string[] = []
      for (const page of missing) {
        const key = seasonsPage(target, page)
        const times = (missed.get(key) ?? 0) + 1
        missed.set(key, times)
        // If nothing is read, the source has failed, and its prices age.
        if (times > 1 && read.size > 0) gone.push(page)
      }
      const unread = [...(byTarget.get(target) ?? [])].filter(
        ([page]) => !read.has(page) && !gone.includes(page),
      )
      return [
        ...drop(target, gone, observedAt),
        ...unread.flatMap(([, page]) => dropOutdated(page)),
      ]
    },
  }
}

/** A page as it was read. */
export interface ReadPage extends Parsed {
  readonly receivedAt: number
  /** Whether it has all offers on its events. */
  readonly isWhole?: boolean
  /** Whether nothing in it is readable, so that it does not show what is offered. */
  readonly isUnread?: boolean
  /** Whether an event may be in a part of it that could not be read. */
  readonly mayLack?: boolean
}

/** Returns a page as it was read; an item that is malformed may be any event. */
export function pageOf(parsed: Parsed, receivedAt: number): ReadPage {
  const mayLack = parsed.skipped.some(({ reason }) => reason === 'malformed')
  return { ...parsed, receivedAt, mayLack, isUnread: mayLack && parsed.records.length === 0 }
}

/** The pages of a target, by their addresses. */
export interface Pages {
  /**
   * Returns the current pages, when the source named them (null if it was not asked), and the parts
   * of its list that could not be read and may name others.
   */
  readonly list: () => Promise<{
    readonly addresses: readonly string[]
    readonly receivedAt: number | null
    readonly skipped: readonly Skip[]
  }>
  readonly read: (address: string) => Promise<ReadPage>
  /** Returns whether a failure is of one page, so that the others are still read. */
  readonly isOfOnePage: (error: unknown) => boolean
}

/**
 * Reads the pages of a target, and removes the prices that none of them names any more.
 * @throws the first failure, after all that could be read
 */
export async function* readPagesOf(
  withdrawals: ReturnType<typeof createWithdrawals>,
  target: string,
  pages: Pages,
): AsyncGenerator<Parsed> {
  const read = new Set<string>()
  const missing = new Set<string>()
  const failures: unknown[] = []
  let lastReceivedAt: number | null = null
  try {
    const { addresses, receivedAt: listedAt, skipped: unlisted } = await pages.list()
    lastReceivedAt = listedAt
    if (unlisted.length > 0) yield { records: [], skipped: unlisted }
    for (const address of addresses) {
      try {
        const page = await pages.read(address)
        const { records, skipped, receivedAt, isUnread = false } = page
        const { isWhole = false, mayLack = false } = page
        lastReceivedAt = receivedAt
        if (isUnread) yield { records, skipped }
        else {
          read.add(address)
          const of = { isWhole, mayLack }
          yield {
            records: withdrawals.replace(target, address, records, receivedAt, of),
            skipped,
          }
        }
      } catch (error) {
        if (!pages.isOfOnePage(error)) throw error
        failures.push(error)
        if (isMissing(error)) missing.add(address)
      }
    }
    // Also after a failure: else one missing page would keep the prices of pages that are gone.
    if (lastReceivedAt !== null) {
      const mayLack = unlisted.length > 0
      const left = withdrawals.finish(target, new Set(addresses), lastReceivedAt, { mayLack })
      if (left.length > 0) yield { records: left, skipped: [] }
    }
  } catch (error) {
    failures.unshift(error)
  }
  const unread = withdrawals.settle(target, { read, missing }, lastReceivedAt ?? 0)
  if (unread.length > 0) yield { records: unread, skipped: [] }
  if (failures.length > 0) throw failures[0]
}

export interface PageSource<Target> {
  readonly keyOf: (target: Target) => string
  /**
   * Returns the addresses of the current pages of a target.
   * @param askList asks the source for a list of them
   */
  readonly pages: (target: Target, askList: Ask) => Promise<readonly string[]>
  readonly parse: (payload: unknown, observedAt: number) => Parsed
}

/**
 * Creates the reader of a polled feed (`polling-feed.ts`) whose targets consist of pages. A missing or unreadable
 * page keeps its last reading for a while, and the others are read; the target then counts as failed. Prices of pages
 * that are no longer read are withdrawn too. Any other failure is the source's, and ends the reading at once.
 */
export function createPageReader<Target>(source: PageSource<Target>): TargetReader<Target> {
  const withdrawals = createWithdrawals()
  return function read(target, get) {
    return readPagesOf(withdrawals, source.keyOf(target), {
      async list() {
        const { askList, receivedAt } = createAsk(get)
        const addresses = await source.pages(target, askList)
        // 0 if nothing was asked.
        return { addresses, receivedAt: receivedAt() || null, skipped: [] }
      },
      async read(address) {
        const { body, receivedAt } = await get(address)
        const parsed = source.parse(body, receivedAt)
        const malformed = parsed.skipped.find(({ reason }) => reason === 'malformed_payload')
        if (malformed) throw new FetchError('malformed', malformed.detail)
        return pageOf(parsed, receivedAt)
      },
      isOfOnePage: (error) => reasonOf(error) === 'malformed' || isMissing(error),
    })
  }
}

const isMissing = (error: unknown) => reasonOf(error) === 'http_404'

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
