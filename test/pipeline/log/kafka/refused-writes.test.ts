import { beforeEach, expect, it } from 'vitest'
import { createRefusedWrites } from '../../../../pipeline/log/kafka/refused-writes.ts'

const minute = 60_000
let now: number
let lines: { level: string; fields: object }[]
let writes: ReturnType<typeof createRefusedWrites>
beforeEach(() => {
  now = 5_000
  lines = []
  const note = (level: string) => (fields: object) => void lines.push({ level, fields })
  writes = createRefusedWrites({ info: note('info'), warn: note('warn') }, () => now)
})

it('a refusal is told at once and then once a minute, until a write is accepted', () => {
  for (const at of [0, 1, 59_999, minute, minute + 1]) {
    now = 5_000 + at
    writes.refused('odds.bets', 'no right')
  }
  const refused = { level: 'warn', fields: { topic: 'odds.bets', reason: 'no right' } }
  expect(lines).toEqual([refused, refused])
  expect(writes.longest()).toEqual({ forMs: minute + 1, reason: 'no right' })
  writes.accepted('odds.profiles')
  expect(writes.longest()).not.toBeNull()
  writes.accepted('odds.bets')
  expect(writes.longest()).toBeNull()
  expect(lines.at(-1)).toEqual({ level: 'info', fields: { topic: 'odds.bets' } })
  writes.accepted('odds.bets')
  expect(lines).toHaveLength(3)
})

it('the refusal that has stood longest is shown, each for ten minutes after its last', () => {
  writes.refused('odds.bets', 'first')
  now += minute
  writes.refused('odds.alerts', 'second')
  expect(writes.longest()?.reason).toBe('first')
  now += 9 * minute + 1
  expect(writes.longest()).toEqual({ forMs: 9 * minute + 1, reason: 'second' })
  now += minute
  expect(writes.longest()).toBeNull()
})
