/** Requests while the board is loaded, or read anew: what reads it is refused, whoever asks. */

import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createSignedLinks } from '../../api/answer/signed-links.ts'
import { type InProcess, startInProcess } from './service-in-process.ts'

let service: InProcess
beforeAll(async () => {
  service = await startInProcess({ publicRecord: true })
})
afterAll(async () => {
  vi.restoreAllMocks()
  await service.close()
})

it('refuses every read of the board without a key, and answers what needs no board', async () => {
  vi.spyOn(service.boards, 'isReady').mockReturnValue(false)
  const refused: string[] = []
  for (const { method, path, access } of service.routes) {
    if (method !== 'get' || !access.startsWith('public')) continue
    const { status, headers, body } = await service.request(path.replace(/:\w+/g, '1'), {
      redirect: 'manual',
    })
    if (status !== 503 || body.code !== 'service_unavailable') continue
    refused.push(path)
    expect([path, headers.get('retry-after')]).toEqual([path, '1'])
  }
  expect(refused.map((path) => path.slice('/api/v1'.length)).sort()).toEqual([
    ...['/deeplink/:id', '/leagues', '/leagues/:leagueId', '/markets', '/record/public'],
    ...['/sports', '/sports/:sportId', '/sportsbooks', '/sportsbooks/:bookId'],
  ])
  for (const path of ['/status', '/livez', '/openapi.json']) {
    expect([path, (await service.request(path)).status]).toEqual([path, 200])
  }
})

it('refuses a link, though it names the sportsbook and where else to go', async () => {
  const signed = createSignedLinks(service.log.secret).pathOf(1e14)
  const elsewhere = 'book=draftkings&game_id=gone&fallback=https://sportsbook.draftkings.com/'
  const statusOf = async (query: string) =>
    (await service.request(signed + query, { redirect: 'manual' })).status
  vi.spyOn(service.boards, 'isReady').mockReturnValue(false)
  expect([await statusOf(''), await statusOf(`?${elsewhere}`)]).toEqual([503, 503])
  vi.restoreAllMocks()
  expect([await statusOf(''), await statusOf(`?${elsewhere}`)]).toEqual([404, 302])
})
