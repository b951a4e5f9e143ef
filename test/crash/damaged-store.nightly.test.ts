/**
 * A seeded sweep over a store on disk: bytes flipped and the file truncated at many places. An open either reads
 * exactly the same as before, or is refused by name. No process ends by a signal, and no row changes.
 */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectRoot } from '../../schemas/project-root.ts'

/** One process runs all cases, so a signal that ends it fails the test. */
const sweep = `
  const { openEmbeddedLog } = await import('./pipeline/log/embedded/embedded-log.ts')
  const { topics } = await import('./schemas/topics.ts')
  const { copyFileSync, mkdirSync, openSync, writeSync, readSync, closeSync, truncateSync, statSync, rmSync } = await import('node:fs')
  const [, directory, cases, kind] = process.argv
  const { signal } = new AbortController()
  let seed = 20261120
  const random = () => ((seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32)
  const whole = directory + '/whole'
  const log = await openEmbeddedLog({ path: whole })
  const letter = (n) => ({ topic: topics.feedRejected, partitionKey: 'b', key: 'b',
    value: { sportsbook: 'b', code: 'c', message: 'm' + n, receivedAt: n, text: 'x'.repeat(n % 300) } })
  const status = (n) => ({ topic: topics.sportsbookStatus, partitionKey: 'b', key: 'b' + n,
    value: { sportsbook: 'b' + n, status: 'up', since: n, audience: 'all' } })
  for (let n = 0; n < 300; n++) await log.append(n % 7 ? [letter(n), status(n)] : Array.from({ length: 400 }, (_, i) => letter(n * 1000 + i)))
  await log.close()
  const read = async (path) => {
    const log = await openEmbeddedLog({ path, tailRecords: 100_000 })
    try {
      const rows = []
      for await (const some of log.replay([topics.sportsbookStatus, topics.feedRejected], { partitions: [0], signal })) {
        for (const { topic, offset, key, value } of some) rows.push(topic.name + offset + key + JSON.stringify(value))
      }
      return rows.join('\\n')
    } finally {
      await log.close()
    }
  }
  const expected = await read(whole)
  const size = statSync(whole + '/data.mdb').size
  const counts = { same: 0, refused: 0, other: [] }
  const messages = {}
  for (let n = 0; n < Number(cases); n++) {
    const path = directory + '/case' + n
    mkdirSync(path)
    copyFileSync(whole + '/data.mdb', path + '/data.mdb')
    const at = Math.floor(random() * size)
    if (kind === 'cut') truncateSync(path + '/data.mdb', at)
    else {
      // Half of the flips hit what is small and matters most: headers and nodes of pages.
      const where = n % 2 ? at : Math.min(size - 1, Math.floor(at / 4096) * 4096 + Math.floor(random() * 64))
      const file = openSync(path + '/data.mdb', 'r+')
      const byte = Buffer.alloc(1)
      readSync(file, byte, 0, 1, where)
      byte[0] ^= 1 + Math.floor(random() * 255)
      writeSync(file, byte, 0, 1, where)
      closeSync(file)
    }
    try {
      const rows = await read(path)
      if (rows === expected) counts.same++
      else counts.other.push(n + ' at ' + at + ': ' + rows.length + ' of ' + expected.length)
    } catch (error) {
      counts.refused++
      messages[error.message.replace(/\\d+/g, 'N').replaceAll(directory, '')] = (messages[error.message.replace(/\\d+/g, 'N').replaceAll(directory, '')] ?? 0) + 1
    }
    rmSync(path, { recursive: true })
  }
  console.log(JSON.stringify({ ...counts, messages }))
`

it.each([
  ['flip', 300],
  ['cut', 100],
])('a store after each %s of %i reads as before, or is refused', (kind, cases) => {
  const directory = mkdtempSync(join(tmpdir(), 'overround-damaged-'))
  try {
    const ended = spawnSync(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '--eval', sweep, directory, String(cases), kind],
      { cwd: projectRoot, encoding: 'utf8' },
    )
    expect([ended.signal, ended.status, ended.stderr]).toEqual([null, 0, ''])
    const { same, refused, other, messages } = JSON.parse(ended.stdout)
    expect(other).toEqual([])
    expect(same + refused).toBe(cases)
    expect(refused).toBeGreaterThan(cases / 20)
    for (const message of Object.keys(messages)) expect(message).toMatch(/damaged|data\.mdb/)
  } finally {
    rmSync(directory, { recursive: true })
  }
})
