import { describe, expect, it } from 'vitest'
import { createFollower } from '../../api/follower.ts'
import { createLedger } from '../../api/ledger.ts'
import type { Append, Chunk } from '../../pipeline/log/log.ts'
import { topics } from '../../schemas/topics.ts'

const topic = topics.bets
const row = (key: string, revision: string): Append => ({
  ...{ topic, partitionKey: 0, key },
  value: { revision },
})
const deletion = (key: string): Append => ({ topic, partitionKey: 0, key, value: null })

/** Opens a ledger of revisions by key, on a log that accepts everything and returns what the test sets. */
function open() {
  const appended: Append[] = []
  const ledger = createLedger(
    { append: async (records) => void appended.push(...records) },
    {
      topic,
      empty: () => new Map<string, string>(),
      take(table, key, value) {
        if (value === null) table.delete(key)
        else table.set(key, (value as { revision: string }).revision)
      },
    },
  )
  const { take } = createFollower({ async *follow() {} }, [ledger], () => 0)
  const read = (records: readonly Append[], more: Partial<Chunk> = {}) =>
    take({ records, reset: false, caughtUp: true, ...more } as Chunk)
  const ends = (write: Promise<void>) => {
    const end = { outcome: 'waits' }
    write.then(
      () => (end.outcome = 'ended'),
      (error) => (end.outcome = error.message),
    )
    return async () => {
      await new Promise(setImmediate)
      return end.outcome
    }
  }
  read([], { reset: true })
  return { ledger, appended, read, ends }
}

describe('a write of a ledger', () => {
  it('ends when its last record has been read, not one of another revision', async () => {
    const { ledger, appended, read, ends } = open()
    const outcome = ends(ledger.write([row('a', '1'), row('b', '1')]))
    expect(await outcome()).toBe('waits')
    expect(appended).toHaveLength(2)
    read([row('a', '1'), row('b', '0')])
    expect(await outcome()).toBe('waits')
    read([row('b', '1')])
    expect(await outcome()).toBe('ended')
    expect([...ledger.table]).toEqual([
      ['a', '1'],
      ['b', '1'],
    ])
  })

  it('ends even if another process has overwritten or deleted it by the time it is read', async () => {
    const { ledger, read, ends } = open()
    const [first, second] = [
      ends(ledger.write([row('a', '1')])),
      ends(ledger.write([row('b', '1')])),
    ]
    await first()
    read([row('a', '1'), row('a', '2'), row('b', '1'), deletion('b')])
    expect([await first(), await second()]).toEqual(['ended', 'ended'])
    expect([...ledger.table]).toEqual([['a', '2']])
  })

  it('ends with a replay that no longer holds its record, and not before the replay is whole', async () => {
    const { ledger, read, ends } = open()
    read([row('b', '0')])
    const outcome = ends(ledger.write([deletion('b')]))
    expect(await outcome()).toBe('waits')
    read([], { reset: true, caughtUp: false })
    expect([await outcome(), [...ledger.table]]).toEqual(['waits', [['b', '0']]])
    read([row('c', '1')], { caughtUp: false })
    expect(await outcome()).toBe('waits')
    read([])
    expect([await outcome(), [...ledger.table]]).toEqual(['ended', [['c', '1']]])
  })

  it('waits for all its records, whoever writes them', async () => {
    const { ledger, read, ends } = open()
    const isAny = () => true
    const awaited = new Map([
      ['x', isAny],
      ['y', isAny],
    ])
    const outcome = ends(ledger.write([row('a', '1')], awaited))
    await outcome()
    read([row('a', '1'), deletion('x')])
    expect(await outcome()).toBe('waits')
    read([row('y', '7')])
    expect(await outcome()).toBe('ended')
  })

  it('fails when nothing more will be read', async () => {
    const { ledger, ends } = open()
    const outcome = ends(ledger.write([row('a', '1')]))
    await outcome()
    ledger.ended?.()
    expect(await outcome()).toBe('The service is stopping. Try again.')
  })
})

describe('the work of a lane', () => {
  it('runs one after the other, independent of other lanes and earlier failures', async () => {
    const { ledger } = open()
    const order: string[] = []
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const first = ledger.inTurn('one', async () => {
      await held
      order.push('first')
      throw new Error('it fails')
    })
    const second = ledger.inTurn('one', async () => void order.push('second'))
    await ledger.inTurn('two', async () => void order.push('other lane'))
    release()
    await expect(first).rejects.toThrow('it fails')
    await second
    expect(order).toEqual(['other lane', 'first', 'second'])
  })
})
