/** Calls to a source: for one response of a known shape, or for a list that comes page by page. */

import type { z } from 'zod'
import type { Parsed, Skip } from '../feed.ts'
import { FetchError, type GetJson, type RequestOptions } from './http-source.ts'
import { issueOf } from './payload-issue.ts'

/** @throws FetchError `malformed` for a response of another shape */
export type Ask = <Body>(
  url: string,
  schema: z.ZodType<Body>,
  options?: RequestOptions,
) => Promise<Body>

/**
 * Creates calls by `get` whose responses together are one reading. A reading is dated by the first
 * response with prices: a source may let us wait for a minute between two pages.
 */
export function createAsk(get: GetJson) {
  let pricesAt: number | null = null
  let lastPricesAt: number | null = null
  let lastAt = 0
  const askTimed =
    (hasPrices: boolean): Ask =>
    async (url, schema, options) => {
      const { body, receivedAt } = await get(url, options)
      lastAt = receivedAt
      if (hasPrices) {
        pricesAt = Math.min(pricesAt ?? receivedAt, receivedAt)
        lastPricesAt = receivedAt
      }
      const read = schema.safeParse(body)
      if (read.success) return read.data
      throw new FetchError('malformed', `${new URL(url).pathname}: ${issueOf(read.error)}`)
    }
  return {
    /** Asks for prices. */
    ask: askTimed(true),
    /** Asks for data without prices, such as a list of events; its age is not that of the prices. */
    askList: askTimed(false),
    /** Returns when the first response with prices had arrived, else the last response (epoch ms). */
    receivedAt: () => pricesAt ?? lastAt,
    /** Returns when the last response with prices had arrived, else the last response (epoch ms). */
    lastReceivedAt: () => lastPricesAt ?? lastAt,
  }
}

/** The reason of a skip: a game that began between two responses of one reading. */
export const begunMeanwhile = 'begun_meanwhile'

/**
 * Leaves out the games that began between the first and the last response of a reading. Their
 * prices may be in-play prices with a time before the start, and would become the closing line. The
 * next reading has them.
 * @param firstAt the time of the records (epoch ms); @param lastAt when the last response arrived (epoch ms)
 */
export function withoutBegun(parsed: Parsed, firstAt: number, lastAt: number): Parsed {
  const { records, skipped } = parsed
  const left: Skip[] = []
  const kept = records.filter((record) => {
    if (record.type !== 'odds') return true
    const { startsAt, isLive, externalId } = record.event
    if (isLive || startsAt <= firstAt || startsAt > lastAt) return true
    left.push({
      reason: begunMeanwhile,
      detail: `${record.sportsbook} ${externalId}`,
      ...(externalId !== null && { hides: { externalId } }),
    })
    return false
  })
  return { ...parsed, records: kept, skipped: [...skipped, ...left] }
}

/** The most pages of a list; a longer one is taken for endless. */
const mostPages = 50

/**
 * Returns all pages of a list, in order.
 * @param ask requests the page from a position; from null, the first
 * @param nextOf returns where the page after the last of these begins; null at the end
 * @throws FetchError `malformed` for a list that does not end
 */
export async function readPages<Page, From>(
  what: string,
  ask: (from: From | null) => Promise<Page>,
  nextOf: (last: Page, pages: readonly Page[]) => From | null,
): Promise<Page[]> {
  const pages: Page[] = []
  for (let from: From | null = null; pages.length < mostPages; ) {
    const page = await ask(from)
    pages.push(page)
    from = nextOf(page, pages)
    if (from === null) return pages
  }
  throw new FetchError('malformed', `${what}: more than ${mostPages} pages`)
}

/** How many items a page repeats of the page before. */
const overlap = 10
/** How often a list is read that changes while it is read. */
const mostReadings = 3

/** One page of a list that is read by position. */
interface Positions<Item> {
  readonly items: readonly Item[]
  /** Absent if the source does not state it: then a page that is not full is the last. */
  readonly total?: number
}

/**
 * Returns all items of a list that is read by position, each once, as it was last read. If an item
 * leaves the list between two calls, the later items move up, and the first of the next page would
 * be missed. So each page repeats the end of the page before. If two pages share an item, nothing
 * between them was missed; if not, the list is read again.
 * @param ask requests the page that begins at a position
 * @throws FetchError `malformed` for a list that does not end; `changing` for one that changes too fast to be read
 */
export async function readByPosition<Item>(
  what: string,
  pageSize: number,
  ask: (offset: number) => Promise<Positions<Item>>,
): Promise<Item[]> {
  for (let reading = 0; reading < mostReadings; reading++) {
    const items = await readPositions(what, pageSize, ask)
    if (items !== null) return items
  }
  throw new FetchError('changing', `${what}: pages do not meet`)
}

/** Returns null if two pages share no item. */
async function readPositions<Item>(
  what: string,
  pageSize: number,
  ask: (offset: number) => Promise<Positions<Item>>,
): Promise<Item[] | null> {
  const byId = new Map<unknown, Item>()
  let offset = 0
  let repeated = 0
  for (let page = 0; page < mostPages; page++) {
    const { items, total } = await ask(offset)
    const known = items.filter((item) => byId.has(idOf(item))).length
    if (repeated > 0 && known === 0) return null
    for (const item of items) byId.set(idOf(item), item)
    const isFull = items.length >= pageSize
    const end = offset + items.length
    const isLast = total === undefined ? !isFull : end >= total
    // The stated total may exceed the list: then the last page has nothing new, and is not full.
    if (isLast || (!isFull && known === items.length)) return [...byId.values()]
    repeated = Math.min(overlap, Math.floor(items.length / 2))
    offset = end - repeated
  }
  throw new FetchError('malformed', `${what}: more than ${mostPages} pages`)
}

/** An item without an id is identified by its JSON. */
const idOf = (item: unknown): unknown =>
  (Object(item) as { id?: unknown }).id ?? JSON.stringify(item)

/** Splits items into groups that one request can name. */
export const inGroups = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  )
