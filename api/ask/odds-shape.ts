/** Changes the form of rows: chosen fields, groups, or links for a state. */

import { isOfPlayer } from '../../pipeline/rules/odds/questions.ts'
import { type OddsSort, sortFields } from '../../pipeline/views/query/sorted-odds.ts'
import { type OddsItem, rowFlagFields, type rowFlags } from '../../schemas/http/odds.ts'
import { oddsFields } from '../../schemas/http/odds-columns.ts'
import { stateQuery } from '../answer/deep-links.ts'
import { ApiError } from '../errors.ts'

export interface Shape {
  /** The fields to show, in this order; undefined for all. */
  readonly fields: readonly string[] | undefined
  readonly groupBy: 'event' | undefined
  /** State in deep links, lower case. */
  readonly state: string | undefined
}

/** @returns undefined if rows are sent unchanged */
export function readShape(query: {
  readonly fields?: readonly string[] | undefined
  readonly group_by?: 'event' | undefined
  readonly state?: string | undefined
}): Shape | undefined {
  const { fields, group_by: groupBy, state } = query
  if (!fields && !groupBy && state === undefined) return undefined
  return { fields, groupBy, state }
}

/** Returns whether rows are sent unchanged but for the state in their links, so that they need not be parsed. */
export const changesLinksOnly = ({ fields, groupBy }: Shape) => !fields && !groupBy

/** @throws ApiError validation_error for an unknown field name */
export function requireFields(fields: readonly string[]): readonly string[] {
  const stranger = fields.find((field) => !isField(field))
  if (stranger === undefined) return fields
  throw new ApiError('validation_error', `fields names ${stranger}; ${knownFields}`)
}

/** Returns whether rows may have a field of this name. */
export const isField = (name: string) => oddsFields.includes(name)

/** End of the error message for unknown names. */
export const knownFields = `there are ${oddsFields.join(', ')}.`

/** Returns further fields of a row, which depend on more than the row. */
export type Known = (row: OddsItem) => object

/** @param rows JSON of the rows, separated by commas */
export function reshape(rows: string, shape: Shape, known?: Known): readonly object[] {
  const show = showing(shape, known)
  return linkedRows(rows, shape).map(show)
}

/** Fields of a group that belong to its event, whatever rows of it are on the page. */
export interface GroupedEvent {
  readonly isLive: boolean
  /** The number of matching rows, on all pages. */
  readonly rowCount: number
}

/**
 * Reshapes rows and groups them by event.
 * @param eventOf returns the event of a row, by its id
 */
export function groupByEvent(
  rows: string,
  shape: Shape,
  eventOf: (eventId: string) => GroupedEvent,
  known?: Known,
): readonly object[] {
  const show = showing(shape, known)
  const groups = new Map<string, [OddsItem, ...OddsItem[]]>()
  for (const row of linkedRows(rows, shape)) {
    const group = groups.get(row.event_id)
    if (group) group.push(row)
    else groups.set(row.event_id, [row])
  }
  return [...groups.values()].map((group) => {
    const [{ event_id, away_team, home_team, sport, league, event_start_time }] = group
    const { isLive, rowCount } = eventOf(event_id)
    return {
      event_id,
      event_name: `${away_team} @ ${home_team}`,
      sport,
      league,
      start_time: event_start_time,
      is_live: isLive,
      odds_total: rowCount,
      partial: rowCount > group.length,
      odds: group.map(show),
    }
  })
}

function linkedRows(rows: string, { state }: Shape): readonly OddsItem[] {
  const parsed = JSON.parse(`[${rows}]`) as OddsItem[]
  return state === undefined ? parsed : parsed.map((row) => rowWithState(row, state))
}

function showing({ fields }: Shape, known: Known | undefined): (row: OddsItem) => object {
  if (!fields) return (row) => row
  const hasFlags = fields.some((field) => rowFlagFields.includes(field))
  return (row) => {
    const whole =
      hasFlags || known ? { ...row, ...(hasFlags && flagsOf(row)), ...known?.(row) } : row
    return Object.fromEntries(fields.flatMap((field) => memberOf(whole, field)))
  }
}

const flagsOf = ({ market_type, player_name }: OddsItem) =>
  ({ is_player_prop: isOfPlayer(market_type, player_name ?? null) }) satisfies Record<
    keyof typeof rowFlags,
    boolean
  >

const memberOf = (row: object, field: string) =>
  field in row ? [[field, row[field as keyof typeof row]] as const] : []

const rowWithState = (row: OddsItem, state: string): OddsItem =>
  row.deep_link === undefined ? row : { ...row, deep_link: row.deep_link + stateQuery(state) }

/** @param text a name of `sortNames`, perhaps with a minus */
export function readSort(text: string | undefined): OddsSort | undefined {
  if (text === undefined) return undefined
  const descending = text.startsWith('-')
  const name = descending ? text.slice(1) : text
  const field = sortFields.find((known) => known === (olderNames[name] ?? name))
  return field && { field, descending }
}

const olderNames: Readonly<Record<string, string>> = {
  probability: 'odds_probability',
  timestamp: 'last_seen_at',
}
