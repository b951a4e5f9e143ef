/** `top` and `tail`: they end where there is no service, and where their key is refused. */

import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createClient } from '../../../api/clients/typescript/src/index.ts'
import { watchBest } from '../../../api/command-line/best.ts'
import { exitCodes, explain } from '../../../api/command-line/exit-codes.ts'
import { tail } from '../../../api/command-line/tail.ts'
import { styleFor } from '../../../api/command-line/terminal.ts'
import { fillOpportunities } from '../filled-board.ts'
import { adminToken, type InProcess, startInProcess } from '../service-in-process.ts'

const style = styleFor({}, {})
const never = new AbortController().signal
type Open = (base: string, key: string) => Promise<void>
const top: Open = (base, key) =>
  watchBest(
    createClient({ base, key, retries: 0 }),
    { league: [], market: 'moneyline', limit: 9 },
    style,
    never,
  )
const tailOdds: Open = (base, key) =>
  tail(
    createClient({ base, key, retries: 0 }),
    { channel: 'odds', league: [], market: [], json: false },
    style,
    never,
  )
const commands: [string, Open][] = [
  ['top', top],
  ['tail', tailOdds],
]

let service: InProcess
let base: string
beforeAll(async () => {
  service = await startInProcess()
  await fillOpportunities(service)
  base = `http://127.0.0.1:${service.port}/api/v1`
})
afterAll(() => service.close())

const codeOf = (error: unknown) => explain(error)?.code

test.each(commands)('%s ends with "unreachable" where no service responds', async (_, open) => {
  const error = await open('http://127.0.0.1:9/api/v1', 'sk_test_sandbox_sharp').catch((it) => it)
  expect(codeOf(error)).toBe(exitCodes.unreachable)
})

test.each(commands)('%s ends with "refused" with a key that does not exist', async (_, open) => {
  const error = await open(base, 'sk_live_none').catch((it) => it)
  expect(codeOf(error)).toBe(exitCodes.refused)
})

test('top ends with "refused" when its key is revoked, and leaves the screen', async () => {
  const admin = async (method: string, path: string, body?: object) => {
    const headers = {
      Authorization: `Bearer ${adminToken}`,
      'Content-Type': 'application/json',
    }
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    return (await service.request(`/admin${path}`, init)).body.data
  }
  const { account_id, key } = await admin('POST', '/accounts', { name: 'a', tier: 'enterprise' })
  let shown = ''
  let markDrawn = () => {}
  const drawn = new Promise<void>((resolve) => {
    markDrawn = resolve
  })
  const written = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    shown += text
    if (/\d prices/.test(shown)) markDrawn()
    return true
  })
  try {
    const ended = top(base, key).catch((it) => it)
    await Promise.race([drawn, ended])
    await admin('PATCH', `/accounts/${account_id}`, { disabled: true })
    expect(codeOf(await ended)).toBe(exitCodes.refused)
  } finally {
    written.mockRestore()
  }
  expect(shown.endsWith('\x1b[?25h\x1b[?1049l')).toBe(true)
})
