/**
 * Polls Caesars: the schedule of a competition lists its events, and each tab of each event is one
 * request. A tab is a part of what is offered on the event, so what is published are deltas, and a
 * price that a tab no longer names is withdrawn by name (`withdrawals.ts`).
 */

import { z } from 'zod'
import type { Feed } from '../feed.ts'
import type { GetJson, HttpSourceOptions } from '../http-source.ts'
import { createPollingFeed } from '../polling-feed.ts'
import { createPageReader, MalformedPayloadError } from '../withdrawals.ts'
import { parseCaesars } from './parse.ts'

export interface CaesarsCompetition {
  /** The source's own word: `football` is soccer. */
  readonly sportId: string
  readonly competitionId: string
}

export interface CaesarsSettings {
  /** Default `https://api.americanwagering.com`. */
  readonly baseUrl?: string
  /** US state whose prices are asked for, two letters. */
  readonly state: string
  readonly competitions: readonly CaesarsCompetition[]
  /** Tabs to ask for of each event, by the source's own names. Default `['Popular']`. */
  readonly tabs?: readonly string[]
  readonly intervalMs: number
  readonly downAfterRounds?: number
  readonly http?: HttpSourceOptions
  readonly onFailure?: (competition: CaesarsCompetition, error: unknown) => void
}

export function createCaesarsFeed(settings: CaesarsSettings): Feed {
  const {
    baseUrl = 'https://api.americanwagering.com',
    state,
    competitions,
    tabs = ['Popular'],
    ...polling
  } = settings
  const site = `${baseUrl}/regions/us/locations/${state.toLowerCase()}/brands/czr/sb`

  async function eventIds(competition: CaesarsCompetition, get: GetJson): Promise<string[]> {
    const { sportId, competitionId } = competition
    const query = new URLSearchParams({ competitionIds: competitionId })
    const { body } = await get(`${site}/v3/sports/${sportId}/events/schedule?${query}`)
    const listed = scheduleSchema.safeParse(body)
    if (!listed.success) throw new MalformedPayloadError(`schedule of ${competitionId}`)
    return listed.data.competitions.flatMap(({ events }) => events.map(({ id }) => id))
  }

  return createPollingFeed({
    ...polling,
    name: 'caesars',
    sportsbooks: ['caesars'],
    targets: competitions,
    namesWithdrawals: true,
    openReader: () =>
      createPageReader<CaesarsCompetition>({
        keyOf: ({ competitionId }) => competitionId,
        parse: parseCaesars,
        async pages(competition, get) {
          const ids = await eventIds(competition, get)
          return ids.flatMap((id) =>
            tabs.map((tab) => ({ url: `${site}/v4/events/${id}/tabs/${encodeURIComponent(tab)}` })),
          )
        },
      }),
  })
}

const scheduleSchema = z.object({
  competitions: z.array(z.object({ events: z.array(z.object({ id: z.string() })) })),
})
