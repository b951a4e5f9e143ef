import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { NewAlert } from '../../../api/alerts/alert-book.ts'
import { createSender } from '../../../api/alerts/sender.ts'
import { remoteIdOf } from '../../../api/alerts/target-requests.ts'
import { delivered, type Outcome, type Outgoing } from '../../../api/alerts/targets.ts'
import type { AlertRow, AlertTarget } from '../../../schemas/alert.ts'
import { visibilityBit } from '../../../schemas/opportunity.ts'
import { accountId, delivery, openBookInMemory } from './book-in-memory.ts'

const webhook = (url: string): AlertTarget => ({
  ...{ type: 'webhook', url, secret: 'whsec_c2VjcmV0', chatId: null },
})
const failed: Outcome = { ...delivered, isDelivered: false, problem: 'http_500' }
const goneForGood: Outcome = { ...failed, isGone: true, problem: 'http_410' }

let at: number
const clock = () => at
let stop: AbortController
let alert: AlertRow
let memory: ReturnType<typeof openBookInMemory>
/** Addresses of the attempts, and what the next ones come to. */
let sentTo: string[]
let outcomes: ((outgoing: Outgoing) => Promise<Outcome>)[]
let sender: ReturnType<typeof createSender>
let pauses: number
let isBlocked: boolean
let seen: number
let refused: string[]

beforeEach(async () => {
  at = 1_000
  stop = new AbortController()
  memory = openBookInMemory(clock)
  sentTo = []
  outcomes = []
  pauses = 0
  isBlocked = false
  seen = visibilityBit.all
  refused = []
  alert = await memory.book.add(
    accountId,
    {
      ...{ type: 'source', name: 'Sources', query: '', improvement: 1, perHour: 20, quiet: null },
      target: webhook('https://old.example.com/hook'),
    } as NewAlert,
    5,
  )
  sender = createSender({
    ...{ book: memory.book, write: memory.append, clock, signal: stop.signal, pausesMs: [1] },
    isBlocked: () => isBlocked,
    isBeyondRights: (row) => (row.visibilityBit ?? 0) > seen,
    refused: ({ id }) => refused.push(id),
    readingOf: () => ({ format: null, timeZone: 'UTC' }),
    targets: {
      send(outgoing) {
        sentTo.push('url' in outgoing ? outgoing.url : outgoing.to)
        return (outcomes.shift() ?? (async () => delivered))(outgoing)
      },
    },
    watcher: {
      ...{ holds() {}, decided() {}, worked() {}, sent() {} },
      paused() {
        pauses++
      },
    },
  })
  memory.book.watch(() => sender.review())
})
afterEach(async () => {
  stop.abort()
  await sender.ended
})

const rows = () => [...memory.book.all()]
const deliveryNow = () => memory.book.deliveriesOf(alert)[0]!

async function take(change = {}) {
  const row = delivery(alert.id, change)
  await memory.book.addDelivery(row)
  sender.take(row)
}

describe('a target that is gone for good', () => {
  it('pauses its alert', async () => {
    outcomes = [async () => goneForGood]
    await take()
    await expect.poll(rows).toMatchObject([{ isPaused: true, name: 'Sources' }])
    expect(rows()[0]!.pauseReason).toContain('http_410')
    expect(pauses).toBe(1)
  })

  it('does not pause an alert that got another target during the attempt', async () => {
    const target = webhook('https://new.example.com/hook')
    outcomes = [
      async () => {
        await memory.book.change(accountId, alert.id, { target })
        return goneForGood
      },
    ]
    await take()
    await expect.poll(() => deliveryNow().state).toBe('delivered')
    expect(rows()).toMatchObject([{ target, isPaused: false }])
    expect(sentTo).toEqual(['https://old.example.com/hook', 'https://new.example.com/hook'])
    expect(pauses).toBe(0)
  })

  it('does not bring back an alert that was deleted during the attempt', async () => {
    outcomes = [
      async () => {
        await memory.book.remove(accountId, alert.id)
        return goneForGood
      },
    ]
    await take()
    await expect.poll(() => memory.book.deliveriesOf(alert)[0]?.attempts).toBe(1)
    stop.abort()
    await sender.ended
    expect(rows()).toEqual([])
  })
})

it('messages of a blocked alert wait until it may run again', async () => {
  isBlocked = true
  await take()
  expect(sentTo).toEqual([])
  isBlocked = false
  sender.review()
  await expect.poll(() => deliveryNow().state).toBe('delivered')
})

