/** The ledgers of all accounts' alerts and of their deliveries. A client's reads always name its account. */

import { randomBytes, randomUUID } from 'node:crypto'
import type { Append, Log } from '../../pipeline/log/log.ts'
import { putRow } from '../../pipeline/views/table.ts'
import type { View } from '../../pipeline/views/view.ts'
import {
  type AlertDeliveryRow,
  type AlertOf,
  type AlertRow,
  alertKey,
  deliveryKey,
  type OpportunityAlert,
  type RuleType,
} from '../../schemas/alert.ts'
import type { MessageOf } from '../../schemas/http/alerts.ts'
import { type Topic, topics } from '../../schemas/topics.ts'
import { ApiError } from '../errors.ts'
import { createLedger, rowsByKey } from '../ledger.ts'

/** Fields that the book sets. */
type BookField =
  | 'id'
  | 'accountId'
  | 'revision'
  | 'createdAt'
  | 'updatedAt'
  | 'isPaused'
  | 'pauseReason'
/** An alert as its account defines it. */
export type NewAlert = { [Type in RuleType]: Omit<AlertOf<Type>, BookField> }[RuleType]
/** Changeable fields of an alert of any type. The type itself stays. */
export type AlertChange = Partial<
  Omit<OpportunityAlert, Exclude<BookField, 'isPaused' | 'pauseReason'> | 'type'>
>

export interface AlertBook {
  /** Views to be fed by a follower of the log. */
  readonly views: readonly View[]
  /** Resolves once both tables have been read. */
  readonly ready: Promise<unknown>
  /** Returns the alerts of all accounts. */
  all(): Iterable<AlertRow>
  /** Returns an account's alerts, oldest first. */
  of(accountId: string): readonly AlertRow[]
  /** @throws ApiError not_found */
  find(accountId: string, id: string): AlertRow
  /** Returns the deliveries of an alert, newest first. */
  deliveriesOf(alert: Pick<AlertRow, 'accountId' | 'id'>): readonly AlertDeliveryRow[]
  findDelivery(
    row: Pick<AlertDeliveryRow, 'accountId' | 'alertId' | 'id'>,
  ): AlertDeliveryRow | undefined
  /** Returns the deliveries of all alerts by `alertKey`, also of deleted alerts. */
  deliveries(): Iterable<readonly [alert: string, rows: Iterable<AlertDeliveryRow>]>
  /** Returns the deliveries that have not arrived yet, in the order in which they are to be sent. */
  pending(): readonly AlertDeliveryRow[]
  /** Returns the messages that have arrived and whose opportunity or price is not known to be gone. */
  standing(): Iterable<StandingMessage>
  /** Returns the messages whose opportunity or price is gone, and that have not been edited to say so. */
  unedited(): Iterable<AlertDeliveryRow>
  /** Calls back after each change of a table. @returns a function that ends it */
  watch(listener: (table: 'alerts' | 'deliveries') => void): () => void

  /** @throws ApiError validation_error if the account has `most` alerts already, service_unavailable */
  add(accountId: string, alert: NewAlert, most: number): Promise<AlertRow>
  /** @throws ApiError not_found, service_unavailable */
  change(accountId: string, id: string, change: AlertChange): Promise<AlertRow>
  /**
   * Pauses an alert for the service, unless its account has changed or deleted it since it was read. Changes through
   * this process wait for the pause. A change through another process prevents the pause only if it has been read
   * back; otherwise the last write wins.
   * @param write writes through the lease of the sending process
   * @returns whether it is paused
   */
  pauseUnchanged(
    alert: AlertRow,
    pauseReason: string,
    write: (records: readonly Append[]) => Promise<void>,
  ): Promise<boolean>
  /** Deletes an alert. @throws ApiError not_found, service_unavailable */
  remove(accountId: string, id: string): Promise<void>
  /** Stores a delivery for the sending process. @throws ApiError service_unavailable */
  addDelivery(row: AlertDeliveryRow): Promise<void>
  /** Resolves with the delivery as it is when it is no longer pending, after `withinMs`, or when reading ends. */
  whenNotPending(row: AlertDeliveryRow, withinMs: number): Promise<AlertDeliveryRow>
  /** Resolves once everything now on the log has been read. @throws ApiError service_unavailable */
  catchUp(): Promise<void>
}

