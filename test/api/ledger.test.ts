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

describe('a change of a row', () => {
  interface Fields {
    readonly revision: string
    readonly a: number
    readonly b: number
    readonly c: readonly number[]
  }
  const key = 'row'
  const first: Fields = { revision: '', a: 0, b: 0, c: [] }
  const record = (_: Fields, value: Fields | null): Append => ({
    topic,
    partitionKey: 0,
    key,
    value,
  })

  /** Two processes on one log, which each reads when the test says so. */
  function openTwo() {
    const log: Append[] = [record(first, first)]
    const openOne = () => {
      const ledger = createLedger(
        { append: async (records) => void log.push(...records) },
        {
          topic,
          empty: () => new Map<string, Fields>(),
          take(table, name, value) {
            if (value === null) table.delete(name)
            else table.set(name, structuredClone(value) as Fields)
          },
        },
      )
      const { take } = createFollower({ async *follow() {} }, [ledger], () => 0)
      let position = 0
      const read = (isFirst = false) => {
        take({ records: log.slice(position), reset: isFirst, caughtUp: true } as unknown as Chunk)
        position = log.length
      }
      read(true)
      const replay = (isWhole: boolean) => {
        const records = isWhole ? [...log] : []
        take({ records, reset: !ledger.isReplaying, caughtUp: isWhole } as unknown as Chunk)
        position = isWhole ? log.length : position
      }
      const now = () => ledger.table.get(key)
      const change = (fields: Partial<Fields>, check: (row: Fields) => void = () => {}) =>
        ledger.change<Fields>({
          find: now,
          make(row) {
            check(row)
            return { ...row, ...fields }
          },
          record,
        })
      const remove = () => ledger.write([record(first, null)])
      return { read, replay, now, change, remove }
    }
    const [one, two] = [openOne(), openOne()] as const
    /** Lets both read until nothing more is written. */
    const settle = async () => {
      for (let seen = -1; seen < log.length; ) {
        seen = log.length
        one.read()
        two.read()
        await new Promise(setImmediate)
      }
    }
    return { log, one, two, settle }
  }

  it('keeps the fields that another process has changed meanwhile', async () => {
    const { log, one, two, settle } = openTwo()
    const changes = [one.change({ a: 1, c: [1] }), two.change({ b: 2 })]
    await settle()
    const whole = { a: 1, b: 2, c: [1] }
    expect(await Promise.all(changes)).toMatchObject([{ a: 1 }, whole])
    expect([one.now(), two.now()]).toMatchObject([whole, whole])
    expect(log).toHaveLength(4)
  })

  it('is the last word on a field that both change, and on nothing else', async () => {
    const { one, two, settle } = openTwo()
    const changes = [one.change({ a: 1, b: 1 }), two.change({ a: 2 })]
    await settle()
    await Promise.all(changes)
    expect(one.now()).toMatchObject({ a: 2, b: 1 })
  })

  it('is taken back if the row that another process has written does not take it', async () => {
    const { one, two, settle } = openTwo()
    const noneWith = (name: 'a' | 'b') => (row: Fields) => {
      if (row[name] !== 0) throw new Error(`it has ${name}`)
    }
    const changes = [
      one.change({ a: 1, c: [1] }, noneWith('b')),
      two.change({ b: 2 }, noneWith('a')),
    ]
    const ends = Promise.allSettled(changes)
    await settle()
    expect(await ends).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { message: 'it has a' } },
    ])
    const first = { a: 1, b: 0, c: [1] }
    expect([one.now(), two.now()]).toMatchObject([first, first])
  })

  it('does not undo what is changed before a lost field is written again', async () => {
    const { log, one, two, settle } = openTwo()
    const changes = [one.change({ a: 1 }), two.change({ b: 2 })]
    one.read()
    changes.push(one.change({ a: 3 }))
    await settle()
    await Promise.all(changes)
    expect([one.now(), two.now()]).toMatchObject([
      { a: 3, b: 2 },
      { a: 3, b: 2 },
    ])
    expect(log.length).toBeLessThan(7)
  })

  it('does not bring back a row that another process has deleted', async () => {
    const { one, two, settle } = openTwo()
    const removed = one.remove()
    const changed = two.change({ b: 2 })
    await settle()
    await removed
    expect([await changed, one.now(), two.now()]).toEqual([undefined, undefined, undefined])
  })

  it('starts from the new table during a replay', async () => {
    const { log, one, two, settle } = openTwo()
    const other = two.change({ a: 1, b: 2 })
    two.read()
    await other
    one.replay(false)
    const changed = one.change({ a: 3 })
    await new Promise(setImmediate)
    expect(log).toHaveLength(2)
    one.replay(true)
    await new Promise(setImmediate)
    expect(log).toHaveLength(3)
    await settle()
    expect(await changed).toMatchObject({ a: 3, b: 2 })
  })

  it('keeps the fields that another process has changed, where a replay reads it back', async () => {
    const { one, two, settle } = openTwo()
    const other = two.change({ b: 2 })
    const changed = one.change({ a: 1 })
    await new Promise(setImmediate)
    one.replay(true)
    await settle()
    await Promise.all([other, changed])
    expect([one.now(), two.now()]).toMatchObject([
      { a: 1, b: 2 },
      { a: 1, b: 2 },
    ])
  })

  it('returns no row that a replay does not have', async () => {
    const { log, one } = openTwo()
    const changed = one.change({ a: 1 })
    await new Promise(setImmediate)
    log.length = 0
    one.replay(true)
    expect([await changed, one.now()]).toEqual([undefined, undefined])
  })

  it('writes once where nobody else writes', async () => {
    const { log, one, settle } = openTwo()
    const changed = one.change({ a: 1 })
    await settle()
    expect([await changed, log.length]).toEqual([expect.objectContaining({ a: 1 }), 2])
    expect(await changed).toBe(one.now())
  })
})
