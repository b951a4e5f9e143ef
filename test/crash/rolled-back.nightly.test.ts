/** A service in one process, upgraded to a build with more fields in its schemas, and rolled back. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ingestToken, keys, oddsRecord } from '../api/service-in-process.ts'
import { makeNewerBuild } from '../faults/newer-build.ts'
import { startService } from '../service.ts'

let directory: string
let newer: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'overround-rolled-'))
  newer = makeNewerBuild(directory)
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const startsAt = new Date(Date.now() + 86_400_000).toISOString()

/**
 * Starts a build, reads its board, and pushes a price at a further sportsbook.
 * @returns the sportsbooks on the board before the push
 */
async function useOnce(sportsbook: string, root?: string): Promise<string[]> {
  const service = await startService({
    env: {
      OVERROUND_DATA_DIR: join(directory, 'data'),
      OVERROUND_FEEDS: 'none',
      OVERROUND_ARCHIVE: 'off',
      OVERROUND_SANDBOX: 'true',
      OVERROUND_INGEST_TOKEN: ingestToken,
    },
    ...(root && { root }),
  })
  const board = async () => {
    const answer = await fetch(`${service.address}/odds`, { headers: { 'X-API-Key': keys.sharp } })
    const { data } = (await answer.json()) as { data?: { sportsbook: string }[] }
    return data && [...new Set(data.map((row) => row.sportsbook))].sort()
  }
  try {
    await expect.poll(async () => (await fetch(`${service.address}/readyz`)).status).toBe(200)
    const found = (await board())!
    const answer = await fetch(`${service.address}/ingest`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${ingestToken}` },
      body: JSON.stringify(oddsRecord(Date.now(), { sportsbook, startsAt })),
    })
    expect(answer.status).toBe(202)
    await expect.poll(board).toEqual([...found, sportsbook].sort())
    expect(service.output()).not.toMatch(/"level":[56]0/)
    return found
  } finally {
    await service.stop()
  }
}

it('has every price in either build, whichever wrote it', async () => {
  expect(await useOnce('pinnacle')).toEqual([])
  expect(await useOnce('draftkings', newer)).toEqual(['pinnacle'])
  expect(await useOnce('fanduel')).toEqual(['draftkings', 'pinnacle'])
  expect(await useOnce('betmgm', newer)).toEqual(['draftkings', 'fanduel', 'pinnacle'])
})
