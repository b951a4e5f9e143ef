/**
 * The Odds API as a feed: one call per sport and round, which costs credits by market and region.
 * Some markets (player props) need a call per event. They are only read if configured, and are
 * merged into the event before it is parsed, so that each record has all offers of a sportsbook.
 *
 * With `creditsPerMonth`, `credits-budget.ts` decides when a sport is read, and props have their own part of the
 * credits. If an event's props are not due in a round, it is published without them, because their
 * prices are unconfirmed; the same if they are refused for good or do not come. If only the scores
 * fail, they are skipped, and the prices are kept.
 *
 * The source keeps sending a sportsbook that it does not read any more. Once such prices are too
 * old for the board, they are left out and not withdrawn. The board expires them; a withdrawal
 * might be newer than the next record, which is older than its response.
 *
 * A pick'em (region `us_dfs`) is left out, because nobody can bet at its prices alone; one that is
 * named a reference is read.
 */

import { z } from 'zod'
import { expiryMs, usableMs } from '../../rules/odds/freshness.ts'
import { noReferences } from '../../rules/odds/sharp-books.ts'
import type { Parsed, Skip } from '../feed.ts'
import { withoutBegun } from '../kit/ask.ts'
import { FetchError, type GetJson, lostAnswers, reasonOf } from '../kit/http-source.ts'
import { createPollingFeed, type Offering } from '../kit/polling-feed.ts'
import {
  defineSource,
  names,
  type Ports,
  polled,
  SettingsError,
  type SettingsOf,
  secret,
  whole,
} from '../kit/source.ts'
import { endsRound } from '../kit/source-health.ts'
import { type CreditsPlan, createCreditsPlan, planState } from './credits-plan.ts'
import {
  eventIdsOf,
  mergeEvents,
  type OddsOptions,
  parseOdds,
  parseScores,
  startsOf,
} from './parse.ts'

/** Matches keys of outright winners, such as `golf_masters_tournament_winner`; they have one market. */
const outrightKey = /_winner$/
const outrights = ['outrights']
const oddsFormat = 'decimal'

/** When a sportsbook's prices on an event were last updated, by event id and bookmaker. */
type LastUpdates = Map<string, number>

const settings = {
  ...polled,
  apiKey: secret,
  sports: names.describe('Keys of sports: `basketball_nba`.'),
  regions: names.optional().describe('Default `us`. Each region costs credits.'),
  markets: names.optional().describe('Default `h2h`, `spreads`, `totals`. Each costs credits.'),
  eventMarkets: names
    .optional()
    .describe('Markets of the call for one event, such as `player_points`. Default none.'),
  scoresDaysFrom: whole(1, 3).describe('Days back for which scores are read too. Default none.'),
  creditsPerMonth: z
    .number()
    .int()
    .min(1)
    .nullable()
    .default(500)
    .describe('Credits of a month; null for no budget. Default 500, the free plan.'),
  propsCreditsPerMonth: whole(0).describe(
    'The part of them for `eventMarkets`, less than all. Default half.',
  ),
}

export const theOddsApi = defineSource({
  name: 'the-odds-api',
  isOfficial: true,
  passesOn: true,
  settings,
  open: openTheOddsApi,
})

