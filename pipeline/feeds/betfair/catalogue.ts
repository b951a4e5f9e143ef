/** The names of Betfair's markets: the stream only has ids; `listMarketCatalogue` has the names. */

import { createHttpSource } from '../kit/http-source.ts'
import type { StreamSink } from '../kit/stream-feed.ts'
import { type MarketNames, parseCatalogue } from './parse.ts'

export interface CatalogueAccess {
  readonly appKey: string
  /** Called at every request, because session tokens expire. */
  readonly session: () => Promise<string>
  /** The address of the catalogue. Default `https://api.betfair.com`. */
  readonly baseUrl?: string
}

const marketsPerCall = 100

export type Catalogue = ReturnType<typeof createCatalogue>

/** The names of markets, loaded in the background, some at a time. */
export function createCatalogue(options: {
  readonly load: (ids: readonly string[]) => Promise<unknown>
  readonly signal: AbortSignal
  readonly refreshMs: number
  readonly now: () => number
  readonly skipped: StreamSink['skipped']
  /** Called with the markets that were requested, whether or not they have names now. */
  readonly answered: (ids: readonly string[]) => Promise<void>
}) {
  const { load, signal, refreshMs, now, skipped, answered } = options
  const names = new Map<string, MarketNames>()
  const askedAt = new Map<string, number>()
  /** Requested markets without a response, and (`queue`) those that no call has included yet. */
  const awaited = new Set<string>()
  const queue = new Set<string>()
  let isLoading = false

  async function loadSome(ids: readonly string[]) {
    try {
      const parsed = parseCatalogue(await load(ids))
      // A market that has closed meanwhile needs no name.
      for (const entry of parsed.names)
        if (awaited.has(entry.marketId)) names.set(entry.marketId, entry)
      skipped(parsed.skipped)
    } catch (error) {
      if (signal.aborted) return
      const detail = error instanceof Error ? error.message : String(error)
      skipped([{ reason: 'fetch_catalogue', detail }])
    }
    for (const id of ids) awaited.delete(id)
    await answered(ids)
  }

  async function loadQueue() {
    isLoading = true
    while (queue.size > 0 && !signal.aborted) {
      const ids = [...queue].slice(0, marketsPerCall)
      for (const id of ids) queue.delete(id)
      await loadSome(ids)
    }
    isLoading = false
  }

  return {
    names: names as ReadonlyMap<string, MarketNames>,
    isAwaited: (id: string) => awaited.has(id),
    /**
     * Requests names, unless a response has just come without them. @param isAgain requests them in
     * any case
     */
    ask(ids: readonly string[], isAgain: boolean) {
      for (const id of ids) {
        const isDue = isAgain || now() - (askedAt.get(id) ?? Number.NEGATIVE_INFINITY) >= refreshMs
        if (!isDue || awaited.has(id)) continue
        askedAt.set(id, now())
        awaited.add(id)
        queue.add(id)
      }
      if (!isLoading) void loadQueue()
    },
    forget(ids: readonly string[]) {
      for (const id of ids) {
        names.delete(id)
        askedAt.delete(id)
        awaited.delete(id)
        queue.delete(id)
      }
    },
  }
}

/** Loads `listMarketCatalogue` over REST, with the names of each market: event, competition, runners. */
export function createCatalogueLoader(access: CatalogueAccess) {
  const { appKey, session, baseUrl = 'https://api.betfair.com' } = access
  const url = `${baseUrl}/exchange/betting/rest/v1.0/listMarketCatalogue/`
  const ownHeaders = { accept: 'application/json', 'x-application': appKey }
  // Missing names are requested again with the next refresh.
  const source = createHttpSource({ headers: ownHeaders, retries: 0 })
  return async (ids: readonly string[], signal: AbortSignal): Promise<unknown> => {
    const headers = { 'x-authentication': await session() }
    const marketProjection = ['EVENT', 'COMPETITION', 'RUNNER_DESCRIPTION']
    const body = { filter: { marketIds: ids }, marketProjection, maxResults: ids.length }
    return (await source.getJson(url, signal, { headers, body })).body
  }
}
