import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import type { Caller } from '../../api/access/keys.ts'
import { createSignedLinks } from '../../api/answer/signed-links.ts'
import { createArchiveAccess } from '../../api/archive-access.ts'
import { createPastBoards, mostPastPrices } from '../../api/past-boards.ts'
import type { QueryLimits } from '../../pipeline/archive/archive.ts'

const caller = { accountId: 'a', tier: 'sharp' } as Caller
const asked = { at: 0, eventIds: ['e'], leagues: undefined, sports: undefined }

/** Boards over an archive whose file of prices is this one. */
function boardsOver(file: () => Readable) {
  const limits: QueryLimits[] = []
  const access = createArchiveAccess({
    query: async <Row>() => [] as Row[],
    async export(_statement, _parameters, _format, ofFile) {
      limits.push(ofFile)
      return file()
    },
    close: async () => {},
  })
  const rows: typeof access.reads.rows = async <Row>(question: { statement: string }) =>
    (question.statement.startsWith('SELECT max(at)')
      ? [{ at: '1970-01-01 00:00:01.000' }]
      : []) as Row[]
  let now = 0
  return {
    boards: createPastBoards(
      { ...access, reads: { ...access.reads, rows } },
      () => now,
      createSignedLinks('of a test'),
    ),
    limits,
    advance(ms: number) {
      now += ms
    },
  }
}

it('is not ready when the archive breaks off its answer', async () => {
  const { boards } = boardsOver(() =>
    Readable.from(
      (function* () {
        yield '{"id":"100000000000001","event_id":"e",'
        throw new Error('aborted')
      })(),
    ),
  )
  await expect(boards.at(asked, caller)).rejects.toMatchObject({
    code: 'not_ready',
    details: { retry_after: 1 },
  })
})

it('lets the engine give one price more than a board may have, so that too many are told', async () => {
  const { boards, limits } = boardsOver(() => Readable.from([]))
  await boards.at(asked, caller)
  expect(limits.map(({ resultRows }) => resultRows > mostPastPrices)).toEqual([true])
})

it('loads a board anew after a minute, for what the archive had yet to take', async () => {
  const { boards, limits, advance } = boardsOver(() => Readable.from([]))
  await boards.at(asked, caller)
  advance(59_999)
  await boards.at(asked, caller)
  expect(limits).toHaveLength(1)
  advance(1)
  await boards.at(asked, caller)
  expect(limits).toHaveLength(2)
})
