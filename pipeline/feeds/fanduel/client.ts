/**
 * Polls FanDuel: the page of a league lists its events, and each tab of each event is one request.
 * A tab is a part of what is offered on the event, so what is published are deltas, and a price
 * that a tab no longer names is withdrawn by name (`withdrawals.ts`).
 */

import { z } from 'zod'
import type { Feed } from '../feed.ts'
import type { GetJson, HttpSourceOptions } from '../http-source.ts'
import { createPollingFeed } from '../polling-feed.ts'
import { createPageReader, MalformedPayloadError } from '../withdrawals.ts'
import { parseFanDuel } from './parse.ts'

/** A page of the source's own making, such as `nfl`. */
export type FanDuelPage = string

export interface FanDuelSettings {
  /** Default is the host of `state`. */
  readonly baseUrl?: string
  /** US state whose prices are asked for, two letters. */
  readonly state: string
  /** The public key of the source's own web page, sent with every request. */
  readonly applicationKey: string
  readonly pages: readonly FanDuelPage[]
  /** Tabs to ask for of each event. Default `['popular']`. */
  readonly tabs?: readonly string[]
  readonly intervalMs: number
  readonly downAfterRounds?: number
  readonly http?: HttpSourceOptions
  readonly onFailure?: (page: FanDuelPage, error: unknown) => void
}

export function createFanDuelFeed(settings: FanDuelSettings): Feed {
  const { state, applicationKey, pages, tabs = ['popular'], ...polling } = settings
  const host = `https://sbapi.${state.toLowerCase()}.sportsbook.fanduel.com`
  const { baseUrl = host, ...options } = polling
  const address = (path: string, query: Readonly<Record<string, string>>) =>
    `${baseUrl}/api/${path}?${new URLSearchParams({ ...query, _ak: applicationKey })}`

  async function eventIds(page: FanDuelPage, get: GetJson): Promise<string[]> {
    const query = { page: 'CUSTOM', customPageId: page }
    const { body } = await get(address('content-managed-page', query))
    const listed = listSchema.safeParse(body)
    if (!listed.success) throw new MalformedPayloadError(`list of ${page}`)
    return Object.keys(listed.data.attachments.events)
  }

  return createPollingFeed({
    ...options,
    name: 'fanduel',
    sportsbooks: ['fanduel'],
    targets: pages,
    namesWithdrawals: true,
    openReader: () =>
      createPageReader<FanDuelPage>({
        keyOf: (page) => page,
        parse: parseFanDuel,
        async pages(page, get) {
          const ids = await eventIds(page, get)
          return ids.flatMap((eventId) =>
            tabs.map((tab) => ({ url: address('event-page', { eventId, tab }) })),
          )
        },
      }),
  })
}

const listSchema = z.object({
  attachments: z.object({ events: z.record(z.string(), z.unknown()) }),
})
