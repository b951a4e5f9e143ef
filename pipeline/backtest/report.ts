/** The report of a backtest, as text and as JSON. Fractions become percent. */

import { type OpportunityKind, wordsOf } from '../../schemas/opportunity.ts'
import type { MeanRange } from '../rules/odds/bettor-clv.ts'
import type { Fees } from '../rules/odds/fees.ts'
import { isoTime } from '../text/iso-time.ts'
import type { Backtest } from './backtest.ts'
import type { Close } from './closes.ts'
import type { Life, LifeEnd } from './lives.ts'
import { bankroll, flatStake, type Settlement } from './settlement.ts'
import {
  type CloseSummary,
  type KindSummary,
  type Spread,
  summariseCloses,
  summariseLives,
} from './summary.ts'

const bestCount = 5

const kindName = (kind: OpportunityKind) => {
  const words = wordsOf(kind)
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

const endNames: Readonly<Record<LifeEnd, string>> = {
  prices: 'prices moved',
  seen: 'not seen again',
  started: 'the start',
  over: 'the end of the event',
  recording: 'alive at the end',
}

/** Returns the report as text. */
export function writeReport(path: string, { from, to, ...result }: Backtest): string {
  if (from === null || to === null) return `${path} holds nothing with a time.`
  const span = `${shownTime(from)} to ${shownTime(to)}`
  const odds = (result.counts.get('odds') ?? 0).toLocaleString('en')
  const head = [
    `${path}`,
    `${span}, ${result.events} events, ${odds} statements of prices`,
    feesNote(result.fees),
  ]
  const kinds = summariseLives(result.lives, bestCount)
  return [
    ...head,
    ...(kinds.length === 0 ? ['', 'No opportunities.'] : kindTable(kinds)),
    ...kinds.flatMap(kindDetails),
    ...withheldNote(result.withheld),
    ...settlementTables(result.settlement),
    ...closeTable(summariseCloses(result.closes)),
    ...leftOut(result.counts),
  ].join('\n')
}

/** Returns everything as JSON: figures by kind, each life, figures of closes and each close. */
export function toJson(
  path: string,
  { from, to, events, fees, counts, withheld, lives, closes, settlement }: Backtest,
): object {
  return {
    recording: path,
    from: from === null ? null : isoTime(from),
    to: to === null ? null : isoTime(to),
    events,
    fees: Object.fromEntries([...fees].map(([book, { on, rate }]) => [book, { on, rate }])),
    counts: Object.fromEntries(counts),
    withheld: Object.fromEntries(withheld),
    kinds: summariseLives(lives, bestCount).map(({ best: _, ...summary }) => ({
      kind: summary.kind,
      births: summary.births,
      suspected: summary.suspected,
      worth_at_birth_percent: spreadJson(summary.worthAtBirth, percentOf),
      peak_percent: spreadJson(summary.peak, percentOf),
      lifetime_seconds: spreadJson(summary.lifetimeMs, (ms) => ms / 1_000),
      ended_by: Object.fromEntries(summary.endedBy),
      by_market: Object.fromEntries(summary.byMarket),
    })),
    opportunities: lives.map(lifeJson),
    settlement: settlementJson(settlement),
    closing_lines: summariseCloses(closes).map((of) => ({
      market_type: of.marketType,
      sportsbook: of.sportsbook,
      lines: of.lines,
      complete: of.complete,
      overround_percent: percentOf(of.overround),
      clv_samples: of.measured,
      avg_clv_percent: percentOf(of.value),
      avg_abs_clv_percent: percentOf(of.absoluteValue),
    })),
    closes: closes.map(closeJson),
  }
}

// ---- text

function feesNote(fees: Fees): string {
  if (fees.size === 0) return 'No fees of exchanges count.'
  const shown = [...fees].map(([sportsbook, { on, rate }]) => {
    const share = `${percentOf(rate)} %`
    return `${sportsbook} ${on === 'contract' ? `${share} x p (1 - p) a contract` : `${share} of winnings`}`
  })
  return `Worth and results count after fees: ${shown.join(', ')}.`
}

function kindTable(kinds: readonly KindSummary[]): string[] {
  return [
    '',
    ...table(
      ['', 'births', 'flagged', 'worth at birth', 'peak', 'highest', 'lifetime', 'longest'],
      kinds.map(({ kind, births, suspected, worthAtBirth, peak, lifetimeMs }) => [
        kindName(kind),
        births.toLocaleString('en'),
        suspected.toLocaleString('en'),
        shownWorth(kind, worthAtBirth.median),
        shownWorth(kind, peak.median),
        shownWorth(kind, peak.most),
        shownDuration(lifetimeMs.median),
        shownDuration(lifetimeMs.most),
      ]),
    ),
    'Worth is what a stake of 1 gains; a low hold shows its hold, which is lowest at the peak. Worth, peak and',
    'lifetime are medians. Below, the highest peaks, with the prices of their births.',
    ...sparseNote(kinds),
  ]
}

/** Warns when most lives ended unseen: the recording is too sparse, and lifetimes show only the expiry times. */
function sparseNote(kinds: readonly KindSummary[]): string[] {
  const births = kinds.reduce((sum, kind) => sum + kind.births, 0)
  const unseen = kinds.reduce((sum, { endedBy }) => sum + (endedBy.get('seen') ?? 0), 0)
  if (2 * unseen < births) return []
  return [
    'Most ended because the recording does not show their prices again while they count (5 minutes before',
    'the start, 1 in play): its readings lie further apart, and lifetimes are no longer than that.',
  ]
}

function kindDetails({ kind, endedBy, byMarket, best }: KindSummary): string[] {
  const counts = <Key extends string>(of: ReadonlyMap<Key, number>, name: (key: Key) => string) =>
    [...of].map(([key, count]) => `${name(key)} ${count.toLocaleString('en')}`).join(', ')
  return [
    '',
    kindName(kind),
    `  by market: ${counts(byMarket, (market) => market)}`,
    `  ended by: ${counts(endedBy, (end) => endNames[end])}`,
    ...best.map((life) => `  ${shownWorth(kind, life.peak).padStart(8)}  ${shownLife(life)}`),
  ]
}

function shownLife(life: Life): string {
  const { homeTeam, awayTeam, marketType, playerName, legs, bornAt, isSuspected } = life
  const legTexts = legs.map(({ sportsbook, selectionType, line, price }) =>
    [sportsbook, selectionType, line, price].filter((part) => part !== null).join(' '),
  )
  const player = playerName === null ? '' : ` ${playerName}`
  const flag = isSuspected ? ' (flagged)' : ''
  return `${shownTime(bornAt)}  ${homeTeam} v ${awayTeam}, ${marketType}${player}: ${legTexts.join(' + ')}${flag}`
}

function withheldNote(withheld: Backtest['withheld']): string[] {
  const all = [...withheld.values()].reduce((sum, count) => sum + count, 0)
  if (all === 0) return []
  const reasons = [...withheld].map(([reason, count]) => `${reason.replaceAll('_', ' ')} ${count}`)
  return [
    '',
    `Withheld as wrong, and so in no opportunity: ${all.toLocaleString('en')} prices (${reasons.join(', ')})`,
  ]
}

function settlementTables({ bets, unsettled, plans, halves, ...of }: Settlement): string[] {
  if (bets.length === 0) return []
  const outcomes = [...countsOf(bets)].map(([outcome, count]) => `${count} ${outcome}`)
  return [
    '',
    `+EV as bets at the first price: ${bets.length} settled by the score (${outcomes.join(', ').replaceAll('_', ' ')}), ${unsettled} not`,
    `  yield of flat stakes ${shownRange(of.yield)}`,
    ...table(
      ['plan', 'bets', 'staked', 'profit', 'ROI', 'yield', 'drawdown', 'of its height'],
      plans.map((plan) => [
        plan.plan,
        plan.bets.toLocaleString('en'),
        plan.staked.toFixed(2),
        plan.profit.toFixed(2),
        shownPercent(plan.roi),
        shownPercent(plan.yield),
        plan.drawdown.toFixed(2),
        shownPercent(plan.drawdownShare),
      ]),
    ),
    ...halves.map(
      ({ from, to, bets: count, edge, yield: range }) =>
        `  ${from} to ${to}: ${count} bets, edge ${shownPercent(edge)}, yield ${shownRange(range)}`,
    ),
    `Bankroll ${bankroll}, flat stake ${flatStake}. ROI: profit by bankroll; yield: profit by stakes, with its 95 % interval over games.`,
    'A yield without an interval, or with 0 in it, or whose halves differ in sign, shows no edge.',
  ]
}

const countsOf = (bets: Settlement['bets']) =>
  bets.reduce(
    (counts, { outcome }) => counts.set(outcome, (counts.get(outcome) ?? 0) + 1),
    new Map<string, number>(),
  )

function shownRange(range: MeanRange | null): string {
  if (!range) return '-'
  const { mean, low, high } = range
  return low === null || high === null
    ? shownPercent(mean)
    : `${shownPercent(mean)} (${shownPercent(low)} to ${shownPercent(high)})`
}

function closeTable(closes: readonly CloseSummary[]): string[] {
  if (closes.length === 0) return ['', 'No closes.']
  return [
    '',
    'Closes: what was on offer at the start',
    ...table(
      ['market', 'sportsbook', 'lines', 'margin', 'measured', 'CLV', '|CLV|'],
      closes.map((of) => [
        of.marketType,
        of.sportsbook,
        of.lines.toLocaleString('en'),
        shownPercent(of.overround),
        of.measured.toLocaleString('en'),
        shownPercent(of.value),
        shownPercent(of.absoluteValue),
      ]),
    ),
    "CLV: the sharp book's close without margin over this one's, less one, by answer; means.",
  ]
}

/** Returns counts of records that were not placed or left out, by reason. */
function leftOut(counts: ReadonlyMap<string, number>): string[] {
  const skipped = [...counts].filter(([code]) => /^(skipped|unpublishable) |^after_end$/.test(code))
  if (skipped.length === 0) return []
  return [
    '',
    'Left out',
    ...skipped.map(([code, count]) => `  ${count.toLocaleString('en')}  ${code}`),
  ]
}

/** Returns a text table: columns of words are left-aligned, columns of numbers right-aligned. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((name, i) => Math.max(name.length, ...rows.map((row) => row[i]!.length)))
  const isWord = (i: number) => rows.every((row) => !/^[-\d]/.test(row[i]!))
  return [head, ...rows].map((row) =>
    row
      .map((cell, i) => (isWord(i) ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
      .join('  ')
      .trimEnd(),
  )
}

const shownTime = (at: number) => isoTime(at).slice(0, 16).replace('T', ' ')

/** Returns the shown worth. Of a low hold, that is the hold: minus its worth. */
const shownWorth = (kind: OpportunityKind, worth: number) =>
  kind === 'low_hold' ? `hold ${shownPercent(0 - worth)}` : shownPercent(worth)

const shownPercent = (fraction: number | null) =>
  fraction === null ? '-' : `${(Math.round(1e4 * fraction) / 100 + 0).toFixed(2)} %`

function shownDuration(ms: number): string {
  const minutes = ms / 60_000
  if (minutes < 1) return `${Math.round(ms / 1_000)} s`
  return minutes < 120 ? `${Math.round(minutes)} min` : `${(minutes / 60).toFixed(1)} h`
}

// ---- JSON

const percentOf = (fraction: number | null) =>
  fraction === null ? null : Math.round(1e8 * fraction) / 1e6

const spreadJson = ({ median, p90, most }: Spread, show: (value: number) => number | null) => ({
  median: show(median),
  p90: show(p90),
  max: show(most),
})

const rangeJson = (range: MeanRange | null) =>
  range && {
    percent: percentOf(range.mean),
    low: percentOf(range.low),
    high: percentOf(range.high),
  }

const settlementJson = ({ bets, unsettled, plans, halves, ...of }: Settlement) => ({
  settled: bets.length,
  unsettled,
  outcomes: Object.fromEntries(countsOf(bets)),
  yield: rangeJson(of.yield),
  bankroll,
  plans: plans.map((plan) => ({
    plan: plan.plan,
    bets: plan.bets,
    staked: plan.staked,
    profit: plan.profit,
    roi_percent: percentOf(plan.roi),
    yield_percent: percentOf(plan.yield),
    max_drawdown: plan.drawdown,
    max_drawdown_percent: percentOf(plan.drawdownShare),
  })),
  halves: halves.map((half) => ({
    from: half.from,
    to: half.to,
    bets: half.bets,
    edge_percent: percentOf(half.edge),
    yield: rangeJson(half.yield),
  })),
  bets: bets.map(({ life, price, net, edge, outcome, settledAt }) => ({
    id: life.id,
    made_at: isoTime(life.bornAt),
    odds_decimal: price,
    odds_after_fee: net,
    edge_percent: percentOf(edge),
    outcome,
    settled_at: isoTime(settledAt),
  })),
})

const lifeJson = (life: Life) => ({
  id: life.id,
  kind: life.kind,
  event_id: life.eventId,
  league: life.league,
  home_team: life.homeTeam,
  away_team: life.awayTeam,
  market_type: life.marketType,
  player_name: life.playerName,
  is_live: life.isLive,
  is_suspected: life.isSuspected,
  legs: life.legs.map(({ sportsbook, selectionType, line, price, net }) => ({
    sportsbook,
    selection_type: selectionType,
    line,
    odds_decimal: price,
    odds_after_fee: net,
  })),
  born_at: isoTime(life.bornAt),
  worth_at_birth_percent: percentOf(life.worthAtBirth),
  peak_percent: percentOf(life.peak),
  peak_at: isoTime(life.peakAt),
  ended_at: isoTime(life.endedAt),
  ended_by: life.end,
})

const closeJson = (close: Close) => ({
  event_id: close.eventId,
  league: close.league,
  home_team: close.homeTeam,
  away_team: close.awayTeam,
  start_time: isoTime(close.startsAt),
  sportsbook: close.sportsbook,
  market_type: close.marketType,
  player_name: close.playerName,
  line: close.line,
  withheld: close.withheld,
  overround_percent: percentOf(close.overround),
  sharp_book: close.sharpBook,
  answers: close.answers.map(({ selectionType, price, fair, value }) => ({
    selection_type: selectionType,
    odds_decimal: price,
    fair_probability: fair,
    clv_percent: percentOf(value),
  })),
})
