/**
 * `/api/v1/account/bets`: an account's own bets, their results and their closing-line value. All routes are limited
 * to the key's account. Another account's bet counts as not found.
 */

import { z } from 'zod'
import type { ArchiveHealth } from '../../pipeline/archive/archive-watch.ts'
import { allBooksOf } from '../../pipeline/rules/odds/chains.ts'
import type { BetRow } from '../../schemas/bet.ts'
import {
  betDeletionAnswer,
  betFilters,
  betListFilters,
  betsAnswer,
  changedBetAnswer,
} from '../../schemas/http/bets/bet.ts'
import { betsClvAnswer, mostBetsInSum } from '../../schemas/http/bets/closing-values.ts'
import { importOptions } from '../../schemas/http/bets/files.ts'
import type { BetReason } from '../../schemas/http/bets/reasons.ts'
import { betResultFilters, betResultsAnswer } from '../../schemas/http/bets/results.ts'
import {
  betCorrection,
  betsAddedAnswer,
  betsBody,
  betVerdict,
  mostBetBytes,
  mostNamedRejections,
} from '../../schemas/http/bets/statements.ts'
import { betExample, betJsonExample, csvExample } from '../../schemas/http/examples/bets.ts'
import type { Query } from '../../schemas/http/query.ts'
import { mayShowTo } from '../access/scope.ts'
import { tierRights } from '../access/tiers.ts'
import { csvHeaders } from '../answer/csv.ts'
import { instant, objectBody } from '../answer/json.ts'
import { listPage } from '../answer/list-page.ts'
import { archiveMetaOf } from '../answer/past-meta.ts'
import { archiveErrors } from '../ask/archive-questions.ts'
import {
  betJson,
  betList,
  csvOf,
  filterOf,
  leagueOf,
  marketOf,
  resultJson,
  resultsCsvHead,
  weighedJson,
  writeCsv,
  writeResultsCsv,
} from '../bets/bet-answers.ts'
import type { LocatedBet } from '../bets/bet-closes.ts'
import type { BetLedger, NewBet } from '../bets/bet-ledger.ts'
import { type BetLookupsOptions, createBetLookups } from '../bets/bet-lookups.ts'
import {
  countsOf,
  dayThatFits,
  type EndedBet,
  gamesOf,
  resultSumOf,
  type SummedBet,
  sumOf,
  sumsBy,
} from '../bets/bet-sums.ts'
import { correctedVerdict, faultSentence, verdictFault, verdictOf } from '../bets/bet-verdict.ts'
import { selectionRefused } from '../bets/found-bets.ts'
import {
  type BetLine,
  correctionOf,
  isRejection,
  type NewStatement,
  readBets,
} from '../bets/stated-bets.ts'
import type { FileNotes } from '../bets/table/bet-table.ts'
import type { TableOptions } from '../bets/table/formats.ts'
import { isTimeZone } from '../bets/table/local-time.ts'
import { ApiError, retryAfter } from '../errors.ts'
import { type Admitted, accountActions, jsonBody, type Route } from '../route.ts'
import { firstPage, pageQuery } from './account.ts'

export interface BetRoutesOptions extends BetLookupsOptions {
  readonly bets: BetLedger
  /** Null without an archive. */
  readonly archiveHealth: () => ArchiveHealth | null
}

const action = accountActions('/api/v1/account/bets', { betId: 'The id of the bet.' })
/** The same feature as for the routes about all closes. */
const requires = { feature: 'closing_lines', otherwise: 'tier_restricted' } as const