it('messages decided when the account saw more are not sent, by themselves or again', async () => {
  outcomes = [
    async () => {
      seen = visibilityBit.hobby
      return failed
    },
  ]
  await take({ visibilityBit: visibilityBit.all })
  await expect.poll(() => deliveryNow().state).toBe('failed')
  expect(deliveryNow()).toMatchObject({ attempts: 1, problem: 'tier_restricted', message: '' })
  await take({ id: 'msg_2', visibilityBit: visibilityBit.hobby })
  await expect.poll(() => sentTo.length).toBe(2)
  await take({
    ...{ id: 'msg_3', visibilityBit: visibilityBit.pro },
    ...{ isRetried: false, deliveredAt: 7 },
  })
  const again = () => memory.book.findDelivery({ accountId, alertId: alert.id, id: 'msg_3' })
  await expect.poll(again).toMatchObject({
    ...{ state: 'delivered', problem: 'tier_restricted', deliveredAt: 7 },
    message: expect.stringContaining('fanduel is down'),
  })
  stop.abort()
  await sender.ended
  // What was told is not news again.
  expect(refused).toEqual(['msg_1'])
  expect(sentTo.length).toBe(2)
})

it('the hour after which a target counts as dead starts when its alert may run again', async () => {
  outcomes = Array.from({ length: 4 }, () => async () => failed)
  isBlocked = true
  await take()
  at += 2 * 3_600_000
  sender.review()
  await new Promise((resolve) => setImmediate(resolve))
  isBlocked = false
  sender.review()
  await expect.poll(() => deliveryNow().state).toBe('delivered')
  expect([sentTo.length, pauses]).toEqual([5, 0])
})

describe('in quiet hours', () => {
  const quiet = { from: 0, to: 1, timeZone: 'UTC' }

  it('a message that was decided before waits for their end', async () => {
    await memory.book.change(accountId, alert.id, { quiet })
    let sentAt = 0
    outcomes = [
      async () => {
        at = 59_999
        return failed
      },
      async () => {
        sentAt = at
        return delivered
      },
    ]
    at = -1
    await take({ decidedAt: -1 })
    await expect.poll(() => deliveryNow().attempts).toBe(1)
    at = 60_000
    await expect.poll(() => deliveryNow().state).toBe('delivered')
    expect(sentAt).toBe(60_000)
  })

  it('it is sent at once if the account ends them', async () => {
    await memory.book.change(accountId, alert.id, { quiet })
    await take()
    expect(sentTo).toEqual([])
    await memory.book.change(accountId, alert.id, { quiet: null })
    await expect.poll(() => deliveryNow().state).toBe('delivered')
  })

  it('the hour after which a target counts as dead does not include them', async () => {
    await memory.book.change(accountId, alert.id, { quiet: { ...quiet, to: 120 } })
    outcomes = Array.from({ length: 4 }, () => async () => failed)
    at = 120 * 60_000 - 1
    await take()
    at = 120 * 60_000
    await expect.poll(() => deliveryNow().state).toBe('delivered')
    expect([sentTo.length, pauses]).toEqual([5, 0])
  })
})

it('a pause and a change of the account that come together both stay', async () => {
  let write = () => {}
  const written = new Promise<void>((resolve) => {
    write = resolve
  })
  const pausing = memory.book.pauseUnchanged(alert, 'It is gone.', async (records) => {
    await written
    await memory.append(records)
  })
  const changing = memory.book.change(accountId, alert.id, { name: 'Books' })
  write()
  expect(await pausing).toBe(true)
  await changing
  expect(rows()).toMatchObject([{ name: 'Books', isPaused: true, pauseReason: 'It is gone.' }])
})

it('an edit that ends after its message was sent again does not undo that', async () => {
  const target: AlertTarget = {
    ...webhook('https://discord.com/api/webhooks/1/x'),
    type: 'discord',
  }
  await memory.book.change(accountId, alert.id, { target })
  const remoteId = (id: string) => remoteIdOf(target, JSON.stringify({ id }))
  const gone = delivery(alert.id, {
    ...{ state: 'delivered', deliveredAt: 1, remoteId: remoteId('12'), goneAt: 2 },
  })
  await memory.book.addDelivery(gone)
  outcomes = [
    async () => {
      await memory.book.addDelivery({ ...gone, revision: 'second', remoteId: remoteId('13') })
      return delivered
    },
  ]
  sender.edit(gone)
  await expect.poll(() => sentTo.length).toBe(1)
  stop.abort()
  await sender.ended
  expect(deliveryNow()).toMatchObject({
    ...{ revision: 'second', remoteId: remoteId('13'), editedAt: null },
  })
})

it('a message that had arrived stays delivered when it is sent again in vain', async () => {
  outcomes = [async () => failed]
  await take({ isRetried: false, deliveredAt: 7, attempts: 1, remoteId: 'x 1' })
  await expect.poll(() => deliveryNow().attempts).toBe(2)
  expect(deliveryNow()).toMatchObject({
    ...{ state: 'delivered', deliveredAt: 7, attemptedAt: 1_000 },
    ...{ problem: 'http_500', remoteId: 'x 1' },
  })
})

it('a message that had not arrived fails when it is sent again in vain', async () => {
  outcomes = [async () => failed]
  await take({ isRetried: false })
  await expect.poll(() => deliveryNow().attempts).toBe(1)
  expect(deliveryNow()).toMatchObject({ state: 'failed', deliveredAt: null })
})
