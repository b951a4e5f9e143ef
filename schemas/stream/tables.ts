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
  /** The fields of a row whose values, joined by `|`, are its key. `removed` names keys. */
  readonly key: readonly string[]
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
} satisfies Record<TableChannel, Table>

export type TableSnapshotName = `${TableChannel}:snapshot`
export type TableChangeName = `${TableChannel}:${'update' | 'removed'}`
export type TableEventName = TableSnapshotName | TableChangeName

/** Returns the events of one channel, in the order in which they come. */
export const tableEventNames = (channel: TableChannel) =>
  [`${channel}:snapshot`, `${channel}:update`, `${channel}:removed`] as const

/** The three events of each table. */
export const tableEvents = Object.fromEntries(
  tableChannelNames.flatMap((channel) => {
    const { row, list, key, example: shown, ...means }: Table = tables[channel]
    const exampleKey = key.map((field) => shown[field]).join('|')
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
