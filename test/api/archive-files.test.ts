import { expect, test } from 'vitest'
import { createArchiveAccess } from '../../api/archive-access.ts'
import { createArchiveQuestions } from '../../api/ask/archive-questions.ts'

test.each([
  [0, 0, undefined],
  [7, 1_500, '2'],
  [7, null, 'unknown'],
  // Before the log has answered once, and while it refuses to tell.
  [null, null, 'unknown'],
])('a file with %s records behind for %s ms says %s', (behindRecords, behindMs, stated) => {
  const health = { state: 'answering', since: 0, reason: null, behindRecords, behindMs } as const
  const { file } = createArchiveQuestions(createArchiveAccess(null), () => health)
  const by = { caller: { accountId: 'a', tier: 'pro' } } as const
  const answer = file({ statement: 'SELECT 1', parameters: {} }, 'csv', 'name', by)
  expect((answer.headers as Record<string, string>)['X-Archive-Seconds-Behind']).toBe(stated)
})