export function createBetRoutes(options: BetRoutesOptions): Route[] {
  const { bets, archiveHealth, chain, now } = options

  const lookups = createBetLookups(options)
  const { selectionOf } = lookups

  /**
   * Returns the bets to sum up. Bets without a selection are among them, unless they state another
   * league: `isWanted` decides once they have been looked up.
   */
  async function toSum({ caller, inPieces }: Admitted, query: Query<typeof betFilters>) {
    const { filters, mayHold, holds } = filterOf(query)
    const rows = await chosenOf(bets.of(caller.accountId), inPieces, (row) => {
      const found = selectionOf(row)
      return found ? holds(row, found) : mayHold(row)
    })
    // Bets without a selection count by what they state.
    const counted = await chosenOf(rows, inPieces, (row) => holds(row, selectionOf(row)))
    if (counted.length > mostBetsInSum) throw tooManyToSum(counted)
    const isWanted = ({ row, match }: LocatedBet) =>
      holds(row, 'found' in match ? match.found : null)
    return { filters, rows, isWanted }
  }

  /** Returns the response with a bet after a change. */
  async function changedBet(changed: BetRow | undefined, by: Admitted) {
    const row = owned(changed)
    // Its game may have become known since the bet was stored.
    // The change is stored, so a look-up that is refused must not make it an error.
    await lookups.locateOrNot([row], by).catch((error) => {
      if (!(error instanceof ApiError)) throw error
    })
    return { body: objectBody(betJson(row, selectionOf(row)), now()) }
  }

  return [
    action('post', '', {
      summary: 'Stores bets that you have made, JSON or CSV.',
      description:
        'One bet, a JSON array of bets, or a CSV file with the fields in its first line. Each is matched to its event by the rules for sportsbooks. A bet with an error is listed by line and code; the others are stored. A bet sent again is stored once: by its `reference` or `id`, in a CSV file without these by its fields.',
      requires,
      query: importOptions,
      body: {
        as: 'bytes',
        schema: z.instanceof(Buffer),
        maxBytes: mostBetBytes,
        mediaTypes: ['application/json', 'text/csv'],
        whole: betsBody,
        example: betJsonExample,
        csv: csvExample,
      },
      answer: { description: 'The stored and the rejected bets.', schema: betsAddedAnswer },
      async handle({ body, contentType, query, ...by }) {
        const { caller, inPieces, charged } = by
        const rejections = createRejections()
        const { reject } = rejections
        let notes: FileNotes = { ignoredColumns: [], currency: null }
        const table = contentType.includes('csv') ? tableOptions(query) : null
        const read = readBets(body, table, now(), (noted) => {
          notes = noted
        })
        const lines: TakenLine[] = []
        await inPieces(eachTaken(read, lines, reject), () => {})
        const statements = lines.map(({ statement }) => statement)
        const { found, isWhole } = await lookups.find(statements, by)
        const kept: { line: number; bet: NewBet; reason: BetReason | null }[] = []
        for (const [i, { line, ...stated }] of lines.entries()) {
          const result = found[i]!
          if ('ok' in result) reject(line, result)
          else if ('found' in result)
            kept.push({ line, bet: { ...stated, ...result }, reason: null })
          else {
            const reason =
              isWhole || result.reason === 'several_events' ? result.reason : 'archive_not_ready'
            kept.push({ line, bet: { ...stated, found: null }, reason })
          }
        }
        const most = tierRights[caller.tier].bets
        const added = await bets.add(
          caller.accountId,
          kept.map(({ bet }) => bet),
          most,
          { isFile: table !== null },
        )
        // In one piece: the bets are stored by now, so the response must name all of them.
        return charged(() => {
          const taken = []
          for (const [i, one] of added.entries()) {
            const { line, bet, reason } = kept[i]!
            if (!('row' in one)) {
              const message = 'fault' in one ? one.fault : refusals[one.status](most)
              reject(line, { code: one.status, message })
              continue
            }
            const { id, reference } = one.row
            // The selection of a bet that was stored before may have been found only now.
            const selection = one.row.found ?? bet.found
            taken.push({
              ...{ line, id, status: one.status, reference },
              event_id: selection?.eventId ?? null,
              reason: selection ? null : reason,
            })
          }
          const data = {
            accepted: taken.length,
            duplicates: taken.filter(({ status }) => status === 'duplicate').length,
            bets: taken,
            ...rejections.json(),
            ignored_columns: notes.ignoredColumns,
            currency: notes.currency,
          }
          return { body: objectBody(data, now()) }
        }, true)
      },
    }),

    action('get', '', {
      summary: 'Your bets, last placed first.',
      query: { ...pageQuery, ...betListFilters },
      answer: {
        description: 'The bets.',
        schema: betsAnswer,
        example: JSON.parse(betList([betExample], firstPage, {}, 10_000)),
        csv: csvOf([betExample]),
      },
      async handle({ caller, query, inPieces, charged }) {
        const { filters, holds } = filterOf(query)
        const known = bets.of(caller.accountId).map((row) => {
          const found = selectionOf(row)
          return found === row.found ? row : { ...row, found }
        })
        const rows = await chosenOf(
          known,
          inPieces,
          (row) => holds(row) && (query.found ?? row.found !== null) === (row.found !== null),
        )
        if (query.format === 'csv') {
          return file('bets', inPieces, (write) => writeCsv(rows, query, write))
        }
        const echoed = { ...filters, ...(query.found !== undefined && { found: query.found }) }
        return charged(() => ({
          body: betList(rows, query, echoed, tierRights[caller.tier].bets),
        }))
      },
    }),

    action('get', '/clv', {
      summary: 'Closing-line value of your bets, one by one and in total.',
      description:
        'The value of a bet is the no-vig probability of the sharp book’s close times the decimal odds of the bet, minus one: the average gain of a stake of 1, if the close was right. The close is that of the same selection and line, at the first sharp book that has one; the response names it. A bet without a value gives the reason and is in no mean.',
      requires,
      query: { ...pageQuery, ...betFilters },
      answer: { description: 'The values.', schema: betsClvAnswer },
      errors: archiveErrors,
      async handle({ query, ...by }) {
        const { scope, inPieces, charged } = by
        const { filters, rows, isWanted } = await toSum(by, query)
        const located = await chosenOf(await lookups.locate(rows, by), inPieces, isWanted)
        const weighed = await lookups.weigh(located, by)
        return charged(() => {
          const summed = weighed.map((bet): SummedBet => ({ ...bet, market: marketOf(bet) }))
          const { data, pagination } = listPage(summed, query)
          const answer = {
            sharp_reference: allBooksOf(chain).filter(mayShowTo(scope)),
            sharp_references: countsOf(
              summed.flatMap(({ clv, close }) => (clv !== null && close ? [close.sportsbook] : [])),
            ),
            total: sumOf(summed),
            ...sumsByAll(summed, sumOf),
            reasons: countsOf(summed.flatMap(({ reason }) => reason ?? [])),
            bets: data.map(weighedJson),
          }
          const meta = { pagination, filters, ...archiveMetaOf(archiveHealth()) }
          return { body: objectBody(answer, now(), meta) }
        })
      },
    }),

    action('get', '/results', {
      summary:
        'Results of your bets: profit, yield and closing-line value, one by one and in total.',
      description:
        'A bet is settled from the final score once its game is over: won, half won, refunded, half lost or lost. A result that you state overrides the score. An open bet says why in `open_because`. Soccer, and any market with a draw, goes by regulation time; other games count overtime.',
      requires,
      query: { ...pageQuery, ...betResultFilters },
      answer: {
        description: 'The bets and their sums.',
        schema: betResultsAnswer,
        csv: resultsCsvHead,
      },
      tool: {
        name: 'get_bet_results',
        description:
          'Your own bets: open and settled, profit and yield with its interval, closing-line value, by sportsbook, ' +
          'market, league and month.',
        inputs: ['league', 'from', 'to', 'state', 'limit', 'offset'],
        shape: { items: ['data', 'bets'] },
      },
      errors: ['answer_too_large', 'not_ready'],
      async handle({ query, ...by }) {
        const { charged, inPieces } = by
        const { filters, rows, isWanted } = await toSum(by, query)
        const located = await chosenOf(await lookups.locateOrNot(rows, by), inPieces, isWanted)
        const weighed = await lookups.weighOrNot(located, by)
        const settled = await lookups.settle(located, by)
        const { state } = query
        const games = gamesOf(weighed)
        const ended = weighed.map((bet, i): EndedBet => {
          return { ...bet, market: marketOf(bet), game: games[i]!, settled: settled[i]! }
        })
        const listed = ended.filter(
          (bet) => !state || (bet.settled.outcome === null) === (state === 'open'),
        )
        // If no archive may answer later, the results are final.
        const unanswered = mayAnswerLater(archiveHealth()) ? ended.filter(isUnanswered).length : 0
        if (query.format === 'csv') {
          if (unanswered > 0) throw notWhole(unanswered)
          return file('bet-results', inPieces, (write) => writeResultsCsv(listed, query, write))
        }
        return charged(() => {
          const { data, pagination } = listPage(listed, query)
          const answer = {
            total: resultSumOf(ended),
            ...sumsByAll(ended, resultSumOf),
            open_reasons: countsOf(ended.flatMap((bet) => bet.settled.reason ?? [])),
            bets: data.map(resultJson),
          }
          const echoed = { ...filters, ...(state && { state }) }
          const meta = {
            ...{ pagination, filters: echoed },
            ...{ is_complete: unanswered === 0, bets_without_answer: unanswered },
            ...archiveMetaOf(archiveHealth()),
          }
          return { body: objectBody(answer, now(), meta) }
        })
      },
    }),

    action('post', '/:betId/result', {
      summary: 'States the result of one of your bets, or withdraws it.',
      description:
        'For bets that a score does not settle, or that your sportsbook settled otherwise. It overrides the score, which is still shown. A dead heat of n pays a win on an nth of the stake.',
      requires,
      body: jsonBody(betVerdict, 4_096, {
        outcome: 'refunded',
        reason: 'void: the player did not start',
      }),
      answer: { description: 'The bet.', schema: changedBetAnswer },
      async handle({ body, path: { betId: id = '' }, ...by }) {
        const { accountId } = by.caller
        const check = (bet: BetRow) => {
          const fault = verdictFault(body, bet)
          if (fault) throw new ApiError('validation_error', `outcome: ${faultSentence(fault)}`)
        }
        return changedBet(await bets.settle(accountId, id, verdictOf(body, now()), check), by)
      },
    }),

    action('patch', '/:betId', {
      summary: 'Corrects price, stake, free bet, sportsbook or time of one of your bets.',
      description:
        'What is absent stays, and so do its `id` and its `reference`. Its game is looked up again for another sportsbook. A bet on something else is another bet: delete this one.',
      body: jsonBody(betCorrection, 4_096, { odds_decimal: 1.91, stake: 40 }),
      answer: { description: 'The bet.', schema: changedBetAnswer },
      async handle({ body, path: { betId: id = '' }, ...by }) {
        const { accountId } = by.caller
        const correction = correctionOf(body, now())
        const resultOf = (bet: BetRow) => {
          const result =
            bet.verdict && correctedVerdict(bet.verdict, bet, { ...bet, ...correction })
          if (typeof result !== 'string') return result
          const { stake = bet.stake, price = bet.price } = correction
          const member = stake !== bet.stake ? 'stake' : price !== bet.price ? 'odds' : 'free_bet'
          throw new ApiError('validation_error', `${member}: its result is stated, and ${result}.`)
        }
        const before = bets.find(accountId, id)
        const isElsewhere =
          before !== undefined && (correction.sportsbook ?? before.sportsbook) !== before.sportsbook
        // The names of its game are read as those of the new sportsbook.
        const found = isElsewhere && {
          found: await lookups.findChanged(before, { ...before, ...correction }, by),
        }
        const correct = (bet: BetRow) => ({ ...correction, ...found, verdict: resultOf(bet) })
        return changedBet(await bets.correct(accountId, id, correct), by)
      },
    }),

    action('delete', '/:betId', {
      summary: 'Deletes one of your bets for good.',
      answer: { description: 'The bet is deleted.', schema: betDeletionAnswer },
      async handle({ caller, path: { betId: id = '' } }) {
        await bets.remove(owned(bets.find(caller.accountId, id)))
        return { body: objectBody({ deleted: true, id }, now()) }
      },
    }),
  ]
}

