/** Copies the embedded log while it is written, and makes a copy a log of its own. */

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { open, type RootDatabase } from 'lmdb'
import { type LogState, withNewEpoch } from './log-state.ts'
import { openStore } from './store.ts'
import { isRolledBack } from './structure.ts'
import { isAliveIn, type Writer } from './writer-process.ts'

const options = { noSubdir: false, encoding: 'json', maxDbs: 4 } as const

/**
 * Writes the current state of the log in `from` to the new directory `to`, without its free space.
 * @returns whether a process writes to the log
 */
export async function copyLog(from: string, to: string): Promise<boolean> {
  await mkdir(to, { recursive: true })
  return reading(from, async (env) => {
    await env.backup(to, true)
    const writer = env.openDB('state', { encoding: 'json' })?.get('writer') as Writer | undefined
    return writer !== undefined && (await isAliveIn(from, writer))
  })
}

/** Returns how many bytes a copy of the log takes now: the size of its pages in use. */
export const copiedBytes = (from: string): Promise<number> =>
  reading(from, async (env) => {
    let bytes = 0
    for (const table of [env, ...tables.map((name) => env.openDB({ name }))]) {
      // Null for a table that a log without records does not have.
      const stats = table?.getStats() as TableStats | undefined
      if (!stats) continue
      const pages = stats.treeBranchPageCount + stats.treeLeafPageCount + stats.overflowPages
      bytes += stats.pageSize * (pages + metaPages)
    }
    return bytes
  })

const tables = ['state', 'entries'] as const
/** The pages at the start of the file, which belong to no table. */
const metaPages = 2

interface TableStats {
  readonly pageSize: number
  readonly treeBranchPageCount: number
  readonly treeLeafPageCount: number
  readonly overflowPages: number
}

async function reading<Value>(
  from: string,
  work: (env: RootDatabase) => Promise<Value>,
): Promise<Value> {
  // A read-only handle does not leave out commits that a crash has damaged, so the store is opened
  // once.
  if (isRolledBack(join(from, 'data.mdb'))) await (await openStore(from, 0)).close()
  const env = open(from, { ...options, readOnly: true })
  try {
    return await work(env)
  } finally {
    await env.close()
  }
}

/**
 * Makes a copy its own log. It lacks the records that the original wrote later, so readers must not continue from
 * positions of the original: the copy gets another epoch.
 * @param groups the groups that read the copy again from the oldest record kept
 */
export async function beginAnew(path: string, groups: readonly string[]): Promise<void> {
  const env = open(path, options)
  try {
    const state = env.openDB('state', { encoding: 'json' })
    env.transactionSync(() => {
      const log = state.get('log') as LogState | undefined
      if (typeof log?.epoch !== 'string') throw new Error('it is no log of overround')
      state.put('log', withNewEpoch(log, state))
      state.remove('writer')
      for (const group of groups) state.remove(['group', group])
    })
    await env.flushed
  } finally {
    await env.close()
  }
}
