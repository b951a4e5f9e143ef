/** The ledger of all accounts' bets, over the topic `bets`. Every read names the account. */

import { randomUUID } from 'node:crypto'
import type { Append, Log } from '../../pipeline/log/log.ts'
import { compareTexts } from '../../pipeline/text/compare-texts.ts'
import type { View } from '../../pipeline/views/view.ts'
import {
  type BetCorrection,
  type BetRow,
  type BetSelection,
  type BetStatement,
  type BetVerdict,
  betIdOf,
  referencedBetId,
} from '../../schemas/bet.ts'
import { groupBy } from '../../schemas/grouping.ts'
import { rowType } from '../../schemas/reference/markets.ts'
import { topics } from '../../schemas/topics.ts'
import { createLedger } from '../ledger.ts'
import { statedFault } from './bet-verdict.ts'

/** A bet to store. */
export interface NewBet {
  readonly statement: BetStatement
  readonly found: BetSelection | null
  readonly verdict: BetVerdict | null
  /** Id of the stored bet that this one repeats, under the same reference or none. An unknown id is ignored. */
  readonly id: string | null
}

export type AddedBet =
  /**
   * `duplicate`: a bet with this reference or id is already stored. `settled`: so is this one, and
   * its result is new.
   */
  | { readonly status: 'stored' | 'duplicate' | 'settled'; readonly row: BetRow }
  | { readonly status: 'reference_conflict' | 'too_many_bets' }
  /** The stored bet is free, and its result cannot be that of this one, which is not marked. */
  | { readonly status: 'invalid_field'; readonly fault: string }

export interface BetLedger {
  /** View to be fed by a follower of the log. */
  readonly view: View
  /** Returns an account's bets, last placed first. */
  of(accountId: string): readonly BetRow[]
  find(accountId: string, id: string): BetRow | undefined
  /**
   * Stores bets in order, until the account has `most` in all.
   * @param options.isFile whether they are of a file: a bet of it that has neither reference nor id
   *   is sent again if one with its fields is stored. Two equal bets of a file are two
   * @throws ApiError service_unavailable
   */
  add(
    accountId: string,
    bets: readonly NewBet[],
    most: number,
    options?: { readonly isFile: boolean },
  ): Promise<readonly AddedBet[]>
  /**
   * Stores how a bet ended, or removes that.
   * @returns undefined if the account has no such bet
   * @throws ApiError service_unavailable
   */
  settle(
    accountId: string,
    id: string,
    verdict: BetVerdict | null,
    check: (bet: BetRow) => void,
  ): Promise<BetRow | undefined>
  /**
   * Corrects a stored bet: the stated fields, and with them its selection and result if they
   * change. Id and reference stay.
   * @param correct returns the correction for the stored bet, or throws if the bet must not be
   *   changed that way
   * @returns undefined if the account has no such bet
   * @throws ApiError service_unavailable
   */
  correct(
    accountId: string,
    id: string,
    correct: (bet: BetRow) => BetCorrection & Partial<Pick<BetRow, 'found' | 'verdict'>>,
  ): Promise<BetRow | undefined>
  /** @throws ApiError service_unavailable */
  remove(bet: BetRow): Promise<void>
}

interface AccountBets {
  readonly byId: Map<string, BetRow>
  /** Null after a change: sorted again when read. */
  sorted: readonly BetRow[] | null
}

type Accounts = Map<string, AccountBets>

const noBets: readonly BetRow[] = []

/**
 * Returns the row with the time of its last change; rows of earlier builds have none.
 * @param before the row that it replaces. Its time is used if an earlier build, running beside this
 *   one, dropped it
 */
function asDated(row: BetRow, before: BetRow | undefined): BetRow {
  const { createdAt, verdict } = row
  const stated = row.updatedAt > 0 ? row.updatedAt : Math.max(createdAt, verdict?.at ?? 0)
  const updatedAt = Math.max(stated, before?.updatedAt ?? 0)
  return updatedAt === row.updatedAt ? row : { ...row, updatedAt }
}

/** Replaces a former market name, under which an earlier build may have stored the bet. */
function asNamedNow(row: BetRow): BetRow {
  const { found } = row
  const marketType = found && rowType(found.marketType)
  if (found === null || marketType === null || marketType === found.marketType) return row
  return { ...row, found: { ...found, marketType } }
}