/** Returns the bets that a query means, in pieces: it may have to read the names of many. */
function chosenOf<Bet>(
  bets: readonly Bet[],
  inPieces: Admitted['inPieces'],
  isMeant: (bet: Bet) => boolean,
) {
  const chosen: Bet[] = []
  function* each(): Generator<void> {
    for (const bet of bets) {
      if (isMeant(bet)) chosen.push(bet)
      yield
    }
  }
  return inPieces(each(), () => chosen)
}

function owned(bet: BetRow | undefined): BetRow {
  if (!bet) throw new ApiError('not_found', 'You have no bet with this id.')
  return bet
}

/** A valid bet of a body, before its event is looked up. */
interface TakenLine extends NewStatement {
  readonly line: number
}

/** Creates a file that is written in pieces. @param steps writes it line by line */
function file(
  name: string,
  inPieces: Admitted['inPieces'],
  steps: (write: (line: string) => void) => Generator<void>,
) {
  let body = ''
  const write = (line: string) => {
    body += line
  }
  return inPieces(steps(write), () => ({ headers: csvHeaders(name), body }))
}

function* eachTaken(
  read: Iterable<BetLine | null>,
  taken: TakenLine[],
  reject: Reject,
): Generator<void> {
  for (const one of read) {
    if (one) {
      const { line, stated } = one
      const refusal = isRejection(stated) ? stated : selectionRefused(stated.statement)
      if (refusal) reject(line, refusal)
      else taken.push({ line, ...(stated as NewStatement) })
    }
    yield
  }
}

