import { expect, it } from 'vitest'
import {
  addressOf,
  gamesIn,
  type PastRow,
  pastIn,
  readPast,
} from '../../api/web/client/data/past.ts'
import { RefusedError } from '../../api/web/client/data/refused.ts'
import type { Page } from '../../api/web/wire.ts'

const then = Date.parse('2026-11-27T18:05:00Z')
const goesOn = new AbortController().signal

const row = (id: string, eventId: string, isLive = false): PastRow => ({
  id,
  event_id: eventId,
  sport: 'basketball',
  league: 'nba',
  home_team: 'New York Knicks',
  away_team: 'Brooklyn Nets',
  event_start_time: '2026-11-27T19:00:00Z',
  is_live: isLive,
})

it('the past is read page by page, all of the same time', async () => {
  const asked: string[] = []
  const pages = [[row('a', 'game-1')], [row('b', 'game-1'), row('c', 'game-2')]]
  const get = async (path: string): Promise<Page<PastRow>> => {
    asked.push(path)
    const isLast = asked.length === pages.length
    const pagination = { has_more: !isLast, next_cursor: isLast ? null : 'the next' }
    return { data: pages[asked.length - 1]!, pagination, meta: {} }
  }
  const rows = await readPast(get, 'league=nba', then, goesOn)
  expect(rows.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  const first = '/odds?league=nba&as_of=2026-11-27T18%3A05%3A00.000Z&limit=200'
  expect(asked).toEqual([first, `${first}&cursor=the%20next`])
})

it('a slow archive is queried again, one that is off is not', async () => {
  const refused = (reason?: string) =>
    new RefusedError(503, { error: { code: 'not_ready', message: 'Not now.', reason } }, 0)
  let asked = 0
  const slow = async (): Promise<Page<PastRow>> => {
    asked += 1
    if (asked < 3) throw refused()
    return { data: [row('a', 'game-1')], pagination: { has_more: false }, meta: {} }
  }
  expect(await readPast(slow, 'league=nba', then, goesOn)).toHaveLength(1)
  expect(asked).toBe(3)
  const off = () => Promise.reject(refused('off'))
  await expect(readPast(off, 'league=nba', then, goesOn)).rejects.toThrow('Not now.')
})

it.each([403, 404, 414])(
  'a page of a proxy with status %i is not asked for again',
  async (status) => {
    const refused = () => Promise.reject(new RefusedError(status, null, 0))
    await expect(readPast(refused, 'league=nba', then, goesOn)).rejects.toMatchObject({ status })
  },
)

it('a busy proxy is asked again', async () => {
  const answers = [429, 408, 502].map((status) => new RefusedError(status, null, 0))
  const busy = async (): Promise<Page<PastRow>> => {
    const refused = answers.shift()
    if (refused) throw refused
    return { data: [row('a', 'game-1')], pagination: { has_more: false }, meta: {} }
  }
  expect(await readPast(busy, 'league=nba', then, goesOn)).toHaveLength(1)
})

it('the games of the past are those of its prices, as of then', () => {
  const games = gamesIn(
    [row('a', 'game-1'), row('b', 'game-1'), row('c', 'game-2', true)],
    Date.parse('2026-11-27T19:00:00Z'),
  )
  expect([...games.keys()]).toEqual(['game-1', 'game-2'])
  expect(games.get('game-1')).toMatchObject({
    home_team: 'New York Knicks',
    start_time: '2026-11-27T19:00:00Z',
    is_live: false,
  })
  expect(games.get('game-2')).toMatchObject({ is_live: true, status: 'live' })
})

it('a game of the past is in play from its start on, if most of its sportsbooks say so', () => {
  const rows = [
    { ...row('a', 'game-1'), sportsbook: 'pinnacle' },
    { ...row('b', 'game-1', true), sportsbook: 'betmgm' },
    { ...row('c', 'game-1', true), sportsbook: 'fanduel' },
  ]
  const start = Date.parse(rows[0]!.event_start_time)
  const isLiveAt = (at: number, of = rows) => gamesIn(of, at).get('game-1')!.is_live
  expect(isLiveAt(then)).toBe(false)
  expect(isLiveAt(start)).toBe(true)
  expect(isLiveAt(start, rows.slice(0, 2))).toBe(false)
})

it('an address requests the past with a time that is over', () => {
  const now = then
  const of = (at: string) => pastIn(new URLSearchParams({ at }), now)
  expect(of(addressOf(now - 60_000))).toBe(now - 60_000)
  expect(of('2026-11-27T18:06:00Z')).toBeNull()
  expect(of('yesterday')).toBeNull()
  expect(pastIn(new URLSearchParams(), now)).toBeNull()
})
