import { createHash } from 'node:crypto'
import { expect } from 'vitest'

interface Numbered {
  readonly id: string
  readonly numericalId: number
}

/** Checks that numbers are dense from 1 and in order. */
export function expectDense(rows: readonly Numbered[]) {
  expect(rows.map((row) => row.numericalId)).toEqual(rows.map((_, index) => index + 1))
}

/** Returns a short hash of the first `count` numbers with their ids. */
export function handedOut(rows: readonly Numbered[], count: number): string {
  const lines = rows.slice(0, count).map((row) => `${row.numericalId} ${row.id}`)
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16)
}
