/** `tail`: prints each change on a line from now on, and resumes after a break. */

import type { Channel, Client, OddsItem } from '../clients/typescript/src/index.ts'
import { families } from '../clients/typescript/src/stream/held-rows.ts'
import { followBoard, requireService } from './followed-board.ts'
import { american, lineText, plain, type Style, withheldText } from './terminal.ts'

export const tailedChannels = ['odds', ...families] as const

export interface TailOptions {
  readonly channel: Channel
  readonly league: readonly string[]
  readonly market: readonly string[]
  readonly json: boolean
}

/** Prints until `signal` aborts. @throws OverroundError when there is no service, or it refuses the stream */
export async function tail(
  client: Client,
  options: TailOptions,
  style: Style,
  signal: AbortSignal,
): Promise<void> {
  const { channel, league, market, json } = options
  const filters = { league, market }
  const print = (text: string) => process.stdout.write(`${text}\n`)
  if (channel !== 'odds') {
    await requireService(client, signal)
    if (signal.aborted) return
    /** Texts of current opportunities, to describe an id that expires. */
    const known = new Map<string, string>()
    for await (const { name, body } of client.messages({ channels: [channel], filters }, signal)) {
      const items = (name === 'snapshot' ? (body as Snapshot)[channel] : body) as readonly Item[]
      const isDetected = name.endsWith(':detected')
      if (isDetected || name === 'snapshot') {
        for (const item of items ?? []) known.set(item.id, opportunityText(item))
      }
      const ids = name.endsWith(':expired') ? (body as Expired).expired : []
      if (!isDetected && ids.length === 0) continue
      if (json) print(JSON.stringify({ type: name, data: body }))
      else if (isDetected) for (const { id } of items) print(`${name}  ${known.get(id)}`)
      else for (const id of ids) print(`${name}  ${known.get(id) ?? id}`)
      for (const id of ids) known.delete(id)
    }
    return
  }
  await followBoard(client, filters, signal, (board) => {
    const known = new Map(board.rows)
    return board.subscribe(({ id, row }) => {
      const before = known.get(id)
      if (row) known.set(id, row)
      else known.delete(id)
      if (json) print(JSON.stringify({ id, row }))
      else {
        const text = priceLine(before, row, style)
        if (text !== null) print(text)
      }
    })
  })
}

/** @returns null if the price, its withheld reason and whether it takes bets are as before */
export function priceLine(
  before: OddsItem | undefined,
  row: OddsItem | null,
  style: Style,
): string | null {
  const shown = row ?? before
  if (!shown) return null
  const { sportsbook, away_team, home_team, market_type, selection, line } = shown
  const about = [sportsbook, `${away_team} @ ${home_team}`, market_type, selection, lineText(line)]
  const what = plain(about.filter((part) => part !== '').join('  '))
  const mark = withheldText(row?.withheld)
  const isMarkNew = row !== null && before !== undefined && mark !== withheldText(before.withheld)
  const isMoved = before?.odds_decimal !== row?.odds_decimal
  const isOpened = row?.is_active === true && before?.is_active === false
  const isSuspended = row?.is_active === false
  if (!isMoved && !isMarkNew && !isOpened && !(isSuspended && before?.is_active)) return null
  const price = isMoved ? moveText(before, row, style) : american(row?.odds_american)
  const bets = isSuspended ? style('yellow', 'suspended') : isOpened ? 'open again' : ''
  const state = mark ? style('yellow', plain(mark)) : isMarkNew ? '(no longer withheld)' : ''
  return [what, price, bets, state].filter((part) => part !== '').join('  ')
}

function moveText(before: OddsItem | undefined, row: OddsItem | null, style: Style): string {
  if (row === null) return style('dim', 'withdrawn')
  const price = `${american(before?.odds_american) || 'new'} -> ${american(row.odds_american)}`
  if (!before) return price
  const isUp = (row.odds_decimal as number) > (before.odds_decimal as number)
  return style(isUp ? 'green' : 'red', `${isUp ? '▲' : '▼'} ${price}`)
}

interface Item {
  readonly id: string
  readonly [member: string]: unknown
}

type Snapshot = Partial<Record<Channel, readonly Item[]>>

interface Expired {
  readonly expired: readonly string[]
}

function opportunityText(item: Item): string {
  const { event_name, event_id, market_type, line, legs, ...figures } = item
  const { profit_percent, ev_percentage, sportsbook, selection } = figures
  const bets = Array.isArray(legs)
    ? legs.map((leg) => `${leg.sportsbook} ${leg.selection} ${american(leg.odds_american)}`)
    : [`${sportsbook} ${selection} ${american(figures.odds_american)}`]
  const worth = profit_percent ?? ev_percentage
  const percent = typeof worth === 'number' ? `${worth} %` : ''
  const parts = [event_name ?? event_id, market_type, lineText(line), percent, ...bets]
  return plain(parts.filter((part) => part !== '').join('  '))
}
