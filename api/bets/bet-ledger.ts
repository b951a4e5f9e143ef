/**
 * The bets of all accounts, as the log has them, and their writes. An account's bets are given out to
 * whoever names the account, and to nobody else. A write ends when this process has read it back, so
 * that a client sees its own change at once.
 */

import { randomUUID } from 'node:crypto'
import type { Append, Chunk, Log } from '../../pipeline/log/log.ts'
import { compareTexts } from '../../pipeline/text/compare-texts.ts'
import {
  type BetRow,
  type BetSelection,
  type BetStatement,
  betIdOf,
  referencedBetId,
} from '../../schemas/bet.ts'
import { rowType } from '../../schemas/reference/markets.ts'
import { topics } from '../../schemas/topics.ts'
import { ApiError, retryAfter } from '../errors.ts'

/** A bet to be kept. */
export interface NewBet {
  readonly statement: BetStatement
  readonly found: BetSelection | null
}

export type AddedBet =
  /** `duplicate`: it was there, under the same reference. */
  | { readonly status: 'stored' | 'duplicate'; readonly row: BetRow }
  | { readonly status: 'reference_conflict' | 'too_many_bets' }

export interface BetLedger {
  /** Resolves when the ledger holds what the log held at the start. */
  readonly ready: Promise<void>
  /** Follows the log until `signal` aborts. Rejects when the log fails. */
  follow(signal: AbortSignal): Promise<void>
  /** Of an account, those placed last first. */
  of(accountId: string): readonly BetRow[]
  find(accountId: string, id: string): BetRow | undefined
  /**
   * Keeps bets, in their order, up to the most that the account may have.
   * @throws ApiError service_unavailable
   */
  add(accountId: string, bets: readonly NewBet[], most: number): Promise<readonly AddedBet[]>
  /** @throws ApiError service_unavailable */
  remove(bet: BetRow): Promise<void>
}

/** After this long without reading a write back, it counts as failed. */
const longestWaitMs = 10_000
/** Records of one append. */
const appendCount = 1_000

interface AccountBets {
  readonly byId: Map<string, BetRow>
  /** Made anew when it is asked for after a change. */
  sorted: readonly BetRow[] | null
}

type Accounts = Map<string, AccountBets>

interface Waiting {
  holds(): boolean
  end(error?: ApiError): void
}

const noBets: readonly BetRow[] = []

/** The bet under today's name of its market: an earlier build may have kept it under a former one. */
function asNamedNow(row: BetRow): BetRow {
  const { found } = row
  const marketType = found && rowType(found.marketType)
  if (found === null || marketType === null || marketType === found.marketType) return row
  return { ...row, found: { ...found, marketType } }
}