export interface StandingMessage {
  readonly row: AlertDeliveryRow
  /** Null for messages about a price. */
  readonly opportunityId: string | null
}

/** Maps are by `deliveryKey` unless noted. */
interface Deliveries {
  /** By `alertKey`, then by id. */
  readonly byAlert: Map<string, Map<string, AlertDeliveryRow>>
  readonly pending: Map<string, AlertDeliveryRow>
  readonly standing: Map<string, StandingMessage>
  readonly unedited: Map<string, AlertDeliveryRow>
}

/** Returns a message that has arrived and whose opportunity or price may still be there; else null. */
function standingMessage(row: AlertDeliveryRow): StandingMessage | null {
  const { type, state, goneAt, message } = row
  if (state !== 'delivered' || goneAt !== null || message === '') return null
  if (type === 'price') return { row, opportunityId: null }
  if (type !== 'opportunity') return null
  const { data } = JSON.parse(message) as MessageOf<'alert.opportunity'>
  return { row, opportunityId: data.opportunity_id }
}

const isUnedited = ({ state, remoteId, goneAt, editedAt }: AlertDeliveryRow) =>
  state === 'delivered' && remoteId !== null && goneAt !== null && editedAt === null

/** Sorts by the time of the decision. The log has another order: each attempt writes the delivery again. */
const bySendingOrder = (a: AlertDeliveryRow, b: AlertDeliveryRow) =>
  a.decidedAt - b.decidedAt || b.attempts - a.attempts

/** Longest wait until a pause is read back (ms). */
const readBackWithinMs = 10_000

const noDeliveries: ReadonlyMap<string, AlertDeliveryRow> = new Map()

function takeDelivery(table: Deliveries, key: string, row: AlertDeliveryRow | null) {
  const { byAlert } = table
  const end = key.lastIndexOf('|')
  const alert = key.slice(0, end)
  const id = key.slice(end + 1)
  const ofAlert = byAlert.get(alert) ?? new Map<string, AlertDeliveryRow>()
  putRow(table.pending, key, row?.state === 'pending' ? row : null)
  putRow(table.standing, key, row && standingMessage(row))
  putRow(table.unedited, key, row && isUnedited(row) ? row : null)
  if (row) byAlert.set(alert, ofAlert.set(id, row))
  else if (ofAlert.delete(id) && ofAlert.size === 0) byAlert.delete(alert)
}