function take(into: Accounts, key: string, row: BetRow | null) {
  const accountId = row?.accountId ?? key.slice(0, key.lastIndexOf('|'))
  let bets = into.get(accountId)
  if (!bets) {
    bets = { byId: new Map(), sorted: null }
    into.set(accountId, bets)
  }
  bets.sorted = null
  if (row) bets.byId.set(row.id, asDated(asNamedNow(row), bets.byId.get(row.id)))
  else bets.byId.delete(key.slice(key.lastIndexOf('|') + 1))
  if (bets.byId.size === 0) into.delete(accountId)
}

export function openBets(log: Pick<Log, 'append'>, clock: () => number): BetLedger {
  const ledger = createLedger<Accounts>(log, {
    topic: topics.bets,
    empty: () => new Map(),
    take: (accounts, key, row) => take(accounts, key, row as BetRow | null),
  })
  const find = (accountId: string, id: string) => ledger.table.get(accountId)?.byId.get(id)
  const change = (accountId: string, id: string, changesOf: (before: BetRow) => Partial<BetRow>) =>
    ledger.inTurn(accountId, () =>
      ledger.change<BetRow>({
        find: () => find(accountId, id),
        make: (before) => ({ ...before, ...changesOf(before), updatedAt: clock() }),
        record: recordOf,
      }),
    )

  return {
    view: ledger,
    find,

    of(accountId) {
      const bets = ledger.table.get(accountId)
      if (!bets) return noBets
      bets.sorted ??= [...bets.byId.values()].sort(
        (a, b) => b.placedAt - a.placedAt || compareTexts(a.id, b.id),
      )
      return bets.sorted
    },

    add: (accountId, bets, most, { isFile } = { isFile: false }) =>
      ledger.inTurn(accountId, async () => {
        const revision = randomUUID()
        const now = clock()
        const fresh = new Map<string, BetRow>()
        const settled = new Map<string, BetRow>()
        const known = ledger.table.get(accountId)?.byId
        let count = known?.size ?? 0
        const repeated = findRepeated(isFile && known ? known.values() : [], bets)
        const added = bets.map(({ statement, found, verdict, id: statedId }, at): AddedBet => {
          const { reference } = statement
          const again = statedId === null ? undefined : find(accountId, statedId)
          if (again && again.reference !== reference) return { status: 'reference_conflict' }
          const id =
            reference !== null
              ? referencedBetId(accountId, reference)
              : ((again ?? repeated[at])?.id ?? betIdOf(randomUUID()))
          const stored = find(accountId, id)
          const before = fresh.get(id) ?? settled.get(id) ?? stored
          if (before) {
            if (!isSameBet(before, statement)) return { status: 'reference_conflict' }
            const fault = verdict && before.isFree ? statedFault(verdict, before) : null
            if (fault !== null) return { status: 'invalid_field', fault }
            const isSettled = verdict !== null && !isSameVerdict(verdict, before.verdict)
            // An earlier build stored the free bets of a file without their mark.
            const isMarked = verdict !== null && statement.isFree && !before.isFree
            if (!isSettled && !isMarked) return { status: 'duplicate', row: before }
            const isFree = before.isFree || isMarked
            const row: BetRow = { ...before, revision, isFree, verdict, updatedAt: now }
            const rows = stored ? settled : fresh
            rows.set(id, row)
            return { status: isSettled ? 'settled' : 'duplicate', row }
          }
          if (count >= most) return { status: 'too_many_bets' }
          count++
          const dates = { createdAt: now, updatedAt: now }
          const row: BetRow = { id, accountId, revision, ...dates, ...statement, found, verdict }
          fresh.set(id, row)
          return { status: 'stored', row }
        })
        // Another process may correct or delete the bet meanwhile. A deleted bet stays deleted,
        // although this call still reports it as settled.
        const changes = [...settled].map(([id, { verdict, isFree }]) => ({
          find: () => find(accountId, id),
          make: (before: BetRow): BetRow => ({
            ...{ ...before, verdict, updatedAt: now },
            isFree: before.isFree || isFree,
          }),
          record: recordOf,
        }))
        const records = [...fresh.values()].map((row) => recordOf(row, row))
        const changed = await ledger.changeAll<BetRow>(changes, records)
        const rowsNow = new Map(changed.flatMap((row) => (row ? [[row.id, row]] : [])))
        return added.map((one) =>
          'row' in one ? { ...one, row: rowsNow.get(one.row.id) ?? one.row } : one,
        )
      }),

    settle: (accountId, id, verdict, check) =>
      change(accountId, id, (bet) => {
        check(bet)
        return { verdict }
      }),
    correct: change,

    remove: (bet) => ledger.inTurn(bet.accountId, () => ledger.write([recordOf(bet, null)])),
  }
}

