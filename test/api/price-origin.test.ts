/** The origin of the prices, which the log tells: another deployment may take it over while APIs run. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openPages } from '../../api/web/pages.ts'
import type { DeploymentKey, DeploymentRow, PriceOrigin } from '../../schemas/deployment.ts'
import { topics } from '../../schemas/topics.ts'
import { openReceiver } from './alerts/receiver.ts'
import { adminToken, type InProcess, oddsRecord, startInProcess } from './service-in-process.ts'

async function openTestPages() {
  const folder = await mkdtemp(join(tmpdir(), 'overround-pages-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'index.html'), '<meta name="overround" content="{{settings}}">')
  const settings = { sandboxKey: 'a', sharpBook: 'pinnacle', hasConsensus: true, hasAdmin: true }
  return (await openPages(settings, folder))!
}

async function start(role: 'api' | 'standalone', prices?: PriceOrigin) {
  const pages = await openTestPages()
  // Callers through a proxy get the page without the sandbox.
  const service = await startInProcess({
    ...{ role, pages, sandboxBehindProxies: false },
    ...(prices && { prices }),
  })
  const receiver = await openReceiver()
  onTestFinished(async () => {
    await service.close()
    await receiver.close()
  })
  const { value: key } = await service.accounts.create({
    ...{ name: 'desk', tier: 'sharp', addOns: [], expiresAt: null },
  })
  const json = { 'X-API-Key': key, 'Content-Type': 'application/json' }
  const target = { type: 'webhook', url: receiver.url }
  const made = await service.request('/account/alerts', {
    ...{ method: 'POST', headers: json },
    body: JSON.stringify({ name: 'Edges', target, kind: 'ev', filters: { min_ev: 2 } }),
  })
  expect([made.status, made.text]).toEqual([201, made.text])

  return {
    service,
    /** Returns what a caller is told of the origin, by each way. */
    async told() {
      const test = `/account/alerts/${made.body.data.id}/test`
      await service.request(test, { method: 'POST', headers: json })
      return {
        page: await shown(service, {}),
        outside: await shown(service, { 'X-Forwarded-For': '203.0.113.7' }),
        alert: receiver.received.at(-1)!.body.data.simulated,
        sources: await addSource(service),
        warned: await push(service),
      }
    },
  }
}

/** Returns what the settings of the page say. */
async function shown({ port }: InProcess, headers: Record<string, string>) {
  const answer = await fetch(`http://127.0.0.1:${port}/`, { headers })
  return /isSimulated&quot;:(true|false)/.exec(await answer.text())?.[1]
}

/** Returns the code that a source nobody has is refused with. */
async function addSource(service: InProcess) {
  const headers = { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ source: 'nobody', settings: {} })
  return (await service.request('/sources', { method: 'POST', headers, body })).body.error.code
}

/** Returns whether a push is warned that its prices stand beside simulated ones. */
async function push(service: InProcess): Promise<boolean> {
  const { body } = await service.ingest([oddsRecord(service.clock(), { sportsbook: 'fanduel' })])
  const warnings: { code: string }[] = body.data.warnings
  return warnings.some(({ code }) => code === 'simulated_board')
}

/** Writes a row of a deployment, and waits until accounts are read, which come behind it. */
async function write({ log, accounts }: InProcess, key: DeploymentKey, prices: PriceOrigin) {
  const value: DeploymentRow = {
    ...{ name: null, prices, settings: {}, process: 'that 2', writtenAt: 5_000 },
  }
  await log.append([{ topic: topics.deployments, partitionKey: 0, key, value }])
  await accounts.create({ name: 'x', tier: 'pro', addOns: [], expiresAt: null })
}

const live = { page: 'false', outside: 'false', sources: 'not_found', warned: false }
const simulated = { page: 'true', outside: 'true', sources: 'forbidden', warned: true }

it('is followed by an API, from before the first pipeline on', async () => {
  const { service, told } = await start('api')
  expect(await told()).toEqual({ ...live, alert: null })
  await write(service, 'own', 'simulated')
  expect(await told()).toEqual({ ...simulated, alert: true })
  await write(service, 'own', 'live')
  expect(await told()).toEqual({ ...live, alert: false })
  await write(service, 'own', 'recorded')
  expect(await told()).toEqual({ ...live, sources: 'forbidden', alert: false })
})

it('is not that of a deployment that was refused', async () => {
  const { service, told } = await start('api', 'simulated')
  await write(service, 'refused', 'live')
  expect(await told()).toEqual({ ...simulated, alert: true })
})

it('is that of its own settings where the pipeline runs in the process', async () => {
  const { service, told } = await start('standalone', 'simulated')
  await write(service, 'own', 'live')
  expect(await told()).toEqual({ ...simulated, alert: true })
})
