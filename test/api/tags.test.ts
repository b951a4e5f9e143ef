/** Tags of responses whose bytes are not those of the views alone: boards of the past, and lists with the rate limit. */

import { Readable } from 'node:stream'
import { afterEach, expect, it } from 'vitest'
import { createArchiveAccess } from '../../api/archive-access.ts'
import { type InProcess, keys, startInProcess } from './service-in-process.ts'

let service: InProcess
afterEach(() => service.close())

const ask = async (path: string, headers: Record<string, string> = {}) => {
  const usual = { 'X-API-Key': keys.sharp, 'Accept-Encoding': 'identity' }
  const reply = await service.request(path, { headers: { ...usual, ...headers } })
  const { status, text } = reply
  const [tag, cache] = ['etag', 'cache-control'].map((name) => reply.headers.get(name))
  return { status, text, tag: tag ?? '', cache }
}

/** An archive of one game with one price, complete up to a time in its own format. */
function archiveOf(until: () => string | Promise<string>) {
  const event = {
    ...{ event_id: 'e', sport: 'basketball', league: 'nba', league_mapped: true },
    ...{ home_team: 'New York Knicks', away_team: 'Brooklyn Nets' },
    ...{ listed_home: null, listed_away: null, flipped: false, status: 'upcoming', is_live: false },
    ...{ starts_at: '2026-11-21 00:30:00.000', updated_at: '2026-11-20 10:00:00.000' },
  }
  const price = {
    ...{ id: '100000000000001', event_id: 'e', league: 'nba', sportsbook: 'draftkings' },
    ...{ market_type: 'moneyline', selection: 'home', selection_type: 'home', line: null },
    ...{ player_name: null, stat_category: null, price: 1.9, is_live: false, is_active: true },
    ...{ is_stale_pregame: false, changed_at: null, observed_at: '2026-11-20 10:59:00.000' },
  }
  return createArchiveAccess({
    query: async <Row>(statement: string) =>
      (statement.startsWith('SELECT max(at)') ? [{ at: await until() }] : [event]) as Row[],
    export: async () => Readable.from([`${JSON.stringify(price)}\n`]),
    close: async () => {},
  })
}

const past = 'as_of=2026-11-20T11:00:00Z'
const pastPaths = [
  `/odds?league=nba&${past}`,
  `/odds?league=nba&sort=-odds_american&${past}`,
  `/odds/best?league=nba&${past}`,
  `/odds/comparison?event=e&${past}`,
]

it('boards of the past are tagged by their bytes, and revalidated', async () => {
  let until = '2026-11-20 11:30:00.000'
  service = await startInProcess({ archive: archiveOf(() => until) })
  for (const path of pastPaths) {
    const first = await ask(path)
    expect([path, first.status, first.cache]).toEqual([
      path,
      200,
      'private, max-age=0, must-revalidate',
    ])
    expect(first.tag).toMatch(/^"sharp-[\w-]+"$/)
    for (const known of [first.tag, `"other", W/${first.tag}`, '*']) {
      const again = await ask(path, { 'If-None-Match': known })
      expect([path, again.status, again.text, again.tag]).toEqual([path, 304, '', first.tag])
    }
    expect((await ask(path, { 'If-None-Match': '"other"' })).text).toBe(first.text)
  }
  // The rows are the same, and the archive has gone on: other bytes.
  const before = await Promise.all(pastPaths.map((path) => ask(path)))
  until = '2026-11-20 11:31:00.000'
  service.advance(60_000)
  for (const [at, path] of pastPaths.entries()) {
    const after = await ask(path, { 'If-None-Match': before[at]!.tag })
    expect([path, after.status]).toEqual([path, 200])
    expect(after.tag).not.toBe(before[at]!.tag)
  }
})

it('requests that wait for one board of the past get each its own bytes', async () => {
  let release = (_: string) => {}
  const held = new Promise<string>((resolve) => {
    release = resolve
  })
  service = await startInProcess({ archive: archiveOf(() => held) })
  const shapes = ['&fields=id', '&fields=odds_decimal', '&fields=sportsbook', '']
  const paths = shapes.map((shape) => `/odds?league=nba&${past}${shape}`)
  const asked = paths.map((path) => ask(path))
  // By the time that later requests have their answers, these wait for the archive.
  for (let later = 0; later < 10; later++) await ask('/odds')
  release('2026-11-20 11:30:00.000')
  const together = await Promise.all(asked)
  for (const [at, path] of paths.entries()) expect(together[at]).toEqual(await ask(path))
})

it('a body with the rate limit has a weak tag, by which it is revalidated', async () => {
  service = await startInProcess()
  for (const headers of [{}, { 'Accept-Encoding': 'gzip' }]) {
    const [one, other] = [await ask('/markets', headers), await ask('/markets', headers)]
    expect(one.text).not.toBe(other.text)
    expect(one.tag).toBe(other.tag)
    expect(one.tag).toMatch(/^W\/"sharp-[\w-]+"$/)
    const again = await ask('/markets', { ...headers, 'If-None-Match': one.tag })
    expect([again.status, again.tag]).toEqual([304, one.tag])
  }
})
