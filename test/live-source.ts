/** A live source that needs no key and offers nothing. Tests look at who polls it and how often. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { answerJson, openSource } from './pipeline/feeds/loopback-source.ts'

export interface LiveSource {
  /** Its name in OVERROUND_FEEDS and in tables. */
  readonly name: string
  /** The value of OVERROUND_FEEDS_FILE, by which a pipeline polls twice a second. */
  readonly file: string
  calls(): number
  close(): Promise<void>
}

/** @param directory directory for its settings */
export async function openLiveSource(directory: string): Promise<LiveSource> {
  let calls = 0
  const answer = answerJson([])
  const source = await openSource((path, response, request) => {
    calls++
    answer(path, response, request)
  })
  const name = 'bovada'
  const file = join(directory, 'feeds.json')
  const settings = { baseUrl: source.baseUrl, leagues: ['/soccer'], intervalMs: 500 }
  writeFileSync(file, JSON.stringify({ [name]: settings }))
  return { name, file, calls: () => calls, close: source.close }
}
