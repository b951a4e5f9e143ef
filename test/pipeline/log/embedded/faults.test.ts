/** Failures that lose nothing: they fail no write, and are told once. */

import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  type EmbeddedLog,
  type EmbeddedLogOptions,
  openEmbeddedLog,
} from '../../../../pipeline/log/embedded/embedded-log.ts'
import { topics } from '../../../../schemas/topics.ts'

const { sportsbookStatus } = topics

let path: string
let log: EmbeddedLog
let faults: Error[]
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'overround-faults-'))
  faults = []
})
afterEach(async () => {
  await log.close()
  rmSync(path, { recursive: true })
})

async function openHere(options: Partial<EmbeddedLogOptions> = {}) {
  log = await openEmbeddedLog({ path, onFault: (fault) => faults.push(fault), ...options })
}

const status = (key: string, topic = sportsbookStatus) => ({
  topic,
  partitionKey: 'b',
  key,
  value: { sportsbook: key, status: 'up', since: 1, audience: 'all' } as const,
})

async function records(topic = sportsbookStatus) {
  const keys: string[] = []
  const { signal } = new AbortController()
  for await (const some of log.replay([topic], { partitions: [0], signal })) {
    keys.push(...some.map(({ key }) => key))
  }
  return keys
}

/** While it is there, notes about topics cannot be written. */
const obstacle = () => join(path, 'topics.json.part')
const notes = () => Object.keys(JSON.parse(readFileSync(join(path, 'topics.json'), 'utf8')))

test('a committed write succeeds though the notes about its topic cannot be written', async () => {
  await openHere()
  mkdirSync(obstacle())
  await log.append([status('a')])
  await log.append([status('b')])
  expect(await records()).toEqual(['a', 'b'])
  expect(faults.map(({ message }) => message)).toEqual([expect.stringContaining('topics.json')])
  rmdirSync(obstacle())
  await log.append([status('c')])
  expect(notes()).toEqual([sportsbookStatus.name])
})

test('writes succeed while no compaction does, which is told once', async () => {
  await openHere({ tailRecords: 10 })
  await log.append([status('a')])
  mkdirSync(obstacle())
  const other = { ...sportsbookStatus, name: 'other' }
  for (let round = 0; round < 10; round++) {
    await log.append(Array.from({ length: 15 }, () => status('a')))
    await log.append([status(`${round}`, other)])
  }
  expect(await records(other)).toHaveLength(10)
  const told = faults.filter(({ message }) => message.includes(`compact ${sportsbookStatus.name}`))
  expect(told).toHaveLength(1)
})
