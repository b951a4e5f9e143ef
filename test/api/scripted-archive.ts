/** An archive that answers each question as a test says, for what an engine cannot be made to do at will. */

import { type ArchiveAccess, createArchiveAccess } from '../../api/archive-access.ts'

export interface ScriptedArchive {
  readonly access: ArchiveAccess
  /** How questions are answered from now on. Default: with no rows. */
  answer(next: () => Promise<unknown[]>): void
}

export function createScriptedArchive(): ScriptedArchive {
  let answer: () => Promise<unknown[]> = async () => []
  const access = createArchiveAccess({
    query: async <Row>() => (await answer()) as Row[],
    export: () => Promise.reject(new Error('no file is asked of it')),
    close: async () => {},
  })
  return {
    access,
    answer(next) {
      answer = next
    },
  }
}
