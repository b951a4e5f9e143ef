/** An archive that answers as a test says, for what an engine cannot be made to do at will. */

import { type ArchiveAccess, createArchiveAccess } from '../../api/archive-access.ts'
import type { Archive } from '../../pipeline/archive/archive.ts'

export interface ScriptedArchive {
  readonly access: ArchiveAccess
  /** How questions are answered from now on; null: as the archive behind answers them. */
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
