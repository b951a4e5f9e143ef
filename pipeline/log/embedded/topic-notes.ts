/**
 * Notes about topics, in a file beside the store. They help to salvage a store that lost its rows:
 * only they tell the topic of an entry and the schema of its values.
 */

import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { noRoomCodes } from './store-file.ts'

export interface TopicNote {
  readonly id: number
  /** The offset below which compaction may have removed records; at least the topic's own `clean`. */
  readonly clean: number
  readonly schemas: readonly string[]
}

const noteName = 'topics.json'

/** Returns the notes by topic; empty if they cannot be read. */
export function readTopicNotes(path: string): ReadonlyMap<string, TopicNote> {
  try {
    return new Map(Object.entries(JSON.parse(readFileSync(join(path, noteName), 'utf8'))))
  } catch {
    return new Map()
  }
}

/** Writes the notes. On a full disk the file stays unchanged until the next call. */
export function writeTopicNotes(path: string, notes: Readonly<Record<string, TopicNote>>) {
  const file = join(path, noteName)
  try {
    writeFileSync(`${file}.part`, JSON.stringify(notes))
    renameSync(`${file}.part`, file)
  } catch (error) {
    if (!noRoomCodes.has(Math.abs((error as NodeJS.ErrnoException).errno ?? 0))) throw error
  }
}