export function openAlerts(log: Pick<Log, 'append'>, clock: () => number): AlertBook {
  const listeners = new Set<(table: 'alerts' | 'deliveries') => void>()
  /** Ends the waits for a change of the tables. */
  const waits = new Set<() => void>()
  let isEnded = false
  const changed = (table: 'alerts' | 'deliveries') => () => {
    for (const listener of listeners) listener(table)
  }
  const alerts = createLedger(log, {
    topic: topics.alerts,
    ...rowsByKey<AlertRow>(),
    changed: changed('alerts'),
    ended() {
      isEnded = true
      for (const end of waits) end()
    },
  })
  const deliveries = createLedger<Deliveries>(log, {
    topic: topics.alertDeliveries,
    empty: () => ({
      ...{ byAlert: new Map(), pending: new Map() },
      ...{ standing: new Map(), unedited: new Map() },
    }),
    take: (table, key, row) => takeDelivery(table, key, row as AlertDeliveryRow | null),
    changed: changed('deliveries'),
  })

  const deliveriesOf = (alert: Pick<AlertRow, 'accountId' | 'id'>) =>
    [...(deliveries.table.byAlert.get(alertKey(alert)) ?? noDeliveries).values()].sort(
      (a, b) => b.decidedAt - a.decidedAt || (a.id < b.id ? 1 : -1),
    )

  const of = (accountId: string) =>
    [...alerts.table.values()]
      .filter((alert) => alert.accountId === accountId)
      .sort((a, b) => a.createdAt - b.createdAt)

  function find(accountId: string, id: string): AlertRow {
    const alert = alerts.table.get(alertKey({ accountId, id }))
    if (!alert) throw new ApiError('not_found', 'You have no alert with this id.')
    return alert
  }

  const findDelivery = ({
    accountId,
    alertId,
    id,
  }: Pick<AlertDeliveryRow, 'accountId' | 'alertId' | 'id'>) =>
    deliveries.table.byAlert.get(alertKey({ accountId, id: alertId }))?.get(id)

  /** Resolves once the tables are as wanted, after `withinMs`, or when nothing more is read back. */
  function changedUntil(isWanted: () => boolean, withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        listeners.delete(look)
        waits.delete(end)
        resolve()
      }
      const look = () => {
        if (isEnded || isWanted()) end()
      }
      const timer = setTimeout(end, withinMs).unref()
      listeners.add(look)
      waits.add(end)
      look()
    })
  }

  return {
    views: [alerts, deliveries],
    ready: Promise.all([alerts.ready, deliveries.ready]),
    all: () => alerts.table.values(),
    of,
    find,
    deliveriesOf,
    findDelivery,
    *deliveries() {
      for (const [alert, rows] of deliveries.table.byAlert) yield [alert, rows.values()] as const
    },
    pending: () => [...deliveries.table.pending.values()].sort(bySendingOrder),
    standing: () => deliveries.table.standing.values(),
    unedited: () => deliveries.table.unedited.values(),
    watch(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    add: (accountId, alert, most) =>
      alerts.inTurn(accountId, async () => {
        if (of(accountId).length >= most) {
          throw new ApiError(
            'validation_error',
            `The account may have ${most} alerts; delete one first.`,
          )
        }
        const at = clock()
        const row: AlertRow = {
          ...alert,
          id: `alert_${randomBytes(6).toString('hex')}`,
          accountId,
          revision: randomUUID(),
          createdAt: at,
          updatedAt: at,
          isPaused: false,
          pauseReason: null,
        }
        await alerts.write([alertRecord(row)])
        return row
      }),

    change: (accountId, id, change) =>
      alerts.inTurn(accountId, async () => {
        const row = await alerts.change<AlertRow>({
          find: () => find(accountId, id),
          make: (before) => changedAlert(before, change, clock()),
          record: (row, value) => ({ ...alertRecord(row), value }),
        })
        return row ?? find(accountId, id)
      }),

    pauseUnchanged: (alert, pauseReason, write) =>
      alerts.inTurn(alert.accountId, async () => {
        const isCurrent = (row: AlertRow) =>
          alerts.table.get(alertKey(row))?.revision === row.revision
        if (!isCurrent(alert)) return false
        const paused = changedAlert(alert, { isPaused: true, pauseReason }, clock())
        await write([alertRecord(paused)])
        // The account's next change must begin with the paused row.
        await changedUntil(() => isCurrent(paused), readBackWithinMs)
        return true
      }),

    remove: (accountId, id) =>
      alerts.inTurn(accountId, async () => {
        const alert = find(accountId, id)
        await alerts.write([tombstone(topics.alerts, alertKey(alert))])
      }),

    addDelivery: (row) => deliveries.write([deliveryRecord(row)]),

    async whenNotPending(row, withinMs) {
      const current = () => findDelivery(row) ?? row
      await changedUntil(() => current().state !== 'pending', withinMs)
      return current()
    },

    async catchUp() {
      const key = `read|up|${randomUUID()}`
      await deliveries.write(
        [tombstone(topics.alertDeliveries, key)],
        new Map([[key, (row) => row === null]]),
      )
    },
  }
}

const changedAlert = (before: AlertRow, change: AlertChange, now: number): AlertRow => ({
  ...before,
  ...change,
  revision: randomUUID(),
  updatedAt: Math.max(now, before.updatedAt),
})

const alertRecord = (row: AlertRow): Append => ({
  topic: topics.alerts,
  partitionKey: 0,
  key: alertKey(row),
  value: row,
})

export const deliveryRecord = (row: AlertDeliveryRow): Append => ({
  topic: topics.alertDeliveries,
  partitionKey: 0,
  key: deliveryKey(row),
  value: row,
})

export const tombstone = (topic: Topic, key: string): Append => ({
  topic,
  partitionKey: 0,
  key,
  value: null,
})
