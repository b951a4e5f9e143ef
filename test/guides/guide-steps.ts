/**
 * The commands of a guide, as they stand in it. A word behind `sh` or `json` says what is special about a
 * block:
 *
 *     streams               it goes on by itself: it is cut off once it has said something
 *     stopped               the service is not running
 *     needs=<file>          that file has to be there
 *     log                   it reads the text log of the service, which is in overround.log
 *     leaves-this-machine   it asks hosts elsewhere
 *     on-kafka              it starts a broker
 *     ingest                of JSON: a record that POST /ingest takes
 */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../schemas/project-root.ts'

export interface Step {
  /** Of the block's first line in the guide. */
  readonly line: number
  readonly language: string
  readonly marks: readonly string[]
  readonly text: string
}

export const guides: readonly string[] = [
  'README.md',
  ...readdirSync(join(projectRoot, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

/** Blocks of a guide that are commands, or records to push. */
export function stepsOf(guide: string): readonly Step[] {
  const text = readFileSync(join(projectRoot, guide), 'utf8')
  return [...text.matchAll(/^```(sh|json)([^\n]*)\n(.*?)^```$/gms)]
    .map(({ index, 1: language, 2: marks, 3: body }) => ({
      line: text.slice(0, index).split('\n').length + 1,
      language: language!,
      marks: marks!.trim().split(' ').filter(Boolean),
      text: body!,
    }))
    .filter(({ language, marks }) => language === 'sh' || marks.includes('ingest'))
}
