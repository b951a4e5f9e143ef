/**
 * The operator's aliases: a ledger of the topic `aliases`, and orders to the pipeline. An order resolves when its
 * rows have been read back, so the next list has them.
 */

import { randomUUID } from 'node:crypto'
import type { Append, Log } from '../../pipeline/log/log.ts'
import { type Aliases, createAliases } from '../../pipeline/processors/events/aliases.ts'
import type { View } from '../../pipeline/views/view.ts'
import {
  type AliasName,
  type AliasOrder,
  type AliasRow,
  aliasId,
  aliasKey,
  keyOfAlias,
} from '../../schemas/alias.ts'
import { topics } from '../../schemas/topics.ts'
import { ApiError } from '../errors.ts'
import { type Awaited, createLedger, rowsByKey } from '../ledger.ts'

export type AliasNames = Pick<Aliases, 'teamOf' | 'areForbidden'>

export interface AliasDesk {
  /** To be fed by a follower of the log. */
  readonly view: View
  /** Returns all rows, by league, sportsbook and spelling. */
  list(): readonly AliasRow[]
  find(id: string): AliasRow | undefined
  /** Returns the aliases as the pipeline reads them. */
  names(): AliasNames
  /**
   * Confirms or forbids names.
   * @throws ApiError validation_error if a name is both confirmed and forbidden, service_unavailable
   */
  order(
    names: readonly (AliasName & { readonly state: 'confirmed' | 'forbidden' })[],
  ): Promise<readonly AliasRow[]>
  /** Removes a row, including one that the service learnt. @throws ApiError service_unavailable */
  remove(row: AliasRow): Promise<void>
}

export function openAliases(log: Log, clock: () => number): AliasDesk {
  /** Cached until a change. */
  let names: Aliases | null = null
  const ledger = createLedger(log, {
    topic: topics.aliases,
    ...rowsByKey<AliasRow>(),
    changed() {
      names = null
    },
  })

  async function write(orders: readonly AliasOrder[], awaited: Awaited) {
    const records = orders.map(
      (value): Append => ({
        topic: topics.feedAliases,
        partitionKey: value.league,
        key: aliasKey(value, value.isForbidden),
        value,
      }),
    )
    await ledger.write(records, awaited)
  }

  return {
    view: ledger,
    list: () => [...ledger.table].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row),
    find: (id) => [...ledger.table.values()].find((row) => aliasId(keyOfAlias(row)) === id),

    names() {
      if (!names) {
        names = createAliases(() => {})
        for (const row of ledger.table.values()) names.restore(row)
      }
      return names
    },

    async order(names) {
      const revision = randomUUID()
      // The last order for a row counts.
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
          `${spelling} is both confirmed and forbidden for ${team}: send one of the two.`,
        )
      }
      const keys = [...orders.keys()]
      const isOurs = (row: unknown) => (row as AliasRow | null)?.revision === revision
      await write([...orders.values()], new Map(keys.map((key) => [key, isOurs])))
      return keys.flatMap((key) => ledger.table.get(key) ?? [])
    },

    async remove({ league, sportsbook, spelling, team, state }) {
      const name = { league, sportsbook, spelling, team }
      const isForbidden = state === 'forbidden'
      const order = { type: 'alias', ...name, state: 'removed', isForbidden } as const
      const awaited = new Map([[aliasKey(name, isForbidden), () => true]])
      await write([{ ...order, observedAt: clock(), revision: randomUUID() }], awaited)
    },
  }
}

/** Returns the keys that would forbid the name: at its sportsbook, and at all of them. */
const forbiddenKeys = (name: AliasName) =>
  [name.sportsbook, '*'].map((sportsbook) => aliasKey({ ...name, sportsbook }, true))