/** @throws SettingsError when props would leave no credits for the lists that name their events */
function openTheOddsApi(config: SettingsOf<typeof settings> & Ports) {
  const {
    apiKey,
    sports,
    regions = ['us'],
    markets = ['h2h', 'spreads', 'totals'],
    eventMarkets = [],
    scoresDaysFrom = null,
    // The API refreshes upcoming games about this often. With a budget, this is the minimum time
    // between two calls.
    intervalMs = 60_000,
    creditsPerMonth = null,
    baseUrl = 'https://api.the-odds-api.com',
    references = noReferences,
  } = config
  const { propsCreditsPerMonth = null } = config
  if (
    eventMarkets.length > 0 &&
    creditsPerMonth !== null &&
    (propsCreditsPerMonth ?? 0) >= creditsPerMonth
  ) {
    throw new SettingsError('propsCreditsPerMonth: has to be less than creditsPerMonth')
  }
  const now = config.http?.now ?? Date.now
  const plan = createCreditsPlan({
    sports,
    perMonth: creditsPerMonth,
    propsPerMonth: propsCreditsPerMonth,
    // A call costs one credit per market and region; scores of past days cost two.
    roundCost: markets.length * regions.length + (scoresDaysFrom === null ? 0 : 2),
    eventCost: eventMarkets.length * regions.length,
    intervalMs,
    now,
  })

  const urlOf = (path: string, query: Readonly<Record<string, string>>) => {
    const url = new URL(path === '' ? '/v4/sports' : `/v4/sports/${path}`, baseUrl)
    url.search = new URLSearchParams({ apiKey, ...query }).toString()
    return url
  }
  const takesPickem = (sportsbook: string) => references.has(sportsbook)
  const oddsQuery = (wanted: readonly string[]) => ({
    regions: regions.join(','),
    markets: wanted.join(','),
    oddsFormat,
    dateFormat: 'iso',
  })

  // A cache on the way may return older data than the previous call.
  const lastRead = new Map<string, LastUpdates>()

  /**
   * Makes a call and books its credits.
   * @throws FetchError out_of_credits if earlier calls have cost so much that this one is too
   * expensive
   */
  async function buy(url: URL, cost: number, get: GetJson, budget: CreditsPlan['round']) {
    if (plan.isUnsure()) {
      await count(get)
      if (!budget.canSpend()) throw outOfCredits()
    }
    const spent = budget.spend(cost)
    try {
      const answer = await get(url, { isPaid: true })
      plan.hear(answer.headers)
      return answer
    } catch (error) {
      // If we did not get the response, the call may still have been charged.
      if (lostAnswers.has(reasonOf(error))) plan.lose()
      else spent.takeBack()
      throw error
    }
  }

  /** Counts the remaining credits, by a free call. */
  async function count(get: GetJson) {
    plan.hear((await get(urlOf('', {}))).headers)
  }

  const outOfCredits = () =>
    new FetchError('out_of_credits', 'the budget of the month is used up', {
      notBefore: plan.nextCheckAt(),
    })

  /** @throws FetchError out_of_credits if a round would cost more than the remaining credits */
  async function requireCredits(get: GetJson) {
    if (plan.isKnown() && plan.round.canSpend()) return
    await count(get)
    if (!plan.round.canSpend()) throw outOfCredits()
  }

  async function* read(sport: string, get: GetJson): AsyncGenerator<Parsed> {
    await requireCredits(get)
    const before = lastRead.get(sport)
    const now: LastUpdates = new Map()
    const isOutdated = (eventId: string, bookmaker: string, updatedAt: number) => {
      const key = `${eventId}|${bookmaker}`
      const last = before?.get(key) ?? updatedAt
      now.set(key, Math.max(last, updatedAt))
      return updatedAt < last
    }
    const options = { oddsFormat, isOutdated, takesPickem } as const
    const path = encodeURIComponent(sport)
    const isOutright = outrightKey.test(sport)
    const keys = isOutright ? outrights : markets
    const listed = await buy(
      urlOf(`${path}/odds`, oddsQuery(keys)),
      keys.length * regions.length,
      get,
      plan.round,
    )
    plan.games(sport, startsOf(listed.body))
    if (isOutright || eventMarkets.length === 0 || !Array.isArray(listed.body)) {
      yield parseCurrent(listed.body, { ...options, receivedAt: listed.receivedAt })
    } else {
      yield* readEvents(path, listed.body, { ...options, receivedAt: listed.receivedAt }, get)
    }
    lastRead.set(sport, now)
    // An outright has no score.
    if (scoresDaysFrom !== null && !isOutright) yield await readScores(path, scoresDaysFrom, get)
  }

  async function readScores(path: string, daysFrom: number, get: GetJson): Promise<Parsed> {
    const url = urlOf(`${path}/scores`, { daysFrom: String(daysFrom) })
    try {
      const scores = await buy(url, 2, get, plan.round)
      return parseScores(scores.body, { receivedAt: scores.receivedAt })
    } catch (error) {
      if (!(error instanceof FetchError) || endsRound(error.reason)) throw error
      return { records: [], skipped: [skipOf(error)] }
    }
  }

  async function* readEvents(
    path: string,
    listed: readonly unknown[],
    options: OddsOptions,
    get: GetJson,
  ) {
    const failures: unknown[] = []
    let mayAsk = true
    for (const event of listed) {
      const [id] = eventIdsOf([event])
      if (id === undefined || !plan.isEventDue(id, startsOf([event]).starts[0])) {
        yield parseCurrent([event], options)
        continue
      }
      if (!mayAsk) {
        // Its prices are paid for, and with a budget the next list may come only in a day.
        if (plan.isMetered) yield parseCurrent([event], options)
        continue
      }
      try {
        const own = await buy(
          urlOf(`${path}/events/${encodeURIComponent(id)}/odds`, oddsQuery(eventMarkets)),
          eventMarkets.length * regions.length,
          get,
          plan.events,
        )
        plan.askedEvent(id)
        const merged = mergeEvents(event, own.body)
        // The record is as old as the list: its prices may have waited while many events were read.
        const parsed = parseCurrent([merged], options)
        yield withoutBegun(parsed, options.receivedAt, own.receivedAt)
      } catch (error) {
        const reason = reasonOf(error)
        if (refusals.has(reason)) {
          plan.askedEvent(id)
          const { records, skipped } = parseCurrent([event], options)
          yield { records, skipped: [...skipped, skipOf(error as FetchError)] }
          continue
        }
        if (lostAnswers.has(reason)) plan.askedEvent(id)
        // Only the part for props is used up: lists go on.
        if (reason === 'out_of_credits' && plan.round.canSpend()) mayAsk = false
        else if (endsRound(reason)) {
          mayAsk = false
          failures.unshift(error)
        } else failures.push(error)
        // A record without props withdraws them. So without a budget, the event waits for the next
        // round.
        if (plan.isMetered) yield parseCurrent([event], options)
      }
    }
    if (failures.length > 0) throw failures[0]
  }

  /** Resumes the plan. A state of another build is ignored; the first call then returns the credits left. */
  function resumePlan(state: unknown) {
    const read = planState.safeParse(state)
    if (read.success) plan.resume(read.data)
  }

  config.onEstimate?.(plan.estimate())
  return createPollingFeed({
    name: 'the-odds-api',
    ...(creditsPerMonth !== null && {
      dueAt: plan.dueAt,
      spent: plan.spent,
      credits: plan.credits,
      memory: { state: plan.state, resume: resumePlan },
    }),
    sportsbooks: [],
    targets: sports,
    intervalMs,
    openReader: () => read,
    withdrawnAt,
    ...(config.downAfterRounds !== undefined && { downAfterRounds: config.downAfterRounds }),
    ...(config.http && { http: config.http }),
    ...(config.onFailure && { onFailure: config.onFailure }),
  })
}

