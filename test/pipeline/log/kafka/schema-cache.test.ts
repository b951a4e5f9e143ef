import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openSchemaCache } from '../../../../pipeline/log/kafka/schema-cache.ts'

const directory = mkdtempSync(join(tmpdir(), 'overround-schemas-'))
afterAll(() => rmSync(directory, { recursive: true }))

const warnings: string[] = []
const logger = {
  debug() {},
  info() {},
  warn: (_: object, text: string) => void warnings.push(text),
}
const [older, newer] = [
  { type: 'record', fields: [1] },
  { type: 'record', fields: [1, 2] },
]

describe('the content of a registry', () => {
  it('is known to the next process, by subject and schema', () => {
    const path = join(directory, 'logs', 'a.json')
    const cache = openSchemaCache(path, logger)
    expect(cache.idOf('odds-value', older)).toBeNull()
    cache.keepId('odds-value', older, 7)
    cache.keepId('odds-value', newer, 8)
    cache.keepSchema(9, newer)
    const next = openSchemaCache(path, logger)
    expect([next.idOf('odds-value', older), next.idOf('odds-value', newer)]).toEqual([7, 8])
    expect(next.idOf('events-value', older)).toBeNull()
    expect([next.schema(9), next.schema(7)]).toEqual([newer, null])
    expect(warnings).toEqual([])
  })

  it('is kept beside the content from another process', () => {
    const path = join(directory, 'shared.json')
    const [one, other] = [openSchemaCache(path, logger), openSchemaCache(path, logger)]
    one.keepSchema(1, older)
    other.keepId('odds-value', newer, 2)
    const next = openSchemaCache(path, logger)
    expect([next.schema(1), next.idOf('odds-value', newer)]).toEqual([older, 2])
  })

  it.each(['', '{', '[]', '{"ids":{"a":"b"},"schemas":{}}'])(
    'is requested again where the file holds %j',
    (text) => {
      const path = join(directory, 'spoilt.json')
      writeFileSync(path, text)
      const cache = openSchemaCache(path, logger)
      expect(cache.idOf('odds-value', older)).toBeNull()
      cache.keepId('odds-value', older, 1)
      expect(openSchemaCache(path, logger).idOf('odds-value', older)).toBe(1)
    },
  )

  it('is not lost to the process if no file can be written, with a report', () => {
    const path = join(directory, 'taken')
    mkdirSync(path)
    const cache = openSchemaCache(path, logger)
    cache.keepId('odds-value', older, 3)
    expect(cache.idOf('odds-value', older)).toBe(3)
    expect(warnings).toEqual([expect.stringContaining('the next start needs the registry')])
  })
})
