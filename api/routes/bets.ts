/**
 * `/api/v1/account/bets`: an account's own bets, and what they were worth at the close. Everything here
 * is of the account of the key: another account's bet is no bet.
 */

import { z } from 'zod'
import type { ArchiveHealth } from '../../pipeline/archive/archive-watch.ts'
import type { ArchivedClose, Ask } from '../../pipeline/archive/bets.ts'
import { decimalToAmerican, shownPrice } from '../../pipeline/rules/odds/odds.ts'
import { selectionLabel } from '../../pipeline/rules/odds/selections.ts'
import type { ClosesView } from '../../pipeline/views/closes/closes-view.ts'
import type { BetRow, BetSelection, BetStatement } from '../../schemas/bet.ts'
import {
  type BetReason,
  betColumns,
  betDeletionAnswer,
  betFilters,
  betListFilters,
  betsAddedAnswer,
  betsAnswer,
  betsBody,
  betsClvAnswer,
  mostBetBytes,
  mostBetsInSum,
  mostNamedRejections,
} from '../../schemas/http/bets.ts'
import { betExample, betJsonExample, csvExample } from '../../schemas/http/examples/bets.ts'
import type { Query } from '../../schemas/http/query.ts'
import { findLeague, leagueById, slugLeague } from '../../schemas/reference/leagues.ts'
import { findMarketNamed, marketsNamed } from '../../schemas/reference/market-names.ts'
import { findMarket, slugMarket } from '../../schemas/reference/markets.ts'
import { idOfSportsbook } from '../../schemas/reference/sportsbooks.ts'
import type { AliasDesk } from '../access/aliases.ts'
import { tierRights } from '../access/tiers.ts'
import { csvText } from '../answer/csv.ts'
import { instant, objectBody } from '../answer/json.ts'
import { listAnswer, listPage, type PageQuery } from '../answer/list-page.ts'
import { archiveMetaOf } from '../answer/past-meta.ts'
import type { ArchiveAccess } from '../archive-access.ts'
import { type LocatedBet, type WeighedBet, weighBets } from '../bets/bet-closes.ts'
import type { BetLedger, NewBet } from '../bets/bet-ledger.ts'
import { countsOf, percentOf, type SummedBet, sumOf, sumsBy } from '../bets/bet-sums.ts'
import {
  createBetFinder,
  type FindBet,
  type FoundBet,
  gatherGames,
  selectionRefused,
  spellingsOf,
} from '../bets/found-bets.ts'
import { type BetLine, isRejection, readBets } from '../bets/stated-bets.ts'
import { ApiError, writeErrors } from '../errors.ts'
import { type Admitted, keyAction, type Route } from '../route.ts'
import { firstPage, pageQuery } from './account.ts'

export interface BetRoutesOptions {
  readonly bets: BetLedger
  readonly aliases: Pick<AliasDesk, 'names'>
  readonly archive: ArchiveAccess
  /** Null where there is none. */
  readonly archiveHealth: () => ArchiveHealth | null
  readonly closes: Pick<ClosesView, 'capturedOf'>
  /** Sharp books, the first with a close counts. */
  readonly chain: readonly string[]
  /** By the clock of prices (epoch ms). */
  readonly now: () => number
}

const tag = 'Account'
const path = '/api/v1/account/bets'
/** The same as the answers about closes of everybody. */
const requires = { feature: 'closing_lines', otherwise: 'tier_restricted' } as const

