/**
 * Kambi's offering as a feed of one operator. Each round lists the events of every path and requests their boards one
 * by one, because only a board has all offers. Games in play are a separate call, for their state
 * and main price between two boards.
 *
 * A board is a snapshot of its event. The list of games in play has only each game's main offer,
 * even for games that are on no path. An offer that it does not name any more is withdrawn, unless
 * an earlier board still has it. A list with an event that cannot be read withdraws nothing by what
 * it lacks.
 */

import { z } from 'zod'
import { FetchError, type GetJson, reasonOf } from '../kit/http-source.ts'
import type { TargetReader } from '../kit/polling-feed.ts'
import { definePolledSource, names, SettingsError } from '../kit/source.ts'
import { endsRound } from '../kit/source-health.ts'
import { createWithdrawals, type Pages, pageOf, readPagesOf } from '../kit/withdrawals.ts'
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

    /** Opens a reader whose pages are boards, by the ids of their events, and the list of games in play. */
    function openReader(): TargetReader<string> {
      const withdrawals = createWithdrawals()

      const readPage = async (get: GetJson, path: string) => {
        const { body, receivedAt } = await get(urlOf(path))
        return pageOf(parseKambi(body, { sportsbook, receivedAt }), receivedAt)
      }

      const liveGames = (get: GetJson): Pages => ({
        list: async () => ({ addresses: [livePath], receivedAt: null, skipped: [] }),
        read: () => readPage(get, 'event/live/open'),
        isOfOnePage: () => true,
      })

      const boards = (path: string, get: GetJson): Pages => ({
        async list() {
          const { body, receivedAt } = await get(urlOf(`listView/${path}/all/all/matches`))
          const listed = eventIdsOf(body)
          // As an empty list it would withdraw all events of the path.
          if (!listed) throw new FetchError('unexpected_answer', path)
          return { addresses: listed.ids.map(String), receivedAt, skipped: listed.skipped }
        },
        // A board has all offers on an event.
        read: async (id) => ({ ...(await readPage(get, `betoffer/event/${id}`)), isWhole: true }),
        // The others are still read; the offers of this event are unknown until next round.
        isOfOnePage: (error) => !endsRound(reasonOf(error)),
      })

      return (path, get) =>
        readPagesOf(withdrawals, path, path === livePath ? liveGames(get) : boards(path, get))
    }

    return { openReader, namesWithdrawals: true }
  },
})

/** @throws SettingsError for an unlisted operator without a named sportsbook */
function sportsbookOf({ operator, sportsbook }: { operator: string; sportsbook?: string }) {
  const known = sportsbook ?? sportsbookByOperator[operator]
  if (known !== undefined) return known
  throw new SettingsError(`operator: ${operator} is not known; name its sportsbook too`)
}