type Reject = (line: number, why: { readonly code: string; readonly message: string }) => void

/** Counts rejected lines and lists the first of them. */
function createRejections() {
  const rejected: { line: number; code: string; message: string }[] = []
  let count = 0
  const reject: Reject = (line, { code, message }) => {
    count++
    if (rejected.length < mostNamedRejections) rejected.push({ line, code, message })
  }
  return {
    reject,
    json: () => ({
      rejected: rejected.sort((a, b) => a.line - b.line),
      rejected_count: count,
    }),
  }
}

/** Returns whether the archive did not answer about a bet: about its game, its result or its value. */
const isUnanswered = ({ reason, settled }: EndedBet) =>
  settled.reason === 'archive_not_ready' || reason === 'archive_not_ready'

/** Returns whether there is an archive that may answer later. */
const mayAnswerLater = (health: ArchiveHealth | null) =>
  health !== null && health.state !== 'absent'

/** @param counted last placed first */
function tooManyToSum(counted: readonly BetRow[]) {
  const from = dayThatFits(counted, mostBetsInSum)
  const newest = from === null ? '' : `; the newest are those from ${from}`
  return new ApiError(
    'answer_too_large',
    `These are ${counted.length} bets, and at most ${mostBetsInSum} can be summed: choose a shorter period (from, to)${newest}.`,
    from === null ? {} : { from },
  )
}

