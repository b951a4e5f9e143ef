/**
 * The command `overround backtest`, or `npm run backtest`: the report goes to standard output, progress to standard
 * error.
 */

import { parseArgs } from 'node:util'
import { RecordingError } from '../feeds/replay/recording.ts'
import { chainsOf } from '../rules/odds/chains.ts'
import { anchors } from '../settings/anchors.ts'
import { fees as feesDecoder } from '../settings/fees.ts'
import { type BacktestProgress, backtest } from './backtest.ts'
import { NoSuchSportsbookError, readSportsbooks, requireRecorded } from './named-sportsbooks.ts'
import { toJson, writeReport } from './report.ts'
import { usualStaking } from './settlement.ts'

const usage = `overround backtest <recording> [options]        (in a clone: npm run backtest -- …)

Replays a recorded file, or a directory of them, through the processor of the service, and reports the
opportunities: how many, their worth at birth and at the peak, how long they lasted; how the lines closed; and what
bets on the +EV came to, where the recording has final scores.

  --json              as JSON, with each opportunity and each close
  --sharp <book>      the sportsbook that +EV and closes are measured against first (pinnacle)
  --no-consensus      +EV by sharp books alone, not by the consensus where none quotes a market
  --anchors <text>    what +EV of a league or sport is measured against, as in OVERROUND_ANCHORS
  --references <books>  these only measure others, comma-separated; no bet is made at them
  --fees <text>       exchange fees that count, as in OVERROUND_FEES: standard,betfair=0.02 (off)
  --without <books>   leaves out these sportsbooks, comma-separated
  --league <league>   for files that do not name theirs
  --kelly <fraction>  part of the full Kelly stake (0.25)
  --cap <fraction>    the most of the bankroll on one bet, with the capped plan (0.02)

Formats: push records (NDJSON), odds series and game lines (CSV), reference rows, football-data seasons and
fixtures, multibook seasons; plain or gzipped.`

const options = {
  json: { type: 'boolean', default: false },
  sharp: { type: 'string', default: '' },
  'no-consensus': { type: 'boolean', default: false },
  anchors: { type: 'string', default: '' },
  references: { type: 'string', default: '' },
  fees: { type: 'string', default: 'off' },
  without: { type: 'string', default: '' },
  league: { type: 'string' },
  kelly: { type: 'string', default: String(usualStaking.kelly) },
  cap: { type: 'string', default: String(usualStaking.cap) },
  help: { type: 'boolean', short: 'h', default: false },
} as const

const progressEveryMs = 1_000

const { values, positionals } = readArguments()
const [path] = positionals
if (values.help || path === undefined || positionals.length > 1) {
  const isHelp = values.help
  ;(isHelp ? console.log : console.error)(usage)
  process.exit(isHelp ? 0 : 2)
}
const stop = new AbortController()
process.once('SIGINT', () => stop.abort())
try {
  const without = readSportsbooks(values.without)
  const references = readSportsbooks(values.references)
  const sharp = readSportsbooks(values.sharp)
  const { league } = values
  const fees = readFees()
  const recording = { path, without, references, fees, ...(league !== undefined && { league }) }
  const [first = 'pinnacle', ...more] = sharp
  if (more.length > 0) refuse('--sharp is one sportsbook.')
  const chain = chainsOf({
    sharpBook: first,
    consensus: !values['no-consensus'],
    anchors: readAnchors(),
  })
  const staking = { kelly: fractionOf('kelly'), cap: fractionOf('cap') }
  const progress = createProgressLine()
  const result = await backtest(recording, chain, stop.signal, progress, staking)
  if (stop.signal.aborted) process.exit(130)
  process.stdout.write(
    `${values.json ? JSON.stringify(toJson(path, result)) : writeReport(path, result)}\n`,
  )
  // After the report, so that a long run is not wasted.
  requireRecorded({ sharp, references, without }, result.sportsbooks, (message) =>
    console.error(`Warning: ${message}`),
  )
} catch (error) {
  const isKnown = error instanceof RecordingError || error instanceof NoSuchSportsbookError
  if (!isKnown) throw error
  console.error(error.message)
  process.exit(2)
}

function refuse(reason: string): never {
  console.error(`${reason}\n\n${usage}`)
  process.exit(2)
}

/** Reads a fraction; ends the command for any other value. */
function fractionOf(name: 'kelly' | 'cap'): number {
  const fraction = Number(values[name])
  if (fraction > 0 && fraction <= 1) return fraction
  return refuse(`--${name} is a fraction above 0, at most 1.`)
}

function readAnchors() {
  const read = anchors.safeParse(values.anchors)
  return read.success ? read.data : refuse(`--anchors ${read.error.issues[0]?.message}.`)
}

function readFees() {
  const read = feesDecoder.safeParse(values.fees)
  return read.success ? read.data : refuse(`--fees ${read.error.issues[0]?.message}.`)
}

function readArguments() {
  try {
    return parseArgs({ options, allowPositionals: true })
  } catch (error) {
    return refuse((error as Error).message)
  }
}

/** Prints progress every second; on a terminal it rewrites one line. */
function createProgressLine() {
  let nextAt = performance.now() + progressEveryMs
  return ({ at, events, births }: BacktestProgress) => {
    if (performance.now() < nextAt) return
    nextAt = performance.now() + progressEveryMs
    const day = new Date(at).toISOString().slice(0, 10)
    const text = `${day}: ${events.toLocaleString('en')} events, ${births.toLocaleString('en')} opportunities`
    process.stderr.write(process.stderr.isTTY ? `\r${text}` : `${text}\n`)
  }
}
