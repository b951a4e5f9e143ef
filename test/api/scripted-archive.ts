/** An archive with scripted responses, for failures that a real engine does not produce on demand. */

import { type ArchiveAccess, createArchiveAccess } from '../../api/archive-access.ts'
import type { Archive } from '../../pipeline/archive/archive.ts'

export interface ScriptedArchive {
  readonly access: ArchiveAccess
  /** Sets the responses from now on; null returns to the real archive. */
  answer(next: (() => Promise<unknown[]>) | null): void
}

export function createScriptedArchive(behind: Pick<Archive, 'query' | 'export'>): ScriptedArchive {
  let answer: (() => Promise<unknown[]>) | null = null
  const access = createArchiveAccess({
    query: async <Row>(...question: Parameters<Archive['query']>) =>
      answer ? ((await answer()) as Row[]) : behind.query<Row>(...question),
    export: behind.export,
    close: async () => {},
  })
  return {
    access,
    answer(next) {
      answer = next
    },
  }
}
