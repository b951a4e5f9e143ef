/**
 * Runs the benchmarks one after another, each in its own process, and writes their tables to `results.md`. Parts that do
 * not run keep their figures.
 *
 *     npm run bench            the embedded log and the views
 *     npm run bench -- kafka   Kafka (see infra/kafka-local)
 *     npm run bench -- processes  one process, one of each role, two of each, on Kafka
 *     npm run bench -- reads   expensive reads, without sockets, on boards of four sizes
 *     npm run bench -- rest    REST, which needs wrk and redis-server
 *     npm run bench -- streams the streams, which need cc
 *     npm run bench -- filters 1,000 streams with different filters, without sockets
 *     npm run bench -- alerts  1,000 rules of each type
 *     npm run bench -- compression  responses and streams in all codings
 *     npm run bench -- web     the odds board, which needs Chromium
 *     npm run bench -- archive the archive, which needs 20 GB of disk and half an hour
 *
 * Several parts may be named; without a name, `views` runs.
 */

import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { projectRoot } from '../schemas/project-root.ts'
import type { Result } from './measure.ts'

const parts = [
  'views',
  'kafka',
  'processes',
  'reads',
  'rest',
  'streams',
  'filters',
  'alerts',
  'compression',
  'web',
  'archive',
] as const
type Part = (typeof parts)[number]
/** The parts that need no board of a million rows. */
const boardless: ReadonlySet<Part> = new Set(['kafka', 'filters', 'alerts', 'web', 'archive'])
const named = process.argv.slice(2)
const unknown = named.find((name) => !parts.some((part) => part === name))
if (unknown !== undefined) throw new Error(`no part ${unknown}; there are ${parts.join(', ')}`)
const chosen = parts.filter((part) =>
  named.length === 0 ? part === 'views' : named.includes(part),
)
const workDir = mkdtempSync(join(tmpdir(), 'overround-bench-'))
const million = join(workDir, 'million')

/** Pins to one core where the system can, because the goals are for one core. */
const pin = hasTaskset() ? ['taskset', '-c', '0'] : []

function hasTaskset(): boolean {
  try {
    execFileSync('taskset', ['-c', '0', 'true'])
    return true
  } catch {
    return false
  }
}

async function bench(file: string, args: readonly string[] = [], pinned = true): Promise<Result[]> {
  const script = fileURLToPath(new URL(file, import.meta.url))
  const command = [...(pinned ? pin : []), process.execPath, '--expose-gc', script, ...args]
  console.error(`\n${command.slice(-1 - args.length).join(' ')}`)
  const child = spawn(command[0]!, command.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  for await (const text of child.stdout) output += text
  const line = output.trim().split('\n').at(-1) ?? ''
  return line.startsWith('[') ? (JSON.parse(line) as Result[]) : []
}

const measures: Readonly<Record<Part, () => Promise<Result[]>>> = {
  views: async () => [
    ...(await bench('matching.js')),
    ...(await bench('board.js')),
    ...(await bench('opportunities.js')),
    ...(await bench('view.js', [million])),
    ...(await bench('warm-start.js', [million], false)),
    ...(await bench('visibility.js', [], false)),
    ...(await bench('log-bytes.js')),
  ],
  kafka: () => bench('board.js', ['kafka']),
  processes: () => bench('side-by-side.js', [], false),
  reads: async () => {
    const results: Result[] = []
    for (const rows of [15_000, 100_000, 320_000, 1_000_000]) {
      const board = rows === 1_000_000 ? million : join(workDir, `board-${rows}`)
      if (board !== million) await bench('million-rows.js', [board, String(rows)], false)
      results.push(...(await bench('reads.js', [board], false)))
    }
    results.push(...(await bench('book-sets.js')))
    return results
  },
  rest: () => bench('rest.js', [million], false),
  streams: () => bench('streams.js', [million], false),
  filters: () => bench('stream-filters.js'),
  alerts: () => bench('alerts.js'),
  compression: () => bench('compression.js', [million], false),
  web: () => bench('web-board.js', [], false),
  archive: () => bench('archive.js', [], false),
}

const file = join(projectRoot, 'benchmarks', 'results.md')
const sections = sectionsOf(readFileSync(file, 'utf8'))
try {
  if (chosen.some((part) => !boardless.has(part))) await bench('million-rows.js', [million], false)
  for (const part of chosen) {
    sections.set(part, sectionText(part, await measures[part]()))
    writeFileSync(file, textOf(sections))
  }
} finally {
  rmSync(workDir, { recursive: true, force: true })
}
console.log(textOf(sections))

/** Returns the sections of the file by heading, including handwritten ones. */
function sectionsOf(text: string): Map<string, string> {
  const sections = text.split(/^(?=## )/m).slice(1)
  return new Map(
    sections.map((section) => [section.slice(3, section.indexOf('\n')), section.trim()]),
  )
}

function sectionText(part: Part, results: readonly Result[]): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: projectRoot })
  const machine = `${cpus().length} x ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}`
  const command = `npm run bench${part === 'views' ? '' : ` -- ${part}`}`
  const rows = results.map(({ name, value, unit, goal, figures }) => {
    const further = Object.entries(figures).map(([figure, shown]) => `${figure} ${shown}`)
    return `| ${name} | ${value.toLocaleString('en')} ${unit} | ${further.join(', ')} | ${goal} |`
  })
  return `## ${part}

\`${command}\` at commit ${commit.toString().trim()}, ${new Date().toISOString().slice(0, 10)}, on ${machine}.

| what | median | further | goal |
|---|---|---|---|
${rows.join('\n')}`
}

function textOf(texts: ReadonlyMap<string, string>): string {
  return `# Measured

Each process is pinned to one core where the goal says so. Figures are medians of five rounds, of
streams three. The machine is shared, and its pace differs by a factor of two from hour to hour (the
static pages of \`rest\` and the bare loops of \`streams\` show it): read ratios first, and ranges too.

${[...texts.values()].join('\n\n')}
`
}
