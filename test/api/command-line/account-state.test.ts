import { expect, it } from 'vitest'
import { accountState } from '../../../api/command-line/account-state.ts'

it.each([
  [false, null, 'active'],
  [false, '2026-10-04T12:00:00.001Z', 'active'],
  [false, '2026-10-04T12:00:00.000Z', 'expired'],
  [false, '2025-01-01T00:00:00.000Z', 'expired'],
  [true, null, 'disabled'],
  [true, '2025-01-01T00:00:00.000Z', 'disabled'],
])('an account with disabled %s that ends at %s is %s', (disabled, expires_at, state) => {
  expect(accountState({ disabled, expires_at }, Date.parse('2026-10-04T12:00:00Z'))).toBe(state)
})