const recordOf = (
  { accountId, id }: Pick<BetRow, 'accountId' | 'id'>,
  value: BetRow | null,
): Append => ({
  topic: topics.bets,
  partitionKey: accountId,
  key: `${accountId}|${id}`,
  value,
})

/**
 * Returns, for each bet of a file without reference and id, the stored one that it repeats. Each is
 * repeated once, and none that is stated by its id. Of equal bets, one with the same result is taken
 * first, then an open one, then the oldest; a free bet never for another.
 */
function findRepeated(stored: Iterable<BetRow>, bets: readonly NewBet[]) {
  const stated = new Set(bets.map(({ id }) => id))
  const times = new Set(bets.map(({ statement }) => statement.placedAt))
  const isUnnamed = ({ id, reference, placedAt }: BetRow) =>
    reference === null && times.has(placedAt) && !stated.has(id)
  let rows = [...stored].filter(isUnnamed)
  rows.sort((a, b) => a.createdAt - b.createdAt || compareTexts(a.id, b.id))
  const repeated: (BetRow | undefined)[] = bets.map(() => undefined)
  for (const isAlike of [isSameResult, (row: BetRow) => row.verdict === null, () => true]) {
    if (rows.length === 0) break
    const byKey = groupBy(rows, keyOf)
    for (const [at, { statement, id, verdict }] of bets.entries()) {
      if (statement.reference !== null || id !== null || repeated[at]) continue
      const equals = byKey.get(keyOf(statement)) ?? []
      const place = equals.findIndex((row) => isAlike(row, verdict))
      if (place >= 0) [repeated[at]] = equals.splice(place, 1)
    }
    rows = [...byKey.values()].flat()
  }
  return repeated
}

const isSameResult = ({ verdict }: BetRow, stated: BetVerdict | null) =>
  stated === null ? verdict === null : isSameVerdict(stated, verdict)

const keyOf = (bet: BetStatement) =>
  [
    ...[textOf(bet), bet.isFree],
    ...[bet.price, bet.stake, bet.line].map((each) => each?.toPrecision(9)),
  ].join()

/** Spreadsheets keep ten to fifteen figures of a number. */
const figuresLost = 1e-9

const isSameNumber = (one: number | null, other: number | null) =>
  one === null || other === null
    ? one === other
    : Math.abs(one - other) <= figuresLost * Math.max(Math.abs(one), Math.abs(other))

function isSameBet(one: BetStatement, other: BetStatement): boolean {
  return (
    textOf(one) === textOf(other) &&
    isSameNumber(one.price, other.price) &&
    isSameNumber(one.stake, other.stake) &&
    isSameNumber(one.line, other.line)
  )
}

const isSameVerdict = (one: BetVerdict, other: BetVerdict | null) =>
  other !== null &&
  one.outcome === other.outcome &&
  isSameNumber(one.returned, other.returned) &&
  one.sharedBy === other.sharedBy &&
  one.reason === other.reason

/**
 * Returns all stated fields that are no amounts, in a fixed order, without the mark of a free bet:
 * an earlier build stored the free bets of a file unmarked.
 */
function textOf(bet: BetStatement): string {
  const { id, homeTeam, awayTeam, startsAt, isDay, sport, league } = bet.event
  return JSON.stringify([
    ...[bet.reference, bet.placedAt, bet.market, bet.selection, bet.playerName],
    bet.sportsbook,
    ...[id, homeTeam, awayTeam, startsAt, isDay, sport, league],
  ])
}