export function createBetRoutes(options: BetRoutesOptions): Route[] {
  const { bets, aliases, archive, archiveHealth, closes, chain, now } = options

  const askerOf =
    ({ caller: { accountId, tier }, charged }: Admitted): Ask =>
    (statement, parameters) =>
      archive.reads.rows({
        caller: accountId,
        statement,
        parameters,
        limits: archive.limits[tier],
        decoding: charged,
      })

  /** What bets are on. @param ask null leaves the archive out */
  async function findBets(
    statements: readonly BetStatement[],
    { scope, inPieces }: Admitted,
    ask: Ask | null,
  ) {
    const events = statements.map(({ event }) => event)
    const games = await gatherGames(events, scope, ask, inPieces)
    const find = createBetFinder(games, spellingsOf(aliases.names()))
    const found: ReturnType<FindBet>[] = []
    return inPieces(eachFound(statements, find, found), () => found)
  }

  /** The same, with the board alone where the archive is not to be had. */
  async function findWithOrWithoutArchive(statements: readonly BetStatement[], by: Admitted) {
    try {
      return { isWhole: true, found: await findBets(statements, by, askerOf(by)) }
    } catch (error) {
      if (!(error instanceof ApiError) || error.code === 'work_limited') throw error
      return { isWhole: false, found: await findBets(statements, by, null) }
    }
  }

  /** Bets that were found later than they were kept, for as long as they are kept. */
  const foundLater = new WeakMap<BetRow, FoundBet>()

  /** Bets with what they are on: those that were not found so far are looked for again. */
  async function withFound(rows: readonly BetRow[], by: Admitted, ask: Ask): Promise<LocatedBet[]> {
    const unknown = rows.filter((row) => row.found === null && !foundLater.has(row))
    const looked = unknown.length > 0 ? await findBets(unknown, by, ask) : []
    return by.charged(() => {
      const still = new Map<BetRow, FoundBet>()
      for (const [i, row] of unknown.entries()) {
        const of = looked[i]!
        if ('ok' in of) still.set(row, { reason: 'selection_unknown' })
        else ('found' in of ? foundLater : still).set(row, of)
      }
      return rows.map((row) => ({
        row,
        match: row.found ? { found: row.found } : (foundLater.get(row) ?? still.get(row)!),
      }))
    })
  }

  return [
    keyAction({
      method: 'post',
      path,
      tag,
      summary: 'Keeps bets that you have made, JSON or CSV.',
      description:
        'One bet, a JSON array of bets, or a CSV file with the fields in its first line. Each is matched to its event by the rules for sportsbooks. A bet with an error is listed by line and code; the others are stored. A bet with a `reference` is stored once, even if sent again.',
      requires,
      query: {},
      body: {
        as: 'bytes',
        schema: z.instanceof(Buffer),
        maxBytes: mostBetBytes,
        mediaTypes: ['application/json', 'text/csv'],
        whole: betsBody,
        example: betJsonExample,
        csv: csvExample,
      },
      answers: {
        200: {
          description: 'What was kept and what was not.',
          schema: betsAddedAnswer,
        },
      },
      errors: ['validation_error', 'payload_too_large', ...writeErrors],
      async handle({ body, contentType, ...by }) {
        const { caller, inPieces, charged } = by
        const rejections = createRejections()
        const { reject } = rejections
        const stated = readBets(body, contentType.includes('csv'), now())
        const lines: TakenLine[] = []
        await inPieces(eachTaken(stated, lines, reject), () => {})
        const statements = lines.map(({ statement }) => statement)
        const { found, isWhole } = await findWithOrWithoutArchive(statements, by)
        const kept: { line: number; bet: NewBet; reason: BetReason | null }[] = []
        for (const [i, { line, statement }] of lines.entries()) {
          const of = found[i]!
          if ('ok' in of) reject(line, of)
          else if ('found' in of) kept.push({ line, bet: { statement, ...of }, reason: null })
          else {
            const reason =
              isWhole || of.reason === 'several_events' ? of.reason : 'archive_not_ready'
            kept.push({ line, bet: { statement, found: null }, reason })
          }
        }
        const most = tierRights[caller.tier].bets
        const added = await bets.add(
          caller.accountId,
          kept.map(({ bet }) => bet),
          most,
        )
        // Not in pieces: these bets are kept, and the answer has to say so.
        return charged(() => {
          const taken = []
          for (const [i, one] of added.entries()) {
            const { line, reason } = kept[i]!
            if (!('row' in one)) {
              reject(line, { code: one.status, message: refusals[one.status](most) })
              continue
            }
            const { id, reference, found: of } = one.row
            taken.push({
              ...{ line, id, status: one.status, reference },
              event_id: of?.eventId ?? null,
              reason: of ? null : reason,
            })
          }
          const data = {
            accepted: taken.length,
            duplicates: taken.filter(({ status }) => status === 'duplicate').length,
            bets: taken,
            ...rejections.json(),
          }
          return { body: objectBody(data, now()) }
        })
      },
    }),

    keyAction({
      method: 'get',
      path,
      tag,
      summary: 'Your bets, those placed last first.',
      query: { ...pageQuery, ...betListFilters },
      answers: {
        200: {
          description: 'The bets.',
          schema: betsAnswer,
          example: JSON.parse(betList([betExample], firstPage, {}, 10_000)),
          csv: csvOf([betExample]),
        },
      },
      errors: [],
      handle({ caller, query }) {
        const { filters, holds } = filterOf(query)
        const rows = bets
          .of(caller.accountId)
          .filter(
            (row) => holds(row) && (query.found ?? row.found !== null) === (row.found !== null),
          )
        if (query.format === 'csv') {
          const headers = {
            'Content-Type': 'text/csv; charset=utf-8',
            'Content-Disposition': 'attachment; filename="bets.csv"',
          }
          return { headers, body: csvOf(rows) }
        }
        const echoed = { ...filters, ...(query.found !== undefined && { found: query.found }) }
        return { body: betList(rows, query, echoed, tierRights[caller.tier].bets) }
      },
    }),

    keyAction({
      method: 'get',
      path: `${path}/clv`,
      tag,
      summary: 'What your bets were worth at the close, one by one and in sum.',
      description:
        'The value of a bet is the no-vig probability of the sharp book’s close times the decimal odds of the bet, minus one: the average gain of a stake of 1, if the close was right. The close is that of the same selection and line, at the first sharp book that has one; the response names it. Lines are not converted. A bet without a value gives the reason and is in no mean.',
      requires,
      query: { ...pageQuery, ...betFilters },
      answers: {
        200: {
          description: 'The values.',
          schema: betsClvAnswer,
        },
      },
      errors: ['validation_error', 'not_ready', 'archive_busy', 'answer_too_large'],
      async handle({ query, ...by }) {
        const { caller, scope, charged } = by
        const { filters, holds } = filterOf(query)
        const rows = bets.of(caller.accountId).filter(holds)
        if (rows.length > mostBetsInSum) {
          throw new ApiError(
            'answer_too_large',
            `These are ${rows.length} bets, and at most ${mostBetsInSum} can be summed: narrow from and to.`,
          )
        }
        const ask = askerOf(by)
        const mayShow = (sportsbook: string) =>
          scope.isOwner || !scope.sources.ownersOnly.has(sportsbook)
        const reference = chain.filter(mayShow)
        const weighed = await weighBets(await withFound(rows, by, ask), {
          ask,
          charged,
          chain: reference,
          mayShow,
          startOf: (eventId) => scope.board.find(eventId)?.startsAt,
          now: now(),
          capturedOf: closes.capturedOf,
        })
        return charged(() => {
          const summed = weighed.map((bet): SummedBet => ({ ...bet, market: marketOf(bet) }))
          const { data, pagination } = listPage(summed, query)
          const answer = {
            sharp_reference: reference,
            sharp_references: countsOf(
              summed.flatMap(({ clv, close }) => (clv !== null && close ? [close.sportsbook] : [])),
            ),
            total: sumOf(summed),
            by_sportsbook: sumsBy(summed, ({ row }) => row.sportsbook),
            by_market: sumsBy(summed, ({ market }) => market),
            by_month: sumsBy(summed, ({ row }) => instant(row.placedAt)!.slice(0, 7)),
            reasons: countsOf(summed.flatMap(({ reason }) => reason ?? [])),
            bets: data.map(weighedJson),
          }
          const meta = { pagination, filters, ...archiveMetaOf(archiveHealth()) }
          return { body: objectBody(answer, now(), meta) }
        })
      },
    }),

    keyAction({
      method: 'delete',
      path: `${path}/:betId`,
      tag,
      summary: 'Deletes one of your bets for good.',
      query: {},
      pathParameters: { betId: 'The id of the bet.' },
      answers: {
        200: {
          description: 'The bet is deleted.',
          schema: betDeletionAnswer,
        },
      },
      errors: ['not_found', ...writeErrors],
      async handle({ caller, path: { betId: id = '' } }) {
        const bet = bets.find(caller.accountId, id)
        if (!bet) throw new ApiError('not_found', 'You have no bet with this id.')
        await bets.remove(bet)
        return { body: objectBody({ deleted: true, id }, now()) }
      },
    }),
  ]
}

