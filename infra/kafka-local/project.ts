/** Paths of the project, for code that runs from its sources or compiled under `build/`. */

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Returns the directory whose package.json is overround's own. Paths relative to this file would break: the pom and
 * the data stay in `infra/kafka-local/` when the compiled file is under `build/`.
 * @throws Error if no parent directory is the project
 */
function findProjectRoot(from = dirname(fileURLToPath(import.meta.url))): string {
  for (let directory = from; ; directory = dirname(directory)) {
    const manifest = join(directory, 'package.json')
    if (existsSync(manifest)) {
      const { name } = JSON.parse(readFileSync(manifest, 'utf8')) as { name?: string }
      if (name === 'overround') return directory
    }
    if (directory === dirname(directory)) {
      throw new Error(`no parent of ${from} holds the package.json of overround`)
    }
  }
}

/** Returns `infra/kafka-local` in the source tree: the pom, and the ignored `target/` and `.run/`. */
export function kafkaLocalDirectory(): string {
  return join(findProjectRoot(), 'infra', 'kafka-local')
}
