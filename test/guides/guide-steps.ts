/**
 * The commands of a guide, as written in it. A word after `sh` or `json` marks a block:
 *
 *     streams               it does not end: it is cut off after its first output
 *     stopped               the service is not running
 *     needs=<file>          that file must exist
 *     log                   it reads the service's text log, which is in overround.log
 *     leaves-this-machine   it sends requests to other hosts
 *     on-kafka              it starts a broker
 *     ingest                for JSON: a record that POST /ingest takes
 *     response              for JSON: what the command before it returns, where "…" is any value
 *     fields                for JSON: fields that its response has, with other values
 */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../schemas/project-root.ts'

export interface Step {
  /** Line of the block's start in the guide. */
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

/** JSON blocks without one of these are only shown. */
const testedJson = ['ingest', 'response', 'fields']

/** Returns the blocks of a guide that are commands, responses, or records to push. */
export function stepsOf(guide: string): readonly Step[] {
  const text = readFileSync(join(projectRoot, guide), 'utf8')
  return [...text.matchAll(/^```(sh|json)([^\n]*)\n(.*?)^```$/gms)]
    .map(({ index, 1: language, 2: marks, 3: body }) => ({
      line: text.slice(0, index).split('\n').length + 1,
      language: language!,
      marks: marks!.trim().split(' ').filter(Boolean),
      text: body!,
    }))
    .filter(
      ({ language, marks }) => language === 'sh' || marks.some((mark) => testedJson.includes(mark)),
    )
}
