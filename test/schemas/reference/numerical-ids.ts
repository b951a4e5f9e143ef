import { createHash } from 'node:crypto'
import { expect } from 'vitest'

interface Numbered {
  readonly id: string
  readonly numericalId: number
}

/** Dense from 1, one each, in order. */
export function expectDense(rows: readonly Numbered[]) {
  expect(rows.map((row) => row.numericalId)).toEqual(rows.map((_, index) => index + 1))
}

/** What the first `count` numbers stand for, as one short text that changes when any of them does. */
export function handedOut(rows: readonly Numbered[], count: number): string {
  const lines = rows.slice(0, count).map((row) => `${row.numericalId} ${row.id}`)
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16)
}
