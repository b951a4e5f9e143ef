/**
 * Kambi's offering as a feed of one operator. Each round lists the events of every path and requests their boards one
 * by one, because only a board names all offers; games in play are a separate call, for their state and main price
 * between two boards.
 */

import { z } from 'zod'
import type { Parsed } from '../feed.ts'
import { FetchError, type GetJson } from '../kit/http-source.ts'
import { definePolledSource, names, SettingsError } from '../kit/source.ts'
import { eventIdsOf, parseKambi, sportsbookByOperator } from './parse.ts'

const livePath = 'live'

export const kambi = definePolledSource({
  name: 'kambi',
  isOfficial: false,
  settings: {
    operator: z.string().min(1).describe('Kambi’s code of the operator: `ub`, `rsiusnj`.'),
    sportsbook: z
      .string()
      .optional()
      .describe('The id of the sportsbook, for an operator whose sportsbook is not known.'),
    paths: names.describe('Paths of list views: `baseball/mlb`.'),
    live: z.boolean().optional().describe('Whether games in play are read too. Default yes.'),
    market: z.string().optional().describe('Kambi’s code of the country. Default `GB`.'),
  },
  baseUrl: 'https://eu-offering-api.kambicdn.com',
  intervalMs: 10_000,
  sportsbooks: (settings) => [sportsbookOf(settings)],
  targets: ({ paths, live = true }) => (live ? [...paths, livePath] : paths),
  read({ baseUrl, market = 'GB', ...settings }) {
    const sportsbook = sportsbookOf(settings)
    const query = new URLSearchParams({ lang: 'en_GB', market })
    const urlOf = (path: string) =>
      new URL(`/offering/v2018/${settings.operator}/${path}.json?${query}`, baseUrl)

    async function* read(path: string, get: GetJson): AsyncGenerator<Parsed> {
      if (path === livePath) {
        const { body, receivedAt } = await get(urlOf('event/live/open'))
        yield parseKambi(body, { sportsbook, receivedAt })
        return
      }
      const list = await get(urlOf(`listView/${path}/all/all/matches`))
      if (typeof list.body !== 'object' || list.body === null || !('events' in list.body)) {
        throw new FetchError('unexpected_answer', path)
      }
      const failures: unknown[] = []
      for (const id of eventIdsOf(list.body)) {
        try {
          const { body, receivedAt } = await get(urlOf(`betoffer/event/${id}`))
          yield parseKambi(body, { sportsbook, receivedAt })
        } catch (error) {
          // The others are still read; the offers of this event are unknown until next round.
          failures.push(error)
        }
      }
      if (failures.length > 0) throw failures[0]
    }
    return { openReader: () => read }
  },
})

/** @throws SettingsError for an operator that is not listed and names no sportsbook */
function sportsbookOf({ operator, sportsbook }: { operator: string; sportsbook?: string }) {
  const known = sportsbook ?? sportsbookByOperator[operator]
  if (known !== undefined) return known
  throw new SettingsError(`operator: ${operator} is not known; name its sportsbook too`)
}
