/**
 * A channel of a table: a snapshot of its rows, then each changed or removed row, as REST shows it at that time. Time
 * alone may change a row too.
 *
 * Clients with equal queries share a journal, and each gets the changes after its own position.
 */

import { isoTime } from '../../../pipeline/text/iso-time.ts'
import type { AddOn } from '../../../schemas/account.ts'
import type { EventRow } from '../../../schemas/event.ts'
import type { TableChannel } from '../../../schemas/stream/channels.ts'
import { type KeyFields, tableKey, tables } from '../../../schemas/stream/tables.ts'
import type { Scope } from '../../access/scope.ts'
import type { Features } from '../../access/tiers.ts'
import {
  type Channel,
  type ChannelQuery,
  type Client,
  type Subscription,
  whole,
} from '../delivery/channel.ts'
import { isOpen, live } from '../delivery/client.ts'
import { chunksOf } from '../framing/chunks.ts'
import type { Frames } from '../framing/frames.ts'
import type { Framing } from '../framing/framing.ts'
import type { ChannelParts, ChannelType } from './channel-type.ts'
import { createRowJournal, type RowChange, type RowJournal } from './row-journal.ts'

/** A row as clients receive it. */
interface TableRow {
  readonly key: string
  readonly event: EventRow
  readonly json: string
}

interface Shown<Row> {
  /** Rows in the order of a snapshot. */
  readonly rows: readonly Row[]
  /** When a row next changes by time alone (epoch ms); Infinity for never. */
  readonly expiresAt: number
}

type ShownTable = Shown<TableRow>

interface SourceRow<Name extends TableChannel> {
  readonly event: EventRow
  /** The fields of its key, with which its JSON begins. */
  readonly keyFields: KeyFields<Name>
  /** Its other fields as JSON, without braces. */
  readonly members: string
}

export interface TableSource<Name extends TableChannel> {
  readonly name: Name
  /** The feature that an account needs for it. */
  readonly feature: keyof Features
  /** The add-on that includes it, if any. */
  readonly addOn?: AddOn
  /** Returns a version that changes whenever a row may have changed. */
  version(scope: Scope): number
  /** Returns the rows of a scope. @param now epoch ms */
  shown(scope: Scope, now: number): Shown<SourceRow<Name>>
}

/** Least time between two reads of the tables. */
const tableTickMs = 100
/** Most rows of a frame. */
const mostRows = 1_000
interface TableQuery extends ChannelQuery {
  readonly scope: Scope
  matches(row: TableRow): boolean
}

type Change = RowChange<TableRow>

const sportOf = ({ before, row }: Change) => (row ?? before)?.event.sport ?? ''
const isSame = (before: TableRow | null, row: TableRow | null) => before?.json === row?.json

/** A query and its clients. */
interface SharedQuery {
  readonly query: TableQuery
  readonly subscriptions: Set<TableSubscription>
  readonly journal: RowJournal<TableRow>
  /** The rows that the journal already reflects. */
  seen: ShownTable | null
}

interface TableSubscription extends Subscription {
  readonly shared: SharedQuery
  /** Its position in the journal. */
  position: number
}

export function createTableChannel<Name extends TableChannel>(
  source: TableSource<Name>,
): ChannelType {
  const { name, feature, addOn } = source
  const type: ChannelType = {
    names: [name],
    feature: () => feature,
    ...(addOn && { addOn }),
    isResumable: false,
    isNarrower: () => false,
    noTotals: () => ({}),
    query({ scope, names, filters, requested }): TableQuery | null {
      if (!names.includes(name)) return null
      const { sports, leagues, eventIds, isEventNamed } = requested.changesFilter()
      const { live: isLive, team, date, q } = filters
      return {
        type,
        key: JSON.stringify([scope.name, sports, leagues, eventIds, isLive, team, date, q]),
        scope,
        matches: ({ event }) =>
          (!sports || sports.includes(event.sport)) &&
          (!leagues || leagues.includes(event.league)) &&
          (!eventIds || eventIds.includes(event.id)) &&
          (isLive === undefined || event.isLive === isLive) &&
          (!isEventNamed || isEventNamed(event)),
      }
    },
    open: (parts) => openTable(source, type, parts),
  }
  return type
}

