import { expect, it } from 'vitest'
import { createExpiryWarning } from '../../../pipeline/archive/run-archive.ts'

const now = Date.parse('2027-01-30T12:00:00Z')
const dayMs = 86_400_000

function warningsAfter(blocks: readonly (readonly [table: string, daysAgo: number])[]) {
  const warnings: object[] = []
  const logger = { warn: (fields: object) => void warnings.push(fields) } as never
  const warn = createExpiryWarning(730, logger, () => now)
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