/** A bet of a body that can be taken, as far as that is seen without its event. */
interface TakenLine {
  readonly line: number
  readonly statement: BetStatement
}

function* eachTaken(
  read: Iterable<BetLine | null>,
  taken: TakenLine[],
  reject: Reject,
): Generator<void> {
  for (const one of read) {
    if (one) {
      const { line, stated } = one
      const refusal = isRejection(stated) ? stated : selectionRefused(stated)
      if (refusal) reject(line, refusal)
      else taken.push({ line, statement: stated as BetStatement })
    }
    yield
  }
}

function* eachFound(
  statements: readonly BetStatement[],
  find: FindBet,
  found: ReturnType<FindBet>[],
): Generator<void> {
  for (const statement of statements) {
    found.push(find(statement))
    yield
  }
}

type Reject = (line: number, why: { readonly code: string; readonly message: string }) => void

/** Lines that were not taken: the first of them by name, all of them by number. */
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

const refusals = {
  reference_conflict: () => 'another bet is kept under this reference',
  too_many_bets: (most: number) => `an account of this tier keeps at most ${most} bets`,
} as const

// ---- filters

function filterOf(query: Query<typeof betFilters>) {
  const sportsbooks = query.sportsbook?.map(idOfSportsbook)
  const leagues = query.league?.map(
    (text) => (leagueById(text) ?? findLeague(text))?.id ?? slugLeague(text),
  )
  const markets = query.market?.flatMap((text) =>
    findMarket(text) ? [text] : (marketsNamed(text) ?? [slugMarket(text)]),
  )
  const from = query.from === undefined ? -Infinity : Date.parse(`${query.from}T00:00:00Z`)
  const to = query.to === undefined ? Infinity : Date.parse(`${query.to}T00:00:00Z`) + 86_400_000
  return {
    filters: {
      ...(sportsbooks && { sportsbook: sportsbooks }),
      ...(leagues && { league: leagues }),
      ...(markets && { market: markets }),
      ...(query.from !== undefined && { from: query.from }),
      ...(query.to !== undefined && { to: query.to }),
    },
    holds: (row: BetRow) =>
      row.placedAt >= from &&
      row.placedAt < to &&
      (sportsbooks?.includes(row.sportsbook) ?? true) &&
      (leagues?.includes(row.found?.league ?? row.event.league ?? '') ?? true) &&
      (markets?.includes(marketOf(row)) ?? true),
  }
}

