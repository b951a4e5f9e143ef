import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { ArchiveBusyError, createArchiveReads } from '../../../pipeline/archive/archive-reads.ts'
import { patienceMs } from '../../patience.ts'
import { startEngineArchive } from './engine-archive.ts'

const limits = { seconds: 1, resultRows: 1, readRows: 1, memoryBytes: 1 }
const of = (caller: string, statement = caller) => ({ caller, statement, parameters: {}, limits })

/** Creates an archive that responds when the test says so. */
function createSteppedArchive() {
  const asked: { statement: string; answer(): void }[] = []
  const streams: Readable[] = []
  return {
    asked: () => asked.map(({ statement }) => statement),
    async answer(statement: string) {
      const at = asked.findIndex((one) => one.statement === statement)
      const [found] = asked.splice(at, 1)
      found!.answer()
      await settle()
    },
    streams,
    query: <Row>(statement: string) =>
      new Promise<Row[]>((resolve) => asked.push({ statement, answer: () => resolve([]) })),
    async export() {
      const stream = Readable.from(['a'])
      streams.push(stream)
      return stream
    },
  }
}

/** Lets resolved promises continue. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('questions to the archive', () => {
  it('run a few at a time, the others in turn', async () => {
    const archive = createSteppedArchive()
    const reads = createArchiveReads(archive, { atATime: 2 })
    const all = ['a', 'b', 'c', 'd'].map((caller) => reads.rows(of(caller)))
    await settle()
    expect(archive.asked()).toEqual(['a', 'b'])
    await archive.answer('b')
    expect(archive.asked()).toEqual(['a', 'c'])
    await archive.answer('a')
    await archive.answer('c')
    await archive.answer('d')
    await Promise.all(all)
  })

  it('of one caller leave room for the others', async () => {
    const archive = createSteppedArchive()
    const reads = createArchiveReads(archive, { atATime: 3, ofOneCaller: 2 })
    const all = ['a1', 'a2', 'a3', 'a4'].map((statement) => reads.rows(of('a', statement)))
    all.push(reads.rows(of('b')))
    await settle()
    expect(archive.asked()).toEqual(['a1', 'a2', 'b'])
    for (const statement of ['b', 'a2', 'a1', 'a3', 'a4']) await archive.answer(statement)
    await Promise.all(all)
  })

  it('beyond the waiting limit are refused, and the place of a failed one is free', async () => {
    const archive = createSteppedArchive()
    const reads = createArchiveReads(archive, { atATime: 1, waiting: 2, waitingOfOneCaller: 1 })
    const first = reads.rows(of('a'))
    const second = reads.rows(of('a', 'a2'))
    await expect(reads.rows(of('a', 'a3'))).rejects.toBeInstanceOf(ArchiveBusyError)
    const third = reads.rows(of('b'))
    await expect(reads.rows(of('c'))).rejects.toBeInstanceOf(ArchiveBusyError)
    for (const statement of ['a', 'a2', 'b']) await archive.answer(statement)
    await Promise.all([first, second, third])

    const failing = createArchiveReads(
      {
        query: () => Promise.reject(new Error('no')),
        export: () => Promise.reject(new Error('no')),
      },
      { atATime: 1, waiting: 0 },
    )
    for (let i = 0; i < 3; i++) {
      await expect(failing.rows(of('a'))).rejects.toThrow('no')
      await expect(failing.file(of('a'), 'csv')).rejects.toThrow('no')
    }
  })

  it('keep the place of a file until it has been read, or given up', async () => {
    const archive = createSteppedArchive()
    const reads = createArchiveReads(archive, { atATime: 1, waiting: 5 })
    const file = await reads.file(of('a'), 'csv')
    const next = reads.rows(of('b'))
    await settle()
    expect(archive.asked()).toEqual([])
    file.destroy()
    await expect.poll(() => archive.asked()).toEqual(['b'])
    await archive.answer('b')
    await next
  })

  it('have a place that files never take', async () => {
    const archive = createSteppedArchive()
    const reads = createArchiveReads(archive, { atATime: 4, ofOneCaller: 2 })
    const files = await Promise.all(['a', 'b'].map((caller) => reads.file(of(caller), 'csv')))
    let isThirdThere = false
    const third = reads.file(of('c'), 'csv').then((file) => {
      isThirdThere = true
      return file
    })
    const rows = reads.rows(of('d'))
    await settle()
    expect([archive.asked(), isThirdThere]).toEqual([['d'], false])
    await archive.answer('d')
    await rows
    expect(isThirdThere).toBe(false)
    files[0]!.destroy()
    ;(await third).destroy()
    files[1]!.destroy()
  })

  it('start as many as the end of a file makes room for', async () => {
    const archive = createSteppedArchive()
    const reads = createArchiveReads(archive, { atATime: 5, ofOneCaller: 2 })
    const file = await reads.file(of('a'), 'csv')
    const other = await reads.file(of('a'), 'csv')
    const third = await reads.file(of('c'), 'csv')
    const rows = reads.rows(of('a'))
    const next = reads.file(of('b'), 'csv')
    await settle()
    expect([archive.asked(), archive.streams.length]).toEqual([[], 3])
    file.destroy()
    ;(await next).destroy()
    await expect.poll(() => archive.asked()).toEqual(['a'])
    await archive.answer('a')
    await rows
    other.destroy()
    third.destroy()
  })

  it("leave room for another caller's file", async () => {
    const archive = createSteppedArchive()
    const reads = createArchiveReads(archive)
    const first = await reads.file(of('a'), 'csv')
    const second = reads.file(of('a'), 'csv')
    const other = await reads.file(of('b'), 'csv')
    expect(archive.streams).toHaveLength(2)
    other.destroy()
    await settle()
    expect(archive.streams).toHaveLength(2)
    first.destroy()
    ;(await second).destroy()
  })

  it('as lines have the place that files never take', async () => {
    const archive = createSteppedArchive()
    const reads = createArchiveReads(archive)
    const files = await Promise.all(['a', 'b'].map((caller) => reads.file(of(caller), 'csv')))
    for (const caller of ['c', 'd']) {
      const lines = await reads.lines(of(caller))
      lines.destroy()
    }
    for (const file of files) file.destroy()
  })

  it('leave a place to rows beside two files and lines', async () => {
    const archive = createSteppedArchive()
    const reads = createArchiveReads(archive)
    const streams = [await reads.file(of('a'), 'csv'), await reads.file(of('b'), 'csv')]
    streams.push(await reads.lines(of('c')))
    const lines = reads.lines(of('d'))
    const rows = reads.rows(of('e'))
    await settle()
    expect([archive.asked(), archive.streams.length]).toEqual([['e'], 3])
    await archive.answer('e')
    await rows
    expect(archive.streams).toHaveLength(3)
    for (const stream of streams) stream.destroy()
    ;(await lines).destroy()
  })

  it('are refused when they have waited long enough', async () => {
    const archive = createSteppedArchive()
    const reads = createArchiveReads(archive, { atATime: 1, waitMs: 1 })
    const running = reads.rows(of('a'))
    await expect(reads.rows(of('b'))).rejects.toBeInstanceOf(ArchiveBusyError)
    await archive.answer('a')
    await running
    const next = reads.rows(of('c'))
    await settle()
    expect(archive.asked()).toEqual(['c'])
    await archive.answer('c')
    await next
  })

  it('end a file whose reader takes too long, and free its place', async () => {
    const archive = createSteppedArchive()
    const reads = createArchiveReads(archive, { atATime: 1, readingMs: 1 })
    const brief = { ...of('a'), limits: { ...limits, seconds: 0 } }
    const file = await reads.file(brief, 'csv')
    const next = reads.rows(of('b'))
    const failure = await new Promise((resolve) => file.once('error', resolve))
    expect(failure).toMatchObject({ code: 'too_much' })
    await expect.poll(() => archive.asked()).toEqual(['b'])
    await archive.answer('b')
    await next
  })

  it('fail as unavailable if there is no archive', async () => {
    const reads = createArchiveReads(null)
    await expect(reads.rows(of('a'))).rejects.toMatchObject({ code: 'unavailable' })
  })
})

it('an account with a hundred heavy queries does not delay another', async () => {
  const { archive, close } = await startEngineArchive()
  try {
    const reads = createArchiveReads(archive, { waitMs: patienceMs })
    const ample = { seconds: 50, resultRows: 10, readRows: 1e12, memoryBytes: 1e9 }
    const statement = 'SELECT sum(sipHash64(number)) AS s FROM numbers_mt(20000000)'
    const order: string[] = []
    const heavy = Array.from({ length: 100 }, () =>
      reads.rows({ caller: 'heavy', statement, parameters: {}, limits: ample }).then(
        () => order.push('heavy'),
        (error: unknown) => {
          if (!(error instanceof ArchiveBusyError)) throw error
          return 'refused'
        },
      ),
    )
    const small = { statement: 'SELECT 1 AS one', parameters: {}, limits: ample }
    expect(await reads.rows({ caller: 'small', ...small })).toEqual([{ one: 1 }])
    order.push('small')
    const refused = (await Promise.all(heavy)).filter((outcome) => outcome === 'refused')
    // Two of them ran and eight waited. The small one ran before any that had waited.
    expect(refused).toHaveLength(90)
    expect(order).toHaveLength(11)
    expect(order.indexOf('small')).toBeLessThanOrEqual(2)
  } finally {
    await close()
  }
})
