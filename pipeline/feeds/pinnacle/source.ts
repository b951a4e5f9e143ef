/**
 * Pinnacle's guest API as a feed: two calls per league and round. The responses have no time, so
 * prices get the time of their arrival. A cache on the way may return a response that is older than
 * the one before; the versions of its markets show that.
 */

import { FetchError } from '../kit/http-source.ts'
import { definePolledSource, ids, secret } from '../kit/source.ts'
import { parseLeague, versionsOf } from './parse.ts'

export const pinnacle = definePolledSource({
  name: 'pinnacle',
  isOfficial: false,
  settings: {
    apiKey: secret.describe('The guest key that the public site sends.'),
    leagues: ids.describe('Ids of leagues: 889 is the NFL.'),
  },
  baseUrl: 'https://guest.api.arcadia.pinnacle.com',
  intervalMs: 8_000,
  headers: ({ apiKey }) => ({ accept: 'application/json', 'x-api-key': apiKey }),
  targets: ({ leagues }) => leagues,
  read: ({ baseUrl, leagues }) => ({
    openReader() {
      const order = new Map(leagues.map((league) => [league, createAnswerOrder()]))
      return async function* read(league, get) {
        const matchups = await get(`${baseUrl}/0.1/leagues/${league}/matchups`)
        const markets = await get(`${baseUrl}/0.1/leagues/${league}/markets/straight`)
        if (order.get(league)?.isLate(versionsOf(markets.body))) {
          throw new FetchError('late_answer', `league ${league}`)
        }
        yield parseLeague(matchups.body, markets.body, markets.receivedAt)
      }
    },
  }),
})

/**
 * Detects outdated responses: a version in them is lower than before. After three in a row they are
 * accepted, because then the source has restarted its count.
 */
export function createAnswerOrder() {
  let versions: ReadonlyMap<string, number> = new Map()
  let lateCount = 0
  return {
    isLate(next: ReadonlyMap<string, number>): boolean {
      const late = [...next].some(([key, version]) => version < (versions.get(key) ?? version))
      lateCount = late ? lateCount + 1 : 0
      if (late && lateCount <= 3) return true
      lateCount = 0
      versions = next
      return false
    },
  }
}
