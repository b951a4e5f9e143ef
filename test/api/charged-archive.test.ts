/** Rows of the archive are read at the cost of the account that asks, and no longer than its client waits. */

import { connect } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { createArchiveAccess } from '../../api/archive-access.ts'
import { ClientGoneError } from '../../api/errors.ts'
import { type Archive, ArchiveError } from '../../pipeline/archive/archive.ts'
import { type InProcess, keys, startInProcess } from './service-in-process.ts'

let service: InProcess
afterEach(() => service.close())

const closing = '/historical/odds/closing?date=2026-11-19&sport=basketball&league=nba'

/** Returns the closes of a day with so many games. */
const closesOf = (games: number) =>
  Array.from({ length: games }, (_, game) => ({
    ...{ event_id: `e${game}`, home_team: 'Knicks', away_team: 'Nets', flipped: false },
    ...{ listed_home: null, listed_away: null, starts_at: 1, captured_at: 1, priced_at: 1 },
    ...{ sportsbook: 'draftkings', market_type: 'moneyline', selection: 'Knicks', price: 1.9 },
    ...{ selection_type: 'home', line: null, player_name: null, stat_category: null },
    ...{ no_vig: null, withheld: null },
  }))

const archiveOf = (query: Archive['query']) =>
  createArchiveAccess({ query, export: async () => null as never, close: async () => {} })

it('writing a whole day of closes is charged, not only the beginning of its request', async () => {
  let now = 0
  const rows = closesOf(120)
  service = await startInProcess({
    archive: archiveOf(async () => rows as never),
    workTimer: () => (now += 100),
  })
  // A minute has ten seconds of work; each game takes a tenth of a second, in which some credit comes back.
  const statuses: number[] = []
  for (let i = 0; i < 3; i++) statuses.push((await service.get(closing)).status)
  expect(statuses).toEqual([200, 200, 429])
})

it('decoding is charged too', async () => {
  let now = 0
  service = await startInProcess({
    archive: archiveOf(async (_statement, _parameters, _limits, decoding) => {
      for (let part = 0; part < 120; part++) decoding!(() => {})
      return []
    }),
    workTimer: () => (now += 100),
  })
  for (const path of [closing, '/record', '/opportunities/lives', '/movements']) {
    const account = { name: 'x', tier: 'sharp', addOns: [], expiresAt: null } as const
    const headers = { 'X-API-Key': (await service.accounts.create(account)).value }
    const statuses: number[] = []
    for (let i = 0; i < 3; i++) statuses.push((await service.request(path, { headers })).status)
    expect([path, statuses[0], statuses[2]]).toEqual([path, 200, 429])
  }
})

it('decoding ends with the client', async () => {
  let begin = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  let end = (_: unknown) => {}
  const ended = new Promise<unknown>((resolve) => {
    end = resolve
  })
  service = await startInProcess({
    archive: archiveOf(async (_statement, _parameters, _limits, decoding) => {
      try {
        for (;;) {
          decoding!(begin)
          await nextTurn()
        }
      } catch (error) {
        end(error)
        throw error
      }
    }),
  })
  const socket = connect(service.port, '127.0.0.1')
  socket.write(
    `GET /api/v1${closing} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${keys.sharp}\r\n\r\n`,
  )
  await begun
  socket.destroy()
  expect(await ended).toBeInstanceOf(ClientGoneError)
})

it('decoding ends once its account has overdrawn by the credit of five minutes', async () => {
  let now = 0
  service = await startInProcess({
    archive: archiveOf(async (_statement, _parameters, _limits, decoding) => {
      try {
        for (;;) decoding!(() => {})
      } catch (error) {
        throw new ArchiveError('unavailable', 'The reader has ended the query.', error)
      }
    }),
    workTimer: () => (now += 100),
  })
  const { status, body } = await service.get(closing)
  expect([status, body.code]).toEqual([429, 'work_limited'])
})
