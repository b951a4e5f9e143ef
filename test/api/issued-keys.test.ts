/** Keys whose write was not confirmed, on a log that fails an append and delivers it later. */

import { describe, expect, it } from 'vitest'
import { newKeysPerHour, openAccounts, rotationsPerHour } from '../../api/access/accounts.ts'
import type { ApiError } from '../../api/errors.ts'
import { createFollower } from '../../api/follower.ts'
import { type Append, type Chunk, type Log, LogUnavailableError } from '../../pipeline/log/log.ts'

const now = Date.parse('2026-10-04T12:00:00.000Z')
const pro = { name: 'A', tier: 'enterprise', addOns: [], expiresAt: null } as const

/** Opens accounts on a log whose appends the test can fail or hold. */
async function open() {
  /** Every record that was delivered. */
  const delivered: Append[] = []
  let late: Append[][] = []
  let mode: 'works' | 'fails' | 'holds' = 'works'
  let held: (() => void)[] = []
  const read = (records: readonly Append[], more: Partial<Chunk> = {}) =>
    take({ records, reset: false, caughtUp: true, ...more } as Chunk)
  const deliver = (records: readonly Append[]) => {
    delivered.push(...records)
    read(records)
  }
  const log = {
    async append(records: readonly Append[]) {
      if (mode === 'fails') {
        late.push([...records])
        throw new LogUnavailableError('append to accounts: it may be written later')
      }
      if (mode === 'holds') await new Promise<void>((resolve) => held.push(resolve))
      deliver(records)
    },
  } as unknown as Log
  const accounts = openAccounts(log, { sandbox: false, clock: () => now })
  const { take } = createFollower({ async *follow() {} }, accounts.views, () => now)
  read([], { reset: true })
  await accounts.ready
  const as = (value: string) => accounts.keyring.authenticate(value, now)
  return {
    accounts,
    as,
    delivered,
    read,
    /** Returns whether a value is accepted. */
    works: (value: string) => {
      try {
        return as(value) !== null
      } catch {
        return false
      }
    },
    fail: () => {
      mode = 'fails'
    },
    hold: () => {
      mode = 'holds'
    },
    heldCount: () => held.length,
    recover: () => {
      mode = 'works'
      for (const release of held) release()
      held = []
    },
    /** Delivers what failed, in the order it was written. */
    deliverLate: () => {
      const records = late.flat()
      late = []
      deliver(records)
    },
  }
}

/** Lets all work that needs no I/O end. */
const settle = async () => {
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
}

const notConfirmed = { code: 'service_unavailable' }

describe('a rotation that was not confirmed', () => {
  it('leaves the old value, though it is written later', async () => {
    for (const graceMs of [0, 3_600_000]) {
      const { accounts, as, works, fail, recover, deliverLate } = await open()
      const { key, value } = await accounts.create(pro)
      fail()
      await expect(accounts.rotateKey(as(value), key.id, { graceMs })).rejects.toMatchObject(
        notConfirmed,
      )
      expect(works(value)).toBe(true)
      recover()
      deliverLate()
      await settle()
      expect(works(value)).toBe(true)
      expect(as(value).isFormerValue).toBe(false)
      const again = await accounts.rotateKey(as(value), key.id, { graceMs })
      expect(works(again.value)).toBe(true)
    }
  })

  it('does not undo a rotation after it, whichever is written first', async () => {
    const { accounts, as, works, fail, recover, deliverLate } = await open()
    const { key, value } = await accounts.create(pro)
    fail()
    await expect(accounts.rotateKey(as(value), key.id, { graceMs: 0 })).rejects.toThrow()
    recover()
    const again = await accounts.rotateKey(as(value), key.id, { graceMs: 0 })
    deliverLate()
    await settle()
    expect([works(value), works(again.value)]).toEqual([false, true])
  })

  it('twice leaves the old value', async () => {
    const { accounts, as, works, fail, recover, deliverLate } = await open()
    const { key, value } = await accounts.create(pro)
    fail()
    for (let turn = 0; turn < 2; turn++) {
      await expect(accounts.rotateKey(as(value), key.id, { graceMs: 0 })).rejects.toThrow()
    }
    recover()
    deliverLate()
    await settle()
    expect(works(value)).toBe(true)
  })

  it('brings back no key that was revoked meanwhile', async () => {
    const { accounts, as, works, fail, recover, deliverLate } = await open()
    const { account, key, value } = await accounts.create(pro)
    fail()
    await expect(accounts.rotateKey(as(value), key.id, { graceMs: 0 })).rejects.toThrow()
    recover()
    await accounts.revokeKey(account.id, key.id)
    deliverLate()
    await settle()
    expect(works(value)).toBe(false)
    expect(accounts.keysOf(account.id)).toEqual([])
  })

  it('is taken back after a replay that brings it, and not during it', async () => {
    const { accounts, as, works, fail, recover, delivered, read, deliverLate } = await open()
    const { key, value } = await accounts.create(pro)
    fail()
    await expect(accounts.rotateKey(as(value), key.id, { graceMs: 0 })).rejects.toThrow()
    recover()
    read([], { reset: true, caughtUp: false })
    read(delivered, { caughtUp: false })
    deliverLate()
    await settle()
    expect(works(value)).toBe(true)
  })

  it('is taken back once the log takes writes again', async () => {
    const { accounts, as, works, fail, recover, deliverLate } = await open()
    const { key, value } = await accounts.create(pro)
    fail()
    await expect(accounts.rotateKey(as(value), key.id, { graceMs: 0 })).rejects.toThrow()
    deliverLate()
    await settle()
    expect(works(value)).toBe(false)
    recover()
    // Any change of the table tries again, as does the writer of usage.
    await accounts.create(pro)
    await settle()
    expect(works(value)).toBe(true)
  })
})

