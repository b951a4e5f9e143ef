/** The command `overround export`, or `npm run export`: history as one file. Progress goes to standard error. */

import { parseArgs } from 'node:util'
import { parseInstant } from '../../schemas/http/query.ts'
import { exitCodes, explain } from '../command-line/exit-codes.ts'
import { serviceAccess } from '../command-line/service.ts'
import { countText } from '../web/count.ts'
import { datasets, type ExportOptions, exportHistory } from './export.ts'

const usage = `overround export <what> <from> <to> --out <file> [options]        (in a clone: npm run export -- …)

Downloads history from a running service, day by day, and joins the days into one file. If it is stopped,
run the same command again to resume.

  what                changes: every change of every price; closes: closing lines, by the start of events
  from, to            days (2026-09-01) or times (2026-09-01T18:00), UTC if they name no zone; to is exclusive

  --out <file>        where to write it
  --format <form>     csv, ndjson or parquet (parquet; it needs the package chdb here)
  --url <address>     of the service (OVERROUND_URL)
  --key-file <file>   holds the key of an account of the sharp tier or above (OVERROUND_KEY, or OVERROUND_EXPORT_KEY)
  --league, --sport, --event, --sportsbook, --market <ids>   some of it, comma-separated`

const filterNames = ['league', 'sport', 'event', 'sportsbook', 'market'] as const
const formats = ['csv', 'ndjson', 'parquet'] as const

const options = {
  out: { type: 'string' },
  format: { type: 'string', default: 'parquet' },
  url: { type: 'string' },
  'key-file': { type: 'string' },
  league: { type: 'string' },
  sport: { type: 'string' },
  event: { type: 'string' },
  sportsbook: { type: 'string' },
  market: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const

/** If both keys are set, the one for exports is used. */
const keyVariables = ['OVERROUND_EXPORT_KEY', 'OVERROUND_KEY']

const barLength = 30
const stop = new AbortController()
process.once('SIGINT', () => stop.abort())
process.once('SIGTERM', () => stop.abort())

const job = readArguments()
try {
  const rows = await exportHistory(job)
  process.stderr.write('\n')
  console.error(rows === 0 ? nothingIn(job) : `${countText(rows, 'row')} in ${job.out}`)
} catch (error) {
  process.stderr.write('\n')
  if (stop.signal.aborted) {
    console.error('Stopped. Run the same command again to resume.')
    process.exit(exitCodes.stopped)
  }
  const known = explain(error)
  if (!known) throw error
  console.error(known.message)
  process.exit(known.code)
}

function readArguments(): ExportOptions {
  let parsed: ReturnType<typeof parse>
  try {
    parsed = parse()
  } catch (error) {
    return refuse((error as Error).message)
  }
  const { values, positionals } = parsed
  if (values.help) {
    console.log(usage)
    process.exit(0)
  }
  const [named, first = '', last = ''] = positionals
  const what = datasets.find((one) => one === named)
  const format = formats.find((one) => one === values.format)
  const [from, to] = [timeOf(first), timeOf(last)]
  if (!what || positionals.length !== 3) return refuse(`what is ${datasets.join(' or ')}`)
  if (from === undefined || to === undefined || from >= to) {
    return refuse('from and to are days or times such as 2026-09-01T18:00Z, from before to')
  }
  if (to > Date.now()) {
    return refuse('to is in the future: end at a day that is over, or at a time that has passed')
  }
  if (!format) return refuse(`--format is one of ${formats.join(', ')}`)
  if (values.out === undefined) return refuse('--out is required')
  const filters = Object.fromEntries(
    filterNames.flatMap((name) => {
      const value = values[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
  const { base: address, key } = accessOf(values)
  const signal = stop.signal
  return {
    what,
    from,
    to,
    format,
    out: values.out,
    address,
    key,
    filters,
    signal,
    onProgress,
    onBehind,
  }
}

function accessOf({ url, 'key-file': keyFile }: { url?: string; 'key-file'?: string }) {
  const named = { ...(url !== undefined && { url }), ...(keyFile !== undefined && { keyFile }) }
  try {
    return serviceAccess(named, process.env, keyVariables)
  } catch (error) {
    const known = explain(error)
    if (!known) throw error
    return refuse(known.message)
  }
}

/** Returns the time (epoch ms) by the rule of the service; undefined for another text. */
function timeOf(text: string): number | undefined {
  const at = parseInstant(text)
  return at === undefined ? undefined : Math.floor(at / 1_000)
}

/** Says that an export has no rows, and what to look at. */
function nothingIn({ what, from, to, filters, out }: ExportOptions): string {
  const [first, last] = [from, to].map((at) =>
    new Date(at).toISOString().replace('T00:00:00.000Z', ''),
  )
  const named = Object.entries(filters).map(([name, value]) => `--${name} ${value}`)
  const matching = named.length > 0 ? ` for ${named.join(' ')}` : ''
  return [
    `No rows: the service has no ${what} from ${first} up to ${last}${matching} that this key may see. ${out} is written without any.`,
    what === 'changes'
      ? 'Changes are there from the day on which the archive began; a new service has none of yesterday.'
      : 'Closes are by the start of their events, and there from the day on which the archive began.',
    named.length > 0
      ? 'Leave the filters out to see whether anything is there, or try another period.'
      : 'Try another period, or a key of another account.',
  ].join('\n')
}

function parse() {
  return parseArgs({ options, allowPositionals: true })
}

function refuse(reason: string): never {
  console.error(`${reason}\n\n${usage}`)
  process.exit(exitCodes.usage)
}

function onBehind(message: string) {
  console.error(`${message}; waiting for it.`)
}

/** Rewrites one line on a terminal; prints a line per day elsewhere. */
function onProgress(done: number, bytes: number) {
  const full = Math.round(done * barLength)
  const bar = '#'.repeat(full) + '.'.repeat(barLength - full)
  const text = `[${bar}] ${(100 * done).toFixed(1)} %  ${(bytes / 1e6).toFixed(1)} MB`
  process.stderr.write(process.stderr.isTTY ? `\r${text}` : `${text}\n`)
}
