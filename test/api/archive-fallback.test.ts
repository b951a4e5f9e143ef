/** Refusals of the archive that are no reason to refuse a request about bets. */

import { ClickHouseError } from '@clickhouse/client'
import { expect, test } from 'vitest'
import { createArchiveAccess } from '../../api/archive-access.ts'
import { orStoredWithoutArchive, orWithoutArchive } from '../../api/bets/archive-fallback.ts'
import { ApiError } from '../../api/errors.ts'
import { ArchiveError } from '../../pipeline/archive/archive.ts'

/** Reads from an archive that answers with this error of the engine. */
function readFrom(code: string) {
  const fail = async () => {
    const refused = new ClickHouseError({ message: 'refused', code, type: 'REFUSED' })
    throw new ArchiveError('too_much', refused.message, refused)
  }
  const { reads, limits } = createArchiveAccess({
    query: fail,
    export: fail,
    close: async () => {},
  })
  return () =>
    reads.rows({ caller: 'a', statement: 'SELECT 1', parameters: {}, limits: limits.pro })
}
const without = () => 'without'
const codeOf = (error: unknown) => (error as ApiError).code

test.each([
  // Rows and bytes.
  ['158', 'answer_too_large'],
  ['307', 'answer_too_large'],
  ['396', 'answer_too_large'],
  // Time and memory.
  ['159', 'without'],
  ['241', 'without'],
])('a read beyond the limit of code %s ends with %s', async (code, end) => {
  expect(await orWithoutArchive<unknown>(readFrom(code), without).catch(codeOf)).toBe(end)
  // Other routes have nothing in its place.
  await expect(readFrom(code)()).rejects.toMatchObject({ code: 'answer_too_large', status: 422 })
})

test.each(['158', '159', '307'])('nothing to be stored is refused for code %s', async (code) => {
  expect(await orStoredWithoutArchive<unknown>(readFrom(code), without)).toBe('without')
})

test('work beyond the limit of the account, and bugs, are refused all the same', async () => {
  for (const error of [new ApiError('work_limited', 'much'), new TypeError('bug')]) {
    const fail = () => Promise.reject(error)
    for (const or of [orWithoutArchive, orStoredWithoutArchive]) {
      await expect(or(fail, without)).rejects.toBe(error)
    }
  }
})
