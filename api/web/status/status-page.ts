/** `/status` as HTML. The service renders all of it and the browser reloads it, so it needs no script. */

import type { Status } from '../../routes/status.ts'
import { countText } from '../count.ts'
import { escaped } from '../escaped.ts'

/** @param at epoch ms @returns the content of `<main>` */
export const statusBody = (status: Status, at: number): string =>
  [
    overview(status, at),
    sportsbooks(status),
    partitions(status),
    streams(status),
    sources(status, at),
  ].join('\n')

function overview(status: Status, at: number): string {
  const { health, board } = status
  const problems = Object.entries(health.checks).flatMap(([name, check]) =>
    check && check.status !== 'ok' ? [`${name}: ${check.message ?? check.status}`] : [],
  )
  const newest = board.newest_price_at
  const facts = [
    ['Process', `${status.process}, ${status.role}, version ${status.version}`],
    ['Up for', span(status.uptime_seconds)],
    ['Board', `${countText(board.prices, 'price')} on ${countText(board.events, 'event')}`],
    ['Newest price', newest === null ? 'none yet' : ago(newest, at)],
    ...problems.map((problem) => ['Problem', problem] as const),
  ] as const
  return `<h1>Status: <span class="${health.status}">${health.status}</span></h1>
<dl>${facts.map(([name, value]) => `<dt>${name}</dt><dd>${escaped(value)}</dd>`).join('')}</dl>`
}

const quantiles = ['p50_ms', 'p95_ms', 'p99_ms'] as const

function sportsbooks({ sportsbooks: all }: Status): string {
  const cells = (delays: Status['sportsbooks'][number]['book_to_board']) =>
    quantiles.map((quantile) => (delays ? duration(delays[quantile]) : '–'))
  return section(
    'Prices',
    'Delays in the last minute: Board is from the sportsbook to the board, Wire from the board to streams.',
    [
      'Sportsbook',
      ...['Board', 'Wire'].flatMap((to) => ['p50', 'p95', 'p99'].map((p) => `${to} ${p}`)),
    ],
    all.map((row) => [row.sportsbook, ...cells(row.book_to_board), ...cells(row.board_to_wire)]),
    'No prices came in the last minute. Check the sources below.',
  )
}

const partitions = ({ partitions: all }: Status) =>
  section(
    'Backlog',
    'Records that pipelines, and this process, have not processed yet. A running pipeline commits every second.',
    ['Partition', 'Pipelines', 'This process', 'Pipelines silent for'],
    all.map((row) => [
      String(row.partition),
      known(row.pipeline_lag_records),
      known(row.api_lag_records),
      row.pipeline_silent_seconds === null ? '–' : span(row.pipeline_silent_seconds),
    ]),
    'The log does not respond. Check that it runs and can be reached.',
  )

const streams = ({ streams: { sse, websocket } }: Status) =>
  section(
    'Streams',
    'Open streams of this process.',
    ['SSE', 'WebSocket'],
    [[whole(sse), whole(websocket)]],
  )

const sources = ({ sources: all }: Status, at: number) =>
  section(
    'Sources',
    'Live sources of all processes.',
    ['Source', 'State', 'For', 'Last success', 'Prices', 'What to do'],
    all.map((source) => [
      source.id,
      source.state.replaceAll('_', ' ') + (source.reason === null ? '' : ` (${source.reason})`),
      span((at - Date.parse(source.since)) / 1e3),
      source.last_success === null ? '–' : ago(source.last_success, at),
      whole(source.rows),
      source.advice ?? '',
    ]),
    'No live source runs. OVERROUND_FEEDS starts them. The simulator, recordings and pushed prices are not listed here.',
  )

function section(
  title: string,
  hint: string,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  none = '',
): string {
  if (rows.length === 0) return `<h2>${title}</h2>\n<p class="hint">${none}</p>`
  const head = heads.map((text) => `<th scope="col">${text}</th>`).join('')
  const body = rows.map(
    ([first = '', ...rest]) =>
      `<tr><th scope="row">${escaped(first)}</th>${rest.map((text) => `<td>${escaped(text)}</td>`).join('')}</tr>`,
  )
  return `<h2>${title}</h2>
<p class="hint">${hint}</p>
<div class="table"><table><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table></div>`
}

const whole = (count: number) => count.toLocaleString('en')
const known = (count: number | null) => (count === null ? '–' : whole(count))
const duration = (ms: number) => (ms < 1_000 ? `${ms} ms` : `${ms / 1_000} s`)

const ago = (instant: string, at: number) => `${span((at - Date.parse(instant)) / 1e3)} ago`

/** Formats a duration in its two largest units. */
function span(seconds: number): string {
  const s = Math.max(0, Math.round(seconds))
  if (s < 60) return `${s} s`
  if (s < 3_600) return `${Math.floor(s / 60)} min ${s % 60} s`
  if (s < 86_400) return `${Math.floor(s / 3_600)} h ${Math.floor((s % 3_600) / 60)} min`
  return `${Math.floor(s / 86_400)} d ${Math.floor((s % 86_400) / 3_600)} h`
}
