/** The channels that send a table, row by row: the content of their messages, on SSE and on the WebSocket alike. */

import { z } from 'zod'
import { example } from '../http/example.ts'
import { type TableChannel, tableChannelNames } from './channels.ts'
import { chunk } from './chunk.ts'
import { exampleGameState, gameStateRow } from './game-state.ts'
import { type Message, messageOf } from './message.ts'

interface Table {
  readonly row: z.ZodType
  /** The name of the row in the document. */
  readonly schemaName: string
  /** The field that lists rows. */
  readonly list: string
  /**
   * The fields of a row whose values, joined by `|`, are its key. `removed` names keys. The channel
   * and both clients make keys by it.
   */
  readonly key: readonly [string, ...string[]]
  readonly example: { readonly sport: string; readonly [member: string]: unknown }
  readonly snapshot: string
  readonly update: string
  readonly removed: string
}

export const tables = {
  gamestate: {
    row: gameStateRow,
    schemaName: 'GameStateRow',
    list: 'events',
    key: ['event_id'],
    example: exampleGameState,
    snapshot: 'A part of the games in play, by sport, then event id; sent even if empty.',
    update: 'Games of one sport that have changed, as whole rows.',
    removed: 'Games of one sport that are no longer in play.',
  },
} as const satisfies Record<TableChannel, Table>

/** The values of the fields that make the key of a channel's row. */
export type KeyFields<Channel extends TableChannel> = {
  readonly [Field in (typeof tables)[Channel]['key'][number]]: string
}

/** Returns the key of a row of a channel, whose other fields do not matter. */
export function tableKey(
  channel: TableChannel,
  row: { readonly [field: string]: unknown },
): string {
  const { key }: Table = tables[channel]
  return key.map((field) => row[field]).join('|')
}

export type TableSnapshotName = `${TableChannel}:snapshot`
export type TableChangeName = `${TableChannel}:${'update' | 'removed'}`
export type TableEventName = TableSnapshotName | TableChangeName

/** Returns the events of one channel, in the order in which they come. */
export const tableEventNames = (channel: TableChannel) =>
  [`${channel}:snapshot`, `${channel}:update`, `${channel}:removed`] as const

/** The three events of each table. */
export const tableEvents = Object.fromEntries(
  tableChannelNames.flatMap((channel) => {
    const { row, list, example: shown, ...means }: Table = tables[channel]
    const exampleKey = tableKey(channel, shown)
    const ofSport = {
      count: example(z.int().min(0), 1),
      sport: example(z.string(), shown.sport),
    }
    const current = z.object({ [list]: z.array(row).max(1_000), ...chunk })
    const changed = z.object({ [list]: z.array(row), ...ofSport })
    const gone = z.object({ ids: z.array(example(z.string(), exampleKey)), ...ofSport })
    const [snapshot, update, removed] = tableEventNames(channel)
    return [
      [snapshot, messageOf(means.snapshot, current)],
      [update, messageOf(means.update, changed)],
      [removed, messageOf(means.removed, gone)],
    ]
  }),
) as Readonly<Record<TableEventName, Message>>
