import { expect, it } from 'vitest'
import { createExpiryWarning, createLifetimeLog } from '../../../pipeline/archive/run-archive.ts'

const now = Date.parse('2027-01-30T12:00:00Z')
const dayMs = 86_400_000
const keptDays = new Map([
  ['price_changes', 730],
  ['splits', 730],
])

function warningsAfter(blocks: readonly (readonly [table: string, daysAgo: number])[]) {
  const warnings: object[] = []
  const logger = { warn: (fields: object) => void warnings.push(fields) } as never
  const warn = createExpiryWarning(keptDays, logger, () => now)
  for (const [table, daysAgo] of blocks) warn({ table, oldestAt: now - daysAgo * dayMs })
  return warnings
}

it('warns once of rows that the archive deletes as soon as they are in', () => {
  expect(
    warningsAfter([
      ['price_changes', 730],
      ['price_changes', 731],
      ['splits', 3_000],
    ]),
  ).toEqual([{ table: 'price_changes', oldest: '2025-01-29T12:00:00.000Z', keptDays: 730 }])
})

it('does not warn of tables that stay for good', () => {
  expect(
    warningsAfter([
      ['closing_lines', 3_000],
      ['events', 3_000],
      ['price_changes', 1],
    ]),
  ).toEqual([])
})

it('warns of a lifetime that is shorter than it was, and only tells of a longer one', () => {
  const told: [level: string, fields: object][] = []
  const say = createLifetimeLog({
    info: (fields: object) => void told.push(['info', fields]),
    warn: (fields: object) => void told.push(['warn', fields]),
  } as never)
  const shorter = { table: 'splits', formerDays: 10_000, keptDays: 730 }
  const longer = { table: 'splits', formerDays: 730, keptDays: 10_000 }
  const noLongerForGood = { table: 'splits', formerDays: null, keptDays: 730 }
  for (const change of [shorter, longer, noLongerForGood]) say(change)
  expect(told).toEqual([
    ['warn', shorter],
    ['info', longer],
    ['warn', noLongerForGood],
  ])
})
