import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AccountsRow, accountsKey, addOns } from '../../schemas/account.ts'
import {
  accountChange,
  accountCreation,
  keyCreation,
  keyRotation,
} from '../../schemas/http/account.ts'
import { topics } from '../../schemas/topics.ts'
import { usageKey } from '../../schemas/usage.ts'

const text = fc.string({ unit: 'grapheme', maxLength: 30 })
const instant = fc.integer({ min: 0, max: 8_640_000_000_000_000 })
const nullable = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null })
const hash = fc.stringMatching(/^[0-9a-f]{64}$/)
const kept = { id: text, revision: text, name: text, createdAt: instant, updatedAt: instant }

const row: fc.Arbitrary<AccountsRow> = fc.oneof(
  fc.record({
    type: fc.constant('account' as const),
    ...kept,
    tier: fc.constantFrom('free', 'hobby', 'pro', 'sharp', 'enterprise'),
    addOns: fc.subarray([...addOns]),
    isDisabled: fc.boolean(),
    isOwner: fc.boolean(),
    expiresAt: nullable(instant),
    trialStartedAt: nullable(instant),
    trialEndsAt: nullable(instant),
  }),
  fc.record({
    type: fc.constant('key' as const),
    ...kept,
    accountId: text,
    hash,
    preview: text,
    rotatedAt: nullable(instant),
    maxStreams: nullable(fc.nat(1_000)),
    former: fc.array(fc.record({ hash, endsAt: instant }), { maxLength: 5 }),
  }),
)

describe('rows of accounts and usage', () => {
  it('are read back unchanged', () => {
    fc.assert(
      fc.property(row, (written) => {
        const read = topics.accounts.decode(topics.accounts.encode(written))
        expect(JSON.parse(JSON.stringify(read))).toMatchObject(written)
      }),
      { numRuns: 200 },
    )
    const usage = {
      accountId: 'acct_1',
      keyId: 'key_1',
      day: 20_777,
      writer: 'a1',
      requests: 5_000_000_000,
      minute: 29_919_600,
      minuteRequests: 12,
      byFamily: { odds: 4_999_999_999, deep_links: 1 },
    }
    expect({ ...topics.usage.decode(topics.usage.encode(usage)) }).toEqual(usage)
  })

  it('have keys that distinguish them', () => {
    expect(accountsKey({ type: 'account', id: 'acct_1' })).toBe('account:acct_1')
    expect(accountsKey({ type: 'key', id: 'key_1' })).toBe('key:key_1')
    expect(usageKey({ keyId: 'key_1', day: 3, writer: 'a' })).toBe('key_1|3|a')
  })
})

const ok = (schema: { safeParse(value: unknown): { success: boolean } }, body: unknown) =>
  schema.safeParse(body).success

describe('the body of a new key', () => {
  it.each([{ name: 'x' }, { name: 'back end 2' }, { name: '東京 🎲' }, { name: 'x'.repeat(100) }])(
    'may be %j',
    (body) => expect(ok(keyCreation, body)).toBe(true),
  )
  it.each([
    undefined,
    null,
    [],
    'ci',
    {},
    { name: '' },
    { name: '   ' },
    { name: 7 },
    { name: 'x'.repeat(101) },
    { name: 'a\nb' },
    { name: '\ud800' },
    { name: 'a', tier: 'enterprise' },
    JSON.parse('{"name":"a","__proto__":{"tier":"sharp"}}'),
  ])('may not be %j', (body) => expect(ok(keyCreation, body)).toBe(false))
})

describe('the body of a rotation', () => {
  it.each([undefined, {}, { gracePeriodHours: 0 }, { gracePeriodHours: 72, name: 'b' }])(
    'may be %j',
    (body) => expect(ok(keyRotation, body)).toBe(true),
  )
  it.each([
    null,
    [],
    { gracePeriodHours: -1 },
    { gracePeriodHours: 72.01 },
    { gracePeriodHours: '1' },
    { gracePeriodHours: null },
    { name: '' },
    { grace: 1 },
  ])('may not be %j', (body) => expect(ok(keyRotation, body)).toBe(false))
})

describe('the body of a new account', () => {
  it.each([
    { name: 'A', tier: 'free' },
    { name: 'A', tier: 'pro', addons: ['game_state', 'streaming'], expires_at: null },
    { name: 'A', tier: 'enterprise', addons: [], expires_at: '2027-01-01T00:00:00Z' },
    { name: 'A', tier: 'hobby', expires_at: '2027-01-01T00:00:00.123456+02:00' },
  ])('may be %j', (body) => expect(ok(accountCreation, body)).toBe(true))
  it.each([
    { tier: 'pro' },
    { name: 'A' },
    { name: 'A', tier: 'Pro' },
    { name: 'A', tier: 'gold' },
    { name: 'A', tier: 'pro', addons: ['websocket'] },
    { name: 'A', tier: 'pro', addons: ['streaming', 'streaming'] },
    { name: 'A', tier: 'pro', addons: 'streaming' },
    { name: 'A', tier: 'pro', expires_at: '2027-01-01' },
    { name: 'A', tier: 'pro', expires_at: '2027-02-30T00:00:00Z' },
    { name: 'A', tier: 'pro', expires_at: '2027-01-01T00:00:00' },
    { name: 'A', tier: 'pro', expires_at: 1_800_000_000 },
    { name: 'A', tier: 'pro', key: 'sk_live_mine' },
  ])('may not be %j', (body) => expect(ok(accountCreation, body)).toBe(false))
})

describe('the body of a change', () => {
  it.each([
    { name: 'B' },
    { tier: 'free' },
    { addons: [] },
    { disabled: true },
    { expires_at: null },
    { streaming_trial_hours: 0 },
    { streaming_trial_hours: 4.5, tier: 'pro' },
  ])('may be %j', (body) => expect(ok(accountChange, body)).toBe(true))
  it.each([
    undefined,
    {},
    { disabled: 'true' },
    { streaming_trial_hours: -1 },
    { streaming_trial_hours: 8_761 },
    { account_id: 'acct_other' },
    { tier: null },
  ])('may not be %j', (body) => expect(ok(accountChange, body)).toBe(false))
})