it('a key that was not confirmed is deleted when it is written later', async () => {
  const { accounts, as, fail, recover, deliverLate } = await open()
  const { account, value } = await accounts.create(pro)
  fail()
  await expect(accounts.createKey(as(value), 'second')).rejects.toMatchObject(notConfirmed)
  const granted = accounts.grantKey(account.id, { name: 'third', maxStreams: null })
  await expect(granted).rejects.toMatchObject(notConfirmed)
  recover()
  deliverLate()
  await settle()
  expect(accounts.keysOf(account.id).map(({ name }) => name)).toEqual(['default'])
})

it('an account that was not confirmed is deleted with its key, so that another try makes one', async () => {
  const { accounts, fail, recover, deliverLate } = await open()
  fail()
  await expect(accounts.create(pro)).rejects.toMatchObject(notConfirmed)
  recover()
  const { account } = await accounts.create(pro)
  deliverLate()
  await settle()
  expect(accounts.list()).toEqual([account])
})

describe('writes of an account', () => {
  it('wait for no other account', async () => {
    const { accounts, as, hold, heldCount, recover } = await open()
    const [busy, other] = [await accounts.create(pro), await accounts.create(pro)]
    hold()
    const rotating = accounts.rotateKey(as(busy.value), busy.key.id, { graceMs: 0 })
    await settle()
    const disabled = accounts.change(other.account.id, { isDisabled: true })
    const created = accounts.create(pro)
    await settle()
    expect(heldCount()).toBe(3)
    recover()
    expect((await disabled).isDisabled).toBe(true)
    await Promise.all([rotating, created])
  })

  it('make and rotate as many keys in an hour, whatever could not be written meanwhile', async () => {
    const { accounts, as, fail, recover } = await open()
    const { key, value } = await accounts.create(pro)
    const create = () => accounts.createKey(as(value), 'x')
    fail()
    for (let turn = 0; turn <= rotationsPerHour; turn++) {
      await expect(create()).rejects.toMatchObject(notConfirmed)
      const rotated = accounts.rotateKey(as(value), key.id, { graceMs: 0 })
      await expect(rotated).rejects.toMatchObject(notConfirmed)
    }
    recover()
    for (let turn = 0; turn < newKeysPerHour; turn++) await create()
    await expect(create()).rejects.toMatchObject({ code: 'rate_limited' })
  })

  it('counts no rotation that is refused', async () => {
    const { accounts, as } = await open()
    const { key, value } = await accounts.create(pro)
    let current = value
    const rotate = async (graceMs: number) => {
      current = (await accounts.rotateKey(as(current), key.id, { graceMs })).value
    }
    for (let turn = 0; turn < 5; turn++) await rotate(1)
    for (let turn = 0; turn < rotationsPerHour; turn++) {
      await expect(rotate(1)).rejects.toMatchObject({ code: 'validation_error' })
    }
    await rotate(0)
  })

  it('rotate its keys so often in an hour', async () => {
    const { accounts, as } = await open()
    const { key, value, account } = await accounts.create(pro)
    let current = value
    for (let turn = 0; turn < rotationsPerHour; turn++) {
      current = (await accounts.rotateKey(as(current), key.id, { graceMs: 0 })).value
    }
    const refused = await accounts
      .rotateKey(as(current), key.id, { graceMs: 0 })
      .catch((error: ApiError) => error)
    expect(refused).toMatchObject({ code: 'rate_limited', details: { retry_after: 3_600 } })
    expect(rotationsPerHour).toBeGreaterThan(newKeysPerHour)
    // The operator is not limited.
    await accounts.revokeKey(account.id, key.id)
  })
})
