/** A row of the table of sources, as written by a pipeline. */

import type { SourceRow } from '../../schemas/source.ts'

export const sourceRow = (more: Partial<SourceRow> = {}): SourceRow => ({
  source: 'the-odds-api',
  state: 'up',
  reason: null,
  since: 1_000,
  lastSuccessAt: 1_000,
  nextTryAt: 61_000,
  rows: 12,
  unmatched: 1,
  skipped: { unmapped_market: 1, no_price: 2 },
  creditsLeft: 480,
  creditsUsed: 20,
  creditsPerMonth: 500,
  audience: 'all',
  isExperimental: false,
  sportsbooks: ['draftkings', 'fanduel'],
  holder: 'odds-1 4711',
  cursor: null,
  updatedAt: 1_000,
  ...more,
})