/** Parses a response without prices that are already too old for the board. */
function parseCurrent(payload: unknown, options: OddsOptions): Parsed {
  const { records, skipped } = parseOdds(payload, options)
  const tooOld: Skip[] = []
  const current = records.filter((record) => {
    if (record.type !== 'odds' && record.type !== 'futures') return true
    const isLive = record.type === 'odds' && record.event.isLive
    const isCurrent = options.receivedAt - record.observedAt <= expiryMs(isLive)
    if (!isCurrent) {
      const { externalId } = record.type === 'odds' ? record.event : record.future
      const { sportsbook } = record
      const hides = { externalId: externalId ?? '', sportsbook }
      tooOld.push({ reason: 'too_old', detail: `${sportsbook} ${externalId}`, hides })
    }
    return isCurrent
  })
  return { records: current, skipped: [...skipped, ...tooOld] }
}

/** In play, the sportsbook's next record may have an earlier time than the response without it. */
const withdrawnAt = (last: Offering, readAt: number) =>
  last.type === 'odds' && last.event.isLive
    ? Math.max(last.observedAt, readAt - usableMs(true))
    : readAt

/** Refusals that would be repeated for the same request. */
const refusals: ReadonlySet<string> = new Set(['http_400', 'http_404', 'http_422'])

const skipOf = ({ reason, message }: FetchError): Skip => ({
  reason: `fetch_${reason}`,
  detail: message,
})
