/** Which test files draw their cases, themselves or by what they import: those that another seed makes another test of. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../schemas/project-root.ts'

/** What is drawn comes from either. */
const sources: ReadonlySet<string> = new Set(['fast-check', join('test', 'seed.ts')])

/** Paths from the root of the project, without the tests that need a broker. */
export function filesThatDraw(): string[] {
  const known = new Map<string, boolean>()
  const isDrawing = (file: string): boolean => {
    const found = known.get(file)
    if (found !== undefined) return found
    // Where imports go in a circle, the others decide.
    known.set(file, false)
    const draws = importsOf(file).some((name) => sources.has(name) || isDrawing(name))
    known.set(file, draws)
    return draws
  }
  return readdirSync(join(projectRoot, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !file.includes('kafka'))
    .map((file) => join('test', file))
    .filter(isDrawing)
    .sort()
}

/** Packages by name, files of the tests by path; types draw nothing. */
function importsOf(file: string): string[] {
  if (!file.startsWith('test/') || !file.endsWith('.ts')) return []
  const text = readFileSync(join(projectRoot, file), 'utf8')
  const imports = text.matchAll(/^(?:import|export)\b(?! type\b)[^'"]*?'([^']+)'/gm)
  return [...imports].map(([, name]) => (name!.startsWith('.') ? join(file, '..', name!) : name!))
}
