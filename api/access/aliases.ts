/**
 * The aliases of names for their operator: the table as the log has it, and orders, which the pipeline
 * obeys. An order has ended once its row was read back, so that the next list shows it.
 */

import { randomUUID } from 'node:crypto'
import type { Append, Chunk, Log } from '../../pipeline/log/log.ts'
import { type Aliases, createAliases } from '../../pipeline/processors/events/aliases.ts'
import {
  type AliasName,
  type AliasOrder,
  type AliasRow,
  aliasId,
  aliasKey,
  keyOfAlias,
} from '../../schemas/alias.ts'
import { topics } from '../../schemas/topics.ts'
import { ApiError, retryAfter } from '../errors.ts'

export type AliasNames = Pick<Aliases, 'teamOf' | 'areForbidden'>

export interface AliasDesk {
  /** Resolves when the table holds what the log held at the start. */
  readonly ready: Promise<void>
  /** Follows the log until `signal` aborts. Rejects when the log fails. */
  follow(signal: AbortSignal): Promise<void>
  /** All rows, by league, sportsbook and spelling. */
  list(): readonly AliasRow[]
  find(id: string): AliasRow | undefined
  /** What they say of names, as the pipeline reads them. */
  names(): AliasNames
  /**
   * Says what names stand for, or never do.
   * @throws ApiError validation_error where both are said of two names, service_unavailable
   */
  order(
    names: readonly (AliasName & { readonly state: 'confirmed' | 'forbidden' })[],
  ): Promise<readonly AliasRow[]>
  /** Takes a row back, the service's own too. @throws ApiError service_unavailable */
  remove(row: AliasRow): Promise<void>
}

/** After this long without reading an order's row back, it counts as failed. */
const longestWaitMs = 10_000

export function openAliases(log: Log, clock: () => number): AliasDesk {
  let rows = new Map<string, AliasRow>()
  let replayed: Map<string, AliasRow> | null = null
  /** Made anew when it is asked for after a change. */
  let names: Aliases | null = null
  let waiting: { readonly holds: () => boolean; end(error?: ApiError): void }[] = []
  let markReady = () => {}
  const ready = new Promise<void>((resolve) => {
    markReady = resolve
  })

  function settle(error?: ApiError) {
    const ended = waiting.filter(({ holds }) => error !== undefined || holds())
    waiting = waiting.filter((one) => !ended.includes(one))
    for (const { end } of ended) end(error)
  }

  function apply({ reset, records, caughtUp }: Chunk) {
    names = null
    if (reset) replayed = new Map()
    const into = replayed ?? rows
    for (const { key, value } of records) {
      if (value === null) into.delete(key)
      else into.set(key, value as AliasRow)
    }
    if (caughtUp && replayed) {
      rows = replayed
      replayed = null
      markReady()
    }
    if (!replayed) settle()
  }

  /** Resolves once it holds of the table. */
  function until(holds: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting = waiting.filter((one) => one !== entry)
        reject(unavailable('The order is written; no pipeline has obeyed it yet.'))
      }, longestWaitMs)
      const entry = {
        holds,
        end(error?: ApiError) {
          clearTimeout(timer)
          if (error) reject(error)
          else resolve()
        },
      }
      waiting.push(entry)
      settle()
    })
  }

  async function write(orders: readonly AliasOrder[]) {
    const records = orders.map(
      (value): Append => ({
        topic: topics.feedAliases,
        partitionKey: value.league,
        key: aliasKey(value, value.isForbidden),
        value,
      }),
    )
    await log.append(records)
  }

  return {
    ready,
    list: () => [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row),
    find: (id) => [...rows.values()].find((row) => aliasId(keyOfAlias(row)) === id),

    names() {
      if (!names) {
        names = createAliases(() => {})
        for (const row of rows.values()) names.restore(row)
      }
      return names
    },

    async follow(signal) {
      try {
        for await (const chunk of log.follow([topics.aliases], { signal })) apply(chunk)
      } finally {
        settle(unavailable('The service is ending.'))
      }
    },

    async order(names) {
      const revision = randomUUID()
      // Of two orders about one row the last counts.
      const orders = new Map<string, AliasOrder>()
      for (const { league, sportsbook, spelling, team, state } of names) {
        const isForbidden = state === 'forbidden'
        const name = { league, sportsbook, spelling, team }
        orders.set(aliasKey(name, isForbidden), {
          ...{ type: 'alias', ...name, state, isForbidden, revision },
          observedAt: clock(),
        })
      }
      const contradicted = [...orders.values()].find(
        (name) => !name.isForbidden && forbiddenKeys(name).some((key) => orders.has(key)),
      )
      if (contradicted) {
        const { spelling, team } = contradicted
        throw new ApiError(
          'validation_error',
          `${spelling} is to stand for ${team}, and never to: say one of the two.`,
        )
      }
      await write([...orders.values()])
      const keys = [...orders.keys()]
      await until(() => keys.every((key) => rows.get(key)?.revision === revision))
      return keys.flatMap((key) => rows.get(key) ?? [])
    },

    async remove({ league, sportsbook, spelling, team, state }) {
      const name = { league, sportsbook, spelling, team }
      const isForbidden = state === 'forbidden'
      const key = aliasKey(name, isForbidden)
      const before = rows.get(key)
      const order = { type: 'alias', ...name, state: 'removed', isForbidden } as const
      await write([{ ...order, observedAt: clock(), revision: randomUUID() }])
      await until(() => rows.get(key) !== before || !rows.has(key))
    },
  }
}

/** Where it would be said that a spelling never stands for the team: at its sportsbook, and at all. */
const forbiddenKeys = (name: AliasName) =>
  [name.sportsbook, '*'].map((sportsbook) => aliasKey({ ...name, sportsbook }, true))

const unavailable = (message: string) => new ApiError('service_unavailable', message, retryAfter(1))