/** Market type, or the market as stated where it is not known. */
function marketOf(bet: BetRow | WeighedBet): string {
  const row = 'row' in bet ? bet.row : bet
  if (bet.found) return bet.found.marketType
  const { market, playerName, event } = row
  return findMarketNamed(market, event.sport ?? '', playerName !== null) ?? slugMarket(market)
}

// ---- answers

function betJson(row: BetRow, found = row.found) {
  return {
    id: row.id,
    placed_at: instant(row.placedAt)!,
    created_at: instant(row.createdAt)!,
    ...statedJson(row),
    found: found && foundJson(found),
  }
}

function statedJson(row: BetRow) {
  const { id, homeTeam, awayTeam, startsAt, isDay, league, sport } = row.event
  const start = startsAt === null ? null : instant(startsAt)
  return {
    event_id: id,
    home_team: homeTeam,
    away_team: awayTeam,
    start_time: isDay && start !== null ? start.slice(0, 10) : start,
    league,
    sport,
    market: row.market,
    selection: row.selection,
    line: row.line,
    player_name: row.playerName,
    odds_decimal: row.price,
    odds_american: decimalToAmerican(row.price),
    stake: row.stake,
    sportsbook: row.sportsbook,
    reference: row.reference,
  }
}

function foundJson(found: BetSelection) {
  const { marketType, selectionType, playerName, homeTeam, awayTeam } = found
  const sides = { frameHome: homeTeam, frameAway: awayTeam }
  return {
    event_id: found.eventId,
    league: found.league,
    sport: found.sport,
    market_type: marketType,
    selection: selectionLabel(selectionType, marketType, null, playerName, sides),
    line: found.line,
    player_name: playerName,
  }
}

const weighedJson = ({ row, found, clv, reason, close, ownClose, ownClv }: WeighedBet) => ({
  ...betJson(row, found),
  clv_percent: clv === null ? null : percentOf(clv),
  reason,
  close: close && closeJson(close),
  sportsbook_clv_percent: ownClv === null ? null : percentOf(ownClv),
  sportsbook_close: ownClose && closeJson(ownClose),
})

const closeJson = ({ sportsbook, startsAt, price, noVig, missing }: ArchivedClose) => ({
  sportsbook,
  start_time: instant(startsAt),
  odds_decimal: price === null ? null : shownPrice(price),
  odds_american: price === null ? null : decimalToAmerican(price),
  no_vig_probability: noVig,
  missing,
})

function betList(
  rows: readonly BetRow[],
  page: PageQuery,
  filters: Readonly<Record<string, unknown>>,
  most: number,
): string {
  const updatedAt = rows.reduce((newest, { createdAt }) => Math.max(newest, createdAt), 0)
  const meta = { filters, max_bets: most }
  return listAnswer(rows, page, (row) => betJson(row), { updatedAt, meta })
}

/** What can be sent again, and then what was found. */
function csvOf(rows: readonly BetRow[]): string {
  const columns = [...betColumns.keys()]
  const lines = rows.map((row) => {
    const cells: Readonly<Record<string, string | number | null>> = {
      ...statedJson(row),
      // One of the two says it; the decimal one as it was.
      odds_american: null,
      placed_at: instant(row.placedAt),
      id: row.id,
      created_at: instant(row.createdAt),
      found_event_id: row.found?.eventId ?? null,
      found_market: row.found?.marketType ?? null,
    }
    return columns.map((column) => cells[column] ?? '')
  })
  return csvText([columns, ...lines])
}
