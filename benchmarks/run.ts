/**
 * Every benchmark in a process of its own, one after the other, and the table in `results.md`.
 *
 *     npm run bench            the embedded log and the views
 *     npm run bench -- kafka   Kafka as well (see infra/kafka-local)
 *     npm run bench -- rest    REST as well, which needs wrk and redis-server
 *     npm run bench -- streams the streams as well, which need cc
 */

import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { projectRoot } from '../schemas/project-root.ts'
import type { Result } from './measure.ts'

const withKafka = process.argv.includes('kafka')
const withRest = process.argv.includes('rest')
const withStreams = process.argv.includes('streams')
const workDir = mkdtempSync(join(tmpdir(), 'overround-bench-'))
const million = join(workDir, 'million')

/** On one core, as the goals are stated, where the system can pin a process. */
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
  const script = join(projectRoot, 'dist', 'benchmarks', file)
  const command = [...(pinned ? pin : []), process.execPath, '--expose-gc', script, ...args]
  console.error(`\n${command.slice(-1 - args.length).join(' ')}`)
  const child = spawn(command[0]!, command.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  for await (const text of child.stdout) output += text
  const line = output.trim().split('\n').at(-1) ?? ''
  return line.startsWith('[') ? (JSON.parse(line) as Result[]) : []
}

const results: Result[] = []
try {
  results.push(...(await bench('board.js')))
  if (withKafka) results.push(...(await bench('board.js', ['kafka'])))
  results.push(...(await bench('opportunities.js')))
  await bench('million-rows.js', [million], false)
  results.push(...(await bench('view.js', [million])))
  results.push(...(await bench('warm-start.js', [million], false)))
  if (withRest) results.push(...(await bench('rest.js', [million], false)))
  if (withStreams) results.push(...(await bench('streams.js', [million], false)))
  results.push(...(await bench('visibility.js', [], false)))
} finally {
  rmSync(workDir, { recursive: true, force: true })
}

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: projectRoot })
const machine = `${cpus().length} x ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}`
const rows = results.map(({ name, value, unit, goal, figures }) => {
  const further = Object.entries(figures).map(([figure, of]) => `${figure} ${of}`)
  return `| ${name} | ${value.toLocaleString('en')} ${unit} | ${further.join(', ')} | ${goal} |`
})
const asked = [withKafka && 'kafka', withRest && 'rest', withStreams && 'streams'].filter(Boolean)
const text = `# Measured

\`npm run bench${asked.length > 0 ? ` -- ${asked.join(' ')}` : ''}\` at commit ${commit.toString().trim()}, ${new Date().toISOString().slice(0, 10)}, on
${machine}${pin.length > 0 ? ', each process pinned to one core where the goal says so' : ''}.
Medians of five rounds; the machine is shared, so read the ranges too.

| what | median | further | goal |
|---|---|---|---|
${rows.join('\n')}
`
writeFileSync(join(projectRoot, 'benchmarks', 'results.md'), text)
console.log(text)
