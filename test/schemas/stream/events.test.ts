import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { oddsDelta } from '../../../schemas/http/odds.ts'
import { familyOf, opportunityKinds, prefixOf } from '../../../schemas/opportunity.ts'
import { closeCodes, sseChannelNames, streamErrorCodes } from '../../../schemas/stream/channels.ts'
import {
  channelEvents,
  exampleDelta,
  streamEvents,
  unnamedBlock,
} from '../../../schemas/stream/events.ts'

const specification = join(import.meta.dirname, '../../../../shared/spec')
const hasSpecification = existsSync(specification)

const events = Object.entries(streamEvents)

describe('the events', () => {
  it.each([...events, ['unnamed', unnamedBlock] as const])(
    '%s has examples that are as described, without a member that is not',
    (_, { schema, examples }) => {
      expect(examples.length).toBeGreaterThan(0)
      for (const example of examples) expect(schema.parse(example)).toEqual(example)
    },
  )

  it('are those of each channel, and all of them on all', () => {
    const shared = ['connected', 'snapshot:complete', 'heartbeat', 'error']
    for (const channel of sseChannelNames) {
      expect(channelEvents[channel]).toEqual(expect.arrayContaining(shared))
      expect(new Set(channelEvents[channel]).size).toBe(channelEvents[channel].length)
    }
    const each = sseChannelNames.flatMap((name) => (name === 'all' ? [] : channelEvents[name]))
    expect(new Set(each)).toEqual(new Set(channelEvents.all))
  })

  it('are two for each family of opportunities', () => {
    for (const kind of opportunityKinds) {
      const [family, prefix] = [familyOf(kind), prefixOf(kind)]
      expect(streamEvents).toHaveProperty([`${prefix}:detected`])
      expect(streamEvents).toHaveProperty([`${prefix}:expired`])
      const example = { [family]: [], count: 0, total: 0, offset: 0, has_more: false }
      expect(streamEvents.snapshot.schema.parse(example)).toEqual(example)
    }
  })

  it('refuse a locked row that takes bets, and a row without the fields a delta always has', () => {
    const batch = (row: object) => ({ odds: [row], count: 1, book: 'draftkings', partial: false })
    const { schema: locked } = streamEvents['odds:locked']
    expect(locked.safeParse(batch({ ...exampleDelta, is_active: false })).success).toBe(true)
    expect(locked.safeParse(batch(exampleDelta)).success).toBe(false)
    const { schema: update } = streamEvents['odds:update']
    expect(update.safeParse(batch(exampleDelta)).success).toBe(true)
    const { odds_changed_at: _, ...rest } = exampleDelta
    expect(oddsDelta.safeParse(rest).success).toBe(false)
    // With `fields` a row may lack any field but the id.
    expect(update.safeParse(batch(rest)).success).toBe(true)
    const { id: __, ...nameless } = rest
    expect(update.safeParse(batch(nameless)).success).toBe(false)
  })
})

describe.skipIf(!hasSpecification)('the tables of the specification (needs ../shared)', () => {
  it('name the events of each channel', () => {
    const rows = tableAfter('interface.md', '| Channel | Event kinds |')
    expect(rows.map(([channel]) => bare(channel!))).toEqual(sseChannelNames)
    for (const [channel, kinds] of rows.slice(0, -1)) {
      const names = kinds!.split(',').map(bare)
      const known = channelEvents[bare(channel!) as keyof typeof channelEvents]
      expect(known).toEqual(expect.arrayContaining(names))
    }
  })

  it('name the error codes, and those that end the connection', () => {
    const rows = tableAfter('supplement.md', '| Code | When | Fatal |')
    expect(rows.length).toBeGreaterThan(10)
    const named = new Set<string>()
    for (const [codes, , fatal] of rows) {
      for (const code of codes!.split(',').map(bare)) {
        named.add(code)
        const [closesWith] = /^yes, (\d{4})/.exec(fatal!)?.slice(1) ?? []
        const known = streamErrorCodes[code as keyof typeof streamErrorCodes]
        expect(known?.closesWith, code).toBe(closesWith ? Number(closesWith) : null)
      }
    }
    // Cases for which the specification has no code.
    expect(Object.keys(streamErrorCodes).filter((code) => !named.has(code))).toEqual([
      'validation_error',
      'too_many_book_sets',
      'work_limited',
      'rights_changed',
      'displaced',
      'service_stopping',
    ])
  })

  it('name the close codes', () => {
    const rows = tableAfter('supplement.md', '| Code | Sender | Meaning | Client should |')
    const codes = rows.map(([code]) => code!)
    // The specification lists 1008 with the error codes.
    expect(Object.keys(closeCodes)).toEqual([...codes, '1008'].sort())
  })
})

const bare = (cell: string) => cell.trim().replaceAll('`', '')

/** Returns the cells of the table with this head. */
function tableAfter(file: string, head: string): string[][] {
  const text = readFileSync(join(specification, file), 'utf8')
  const [, after] = text.split(`${head}\n`)
  const lines = after!.split('\n').slice(1)
  const rows = lines.slice(
    0,
    lines.findIndex((line) => !line.startsWith('|')),
  )
  return rows.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}