function openTable<Name extends TableChannel>(
  { name, version, shown }: TableSource<Name>,
  type: ChannelType,
  { clock, delivery, lost }: ChannelParts,
): Channel<TableQuery, TableSubscription> {
  const { list } = tables[name]
  const sharedQueries = new Map<string, SharedQuery>()
  let nextAt = Number.NEGATIVE_INFINITY
  /** The rows last read for each scope, with their version. */
  const lists = new Map<Scope, ShownTable & { readonly version: number }>()

  function rowOf({ event, keyFields, members }: SourceRow<Name>): TableRow {
    const json = `{${JSON.stringify(keyFields).slice(1, -1)},${members}}`
    return { key: tableKey(name, keyFields), event, json }
  }

  function shownNow(scope: Scope): ShownTable {
    const now = clock()
    const known = lists.get(scope)
    const current = version(scope)
    if (known && known.version === current && now < known.expiresAt) return known
    const { rows, expiresAt } = shown(scope, now)
    const next = { rows: rows.map(rowOf), expiresAt, version: current }
    lists.set(scope, next)
    return next
  }

  /** Brings the journal up to date. @returns the new changes */
  function refresh(shared: SharedQuery): readonly Change[] {
    const { journal, query } = shared
    const now = shownNow(query.scope)
    if (now === shared.seen) return []
    shared.seen = now
    const fresh: Change[] = []
    const present = new Set<string>()
    for (const row of now.rows) {
      if (!query.matches(row)) continue
      const { key, json } = row
      present.add(key)
      if (journal.rows.get(key)?.json !== json) fresh.push(journal.note(key, row))
    }
    for (const key of journal.rows.keys()) {
      if (!present.has(key)) fresh.push(journal.note(key, null))
    }
    return fresh
  }

  function sendChanged(shared: SharedQuery) {
    const { journal } = shared
    const before = journal.position
    const fresh = refresh(shared)
    const upToDate: Client[] = []
    for (const subscription of shared.subscriptions) {
      const { client } = subscription
      // A client that is behind with prices gets table changes once it is live.
      if (subscription.position === journal.position || client.phase !== live || !isOpen(client))
        continue
      if (subscription.position === before) {
        subscription.position = journal.position
        upToDate.push(client)
      } else sendMissed(subscription)
    }
    if (fresh.length > 0 && upToDate.length > 0) {
      delivery.sendShared(upToDate, (frames, framing, width) =>
        append(frames, framing, width, fresh, isoTime(clock())),
      )
    }
  }

  /** Sends the changes since the client's position. */
  function sendMissed(subscription: TableSubscription) {
    const { shared, client, position } = subscription
    const missed = shared.journal.since(position)
    if (!missed) return lost(client, 'too_old')
    subscription.position = shared.journal.position
    delivery.sendOwn(client, (frames, width, now) =>
      append(frames, client.framing, width, missed, now),
    )
  }

  function* snapshot(subscription: TableSubscription) {
    const { shared, client } = subscription
    refresh(shared)
    // Changes during the snapshot are sent after it.
    subscription.position = shared.journal.position
    const rows =
      shared.seen?.rows.flatMap(({ key }) => shared.journal.rows.get(key)?.json ?? []) ?? []
    let offset = 0
    // An empty table has one empty chunk.
    for (const chunk of rows.length > 0 ? chunksOf(rows, mostRows) : [[]]) {
      const count = chunk.length
      const hasMore = offset + count < rows.length
      const json = `{"${list}":[${chunk.join()}],"count":${count},"total":${rows.length},"offset":${offset},"has_more":${hasMore}}`
      delivery.sendOwn(client, (frames, width, now) =>
        client.framing.data(
          frames,
          { name: `${name}:snapshot`, type: 'initial', json },
          width,
          now,
        ),
      )
      offset += count
      yield
    }
    return {}
  }

  /** Appends frames by sport and kind of change. */
  function append(
    frames: Frames,
    framing: Framing,
    width: number,
    changes: readonly Change[],
    now: string,
  ) {
    for (const sport of new Set(changes.map(sportOf))) {
      const ofSport = changes.filter((change) => sportOf(change) === sport)
      const rows = ofSport.flatMap(({ row }) => row?.json ?? [])
      const keys = ofSport.flatMap(({ key, row }) => (row ? [] : JSON.stringify(key)))
      const appendList = (event: string, field: string, items: readonly string[]) => {
        for (const chunk of chunksOf(items, mostRows)) {
          const json = `{"${field}":[${chunk.join()}],"count":${chunk.length},"sport":${JSON.stringify(sport)}}`
          framing.data(frames, { name: `${name}:${event}`, json }, width, now)
        }
      }
      appendList('update', list, rows)
      appendList('removed', 'ids', keys)
    }
  }

  const channel: Channel<TableQuery, TableSubscription> = {
    type,

    join(client, query) {
      let shared = sharedQueries.get(query.key)
      if (!shared) {
        shared = { query, subscriptions: new Set(), journal: createRowJournal(isSame), seen: null }
        sharedQueries.set(query.key, shared)
      }
      const subscription = { channel, client, shared, position: 0 }
      shared.subscriptions.add(subscription)
      return subscription
    },

    begin: () => whole,

    snapshot,

    tick({ now }) {
      if (now < nextAt) return
      nextAt = now + tableTickMs
      for (const shared of sharedQueries.values()) sendChanged(shared)
    },

    leave(subscription) {
      const { subscriptions, query: left } = subscription.shared
      if (!subscriptions.delete(subscription) || subscriptions.size > 0) return
      sharedQueries.delete(left.key)
      if (![...sharedQueries.values()].some(({ query }) => query.scope === left.scope)) {
        lists.delete(left.scope)
      }
    },
  }
  return channel
}
