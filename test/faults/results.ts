/** Writes the table of a long run, as `results.md`. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../schemas/project-root.ts'
import type { Losses, Silences } from './load.ts'

export interface Outcome extends Silences {
  readonly fault: string
  /** Time from the end of the fault until all prices flowed (s); some seconds are always waited for. */
  readonly healedAfter: number
}

export interface LongRun {
  readonly outcomes: readonly Outcome[]
  readonly kills: number
  readonly seed: number
  readonly exits: number
  readonly losses: Losses
  readonly counts: {
    readonly acknowledged: number
    readonly reads: number
    readonly proofs: number
    readonly opportunities: number
    readonly archived: number
    readonly games: number
  }
  readonly machine: {
    readonly cpu: string
    readonly cores: number
    readonly memoryBytes: number
    /** The load average after each fault. */
    readonly loads: readonly number[]
  }
}

export function writeResults(run: LongRun) {
  writeFileSync(join(projectRoot, 'test', 'faults', 'results.md'), table(run))
}

function table({ outcomes, kills, seed, exits, losses, counts, machine }: LongRun): string {
  const { cpu, cores, memoryBytes, loads } = machine
  const names = [...new Set(outcomes.map(({ fault }) => fault))].sort()
  const rows = names.map((name) => {
    const of = outcomes.filter(({ fault }) => fault === name)
    const cells = (['prices', 'pricesElsewhere', 'reads', 'ingest', 'healedAfter'] as const).map(
      (what) => {
        const seconds = of.map((outcome) => outcome[what]).sort((a, b) => a - b)
        return `${median(seconds).toFixed(1)} (${seconds.at(-1)!.toFixed(1)})`
      },
    )
    return `| ${name} | ${of.length} | ${cells.join(' | ')} |`
  })
  const rest = Object.entries({ ...losses, exits }).map(
    ([name, count]) => `| ${spelt(name)} | ${count} |`,
  )
  return `# Faults

\`OVERROUND_TEST_KILLS=${kills} OVERROUND_TEST_SEED=${seed} npm run test:faults\`, ${new Date().toISOString().slice(0, 10)}, Node ${process.version}, on ${cores} x ${cpu}, ${Math.round(memoryBytes / 2 ** 30)} GB:
three brokers, a registry, ClickHouse (the embedded engine), two pipelines, two APIs, eight writers, two readers and two streams on one machine, whose load
average was ${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}. ${kills} processes were killed.

What must not happen, over ${counts.acknowledged} acknowledged statements, ${counts.reads} reads and ${counts.proofs} proofs
of streams; ${counts.archived} looked up in the archive, ${counts.games} games that started, each with its closes and a bet, and
${counts.opportunities} opportunities at the end:

| | count |
|---|---|
${rest.join('\n')}

Seconds without, median and longest of the times a fault was put in. Writers say something every tenth of a second and
readers ask as often; they take the other API when one does not answer within 2.5 s. Prices are those of the league that
waited longest; beside them the league that waited least. The last column counts from when the fault was taken away, and
is at least what is left of the six seconds for which each is watched.

| fault | times | prices | prices elsewhere | reads | ingest | all flows after |
|---|---|---|---|---|---|---|
${rows.join('\n')}
`
}

const median = (sorted: readonly number[]) =>
  sorted.length % 2 === 1
    ? sorted[(sorted.length - 1) / 2]!
    : (sorted[sorted.length / 2 - 1]! + sorted[sorted.length / 2]!) / 2

/** Turns lostUpdates into "lost updates". */
const spelt = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