const notWhole = (count: number) =>
  new ApiError(
    'not_ready',
    `The archive does not answer about ${count} of these bets, and a file without their results would look whole; try again later, or ask for a shorter period (from, to).`,
    { ...retryAfter(60), reason: 'starting' },
  )

const refusals = {
  reference_conflict: () =>
    'another bet is kept under this reference or id, or this one under another reference',
  too_many_bets: (most: number) => `an account of this tier keeps at most ${most} bets`,
} as const

/** Returns sums by sportsbook, market, league and month. */
function sumsByAll<Bet extends SummedBet, Sum extends { with_clv: number; bets: number }>(
  summed: readonly Bet[],
  sum: (bets: readonly Bet[]) => Sum,
) {
  return {
    by_sportsbook: sumsBy(summed, ({ row }) => row.sportsbook, sum),
    by_market: sumsBy(summed, ({ market }) => market, sum),
    by_league: sumsBy(summed, leagueOf, sum),
    by_month: sumsBy(summed, ({ row }) => instant(row.placedAt)!.slice(0, 7), sum),
  }
}

function tableOptions(query: Query<typeof importOptions>): TableOptions {
  const { time_zone: timeZone = null } = query
  if (timeZone !== null && !isTimeZone(timeZone)) {
    throw new ApiError('validation_error', `time_zone: ${timeZone} is no time zone.`)
  }
  return {
    decimal: query.decimal ?? null,
    dateOrder: query.date_order ?? null,
    timeZone,
    oddsFormat: query.odds_format ?? null,
    sportsbook: query.sportsbook ?? null,
    league: query.league ?? null,
    ignoresOthers: query.other_columns === 'ignore',
  }
}
