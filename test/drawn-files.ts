/** Test files that draw their cases, themselves or by an import: another seed makes another test of them. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../schemas/project-root.ts'

/** The two modules that cases are drawn with. */
const sources: ReadonlySet<string> = new Set(['fast-check', join('test', 'seed.ts')])

/** Returns paths from the project's root, without tests that need a broker. */
export function filesThatDraw(): string[] {
  const known = new Map<string, boolean>()
  const isDrawing = (file: string): boolean => {
    const found = known.get(file)
    if (found !== undefined) return found
    // In a cycle of imports the other imports decide.
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

/** Returns imported packages by name and test files by path. Imported types draw nothing. */
function importsOf(file: string): string[] {
  if (!file.startsWith('test/') || !file.endsWith('.ts')) return []
  const text = readFileSync(join(projectRoot, file), 'utf8')
  const imports = text.matchAll(/^(?:import|export)\b(?! type\b)[^'"]*?'([^']+)'/gm)
  return [...imports].map(([, name]) => (name!.startsWith('.') ? join(file, '..', name!) : name!))
}