export function openBets(log: Log, clock: () => number): BetLedger {
  let accounts: Accounts = new Map()
  /** A fresh replay, until it is whole. */
  let replayed: Accounts | null = null
  let waiting: Waiting[] = []
  /** The last write of each account that is writing. */
  const writing = new Map<string, Promise<unknown>>()
  let markReady = () => {}
  const ready = new Promise<void>((resolve) => {
    markReady = resolve
  })

  function take(into: Accounts, key: string, row: BetRow | null) {
    const accountId = row?.accountId ?? key.slice(0, key.lastIndexOf('|'))
    let bets = into.get(accountId)
    if (!bets) {
      bets = { byId: new Map(), sorted: null }
      into.set(accountId, bets)
    }
    bets.sorted = null
    if (row) bets.byId.set(row.id, asNamedNow(row))
    else bets.byId.delete(key.slice(key.lastIndexOf('|') + 1))
    if (bets.byId.size === 0) into.delete(accountId)
  }

  function apply({ reset, records, caughtUp }: Chunk) {
    if (reset) replayed = new Map()
    const into = replayed ?? accounts
    for (const { key, value } of records) take(into, key, value as BetRow | null)
    if (caughtUp && replayed) {
      accounts = replayed
      replayed = null
      markReady()
    }
    if (!replayed) settle()
  }

  function settle(error?: ApiError) {
    const ended = waiting.filter(({ holds }) => error !== undefined || holds())
    if (ended.length === 0) return
    waiting = waiting.filter((one) => !ended.includes(one))
    for (const { end } of ended) end(error)
  }

  /** Resolves once it holds of the ledger. */
  function until(holds: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting = waiting.filter((one) => one !== entry)
        reject(unavailable('The change is written but has not come back from the log.'))
      }, longestWaitMs)
      const entry: Waiting = {
        holds,
        end(error) {
          clearTimeout(timer)
          if (error) reject(error)
          else resolve()
        },
      }
      waiting.push(entry)
      settle()
    })
  }

  async function write(records: readonly Append[]) {
    for (let from = 0; from < records.length; from += appendCount) {
      await log.append(records.slice(from, from + appendCount))
    }
  }

  /** One write of an account at a time, so that what was checked still holds. */
  async function inTurn<Result>(accountId: string, work: () => Promise<Result>): Promise<Result> {
    const before = writing.get(accountId) ?? Promise.resolve()
    const done = before.then(work)
    const settled = done.catch(() => {})
    writing.set(accountId, settled)
    try {
      return await done
    } finally {
      if (writing.get(accountId) === settled) writing.delete(accountId)
    }
  }

  const find = (accountId: string, id: string) => accounts.get(accountId)?.byId.get(id)

  return {
    ready,
    find,

    async follow(signal) {
      try {
        for await (const chunk of log.follow([topics.bets], { signal })) apply(chunk)
      } finally {
        settle(unavailable('The service is ending.'))
      }
    },

    of(accountId) {
      const bets = accounts.get(accountId)
      if (!bets) return noBets
      bets.sorted ??= [...bets.byId.values()].sort(
        (a, b) => b.placedAt - a.placedAt || compareTexts(a.id, b.id),
      )
      return bets.sorted
    },

    add: (accountId, bets, most) =>
      inTurn(accountId, async () => {
        const revision = randomUUID()
        const createdAt = clock()
        const fresh = new Map<string, BetRow>()
        let count = accounts.get(accountId)?.byId.size ?? 0
        const added = bets.map(({ statement, found }): AddedBet => {
          const { reference } = statement
          const id =
            reference === null ? betIdOf(randomUUID()) : referencedBetId(accountId, reference)
          const before = fresh.get(id) ?? find(accountId, id)
          if (before) {
            return saysTheSame(before, statement)
              ? { status: 'duplicate', row: before }
              : { status: 'reference_conflict' }
          }
          if (count >= most) return { status: 'too_many_bets' }
          count++
          const row: BetRow = { id, accountId, revision, createdAt, ...statement, found }
          fresh.set(id, row)
          return { status: 'stored', row }
        })
        const rows = [...fresh.values()]
        const last = rows.at(-1)
        if (last) {
          await write(rows.map((row) => recordOf(row, row)))
          // They lie in one partition: when the last is here, so are the others.
          await until(() => find(accountId, last.id)?.revision === revision)
        }
        return added
      }),

    remove: (bet) =>
      inTurn(bet.accountId, async () => {
        await write([recordOf(bet, null)])
        await until(() => find(bet.accountId, bet.id)?.revision !== bet.revision)
      }),
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

function saysTheSame(one: BetStatement, other: BetStatement): boolean {
  return textOf(one) === textOf(other)
}

/** All that is stated, in one order. */
function textOf(of: BetStatement): string {
  const { id, homeTeam, awayTeam, startsAt, isDay, sport, league } = of.event
  return JSON.stringify([
    ...[of.reference, of.placedAt, of.market, of.selection, of.line, of.playerName],
    ...[of.price, of.stake, of.sportsbook],
    ...[id, homeTeam, awayTeam, startsAt, isDay, sport, league],
  ])
}

const unavailable = (message: string) => new ApiError('service_unavailable', message, retryAfter(1))
