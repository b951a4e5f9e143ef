/** `tail`: prints each change on a line from now on, and resumes after a break. */

import { opportunityContracts } from '../../schemas/http/opportunities/contracts.ts'
import type { BriefBet, OpportunityContract } from '../../schemas/http/opportunities/opportunity.ts'
import {
  type Family,
  familyNames,
  familyOf,
  opportunityKinds,
  prefixOf,
} from '../../schemas/opportunity.ts'
import type { Client, OddsItem } from '../clients/typescript/src/index.ts'
import { followBoard, namedFilters, requireService } from './followed-board.ts'
import { american, lineText, plain, type Style, withheldText } from './terminal.ts'

export const tailedChannels = ['odds', ...familyNames] as const

export interface TailOptions {
  readonly channel: (typeof tailedChannels)[number]
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
  const filters = namedFilters({ league, market })
  const print = (text: string) => process.stdout.write(`${text}\n`)
  if (channel !== 'odds') {
    await requireService(client, signal)
    if (signal.aborted) return
    const onMessage = createFollower(channel, (type, id, row, before) => {
      const item = row ?? before
      if (json) print(JSON.stringify({ type, id, row }))
      else print(`${type}  ${item ? opportunityText(channel, item) : id}`)
    })
    for await (const { name, body } of client.messages({ channels: [channel], filters }, signal)) {
      onMessage(name, body)
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

/** An opportunity of any kind. */
interface Item {
  readonly id: string
  readonly event_name: string
  readonly market_type: string
  /** Absent for a kind whose bets are on two lines. */
  readonly line?: number | null
}

/** A part of a snapshot, which replaces all items from its first part on. */
type SnapshotPart = Partial<Record<Family, readonly Item[]>> & {
  readonly chunk?: number
  readonly offset?: number
}

/** @param item null for one that has ended @param before its last content, if it is known */
type Tell = (type: string, id: string, item: Item | null, before: Item | undefined) => void

/**
 * Follows the opportunities of a family. The first snapshot prints nothing. A later one, after a
 * break, prints how it differs from what was known.
 * @returns takes the messages of the stream
 */
function createFollower(family: Family, tell: Tell) {
  /** The opportunities that are known and still stand, by id. */
  let known = new Map<string, Item>()
  /** The snapshot that is arriving. */
  let arriving: Map<string, Item> | undefined
  let isFirst = true
  const prefix = prefixOf(kindOf(family))

  function detect(item: Item) {
    const before = known.get(item.id)
    known.set(item.id, item)
    tell(`${prefix}:detected`, item.id, item, before)
  }
  function expire(id: string) {
    const before = known.get(id)
    known.delete(id)
    tell(`${prefix}:expired`, id, null, before)
  }
  function take({ chunk = 1, offset = 0, [family]: items }: SnapshotPart) {
    if (!items) return
    if (!arriving || (chunk === 1 && offset === 0)) arriving = new Map()
    for (const item of items) arriving.set(item.id, item)
  }
  function complete() {
    if (!arriving) return
    if (!isFirst) {
      for (const id of [...known.keys()]) if (!arriving.has(id)) expire(id)
      for (const [id, item] of arriving) if (!known.has(id)) detect(item)
    }
    known = arriving
    arriving = undefined
    isFirst = false
  }

  return (name: string, body: unknown) => {
    if (name === 'snapshot') take(body as SnapshotPart)
    else if (name === 'snapshot:complete') complete()
    else if (name === `${prefix}:detected`) (body as readonly Item[]).forEach(detect)
    else if (name === `${prefix}:expired`) (body as Expired).expired.forEach(expire)
  }
}

interface Expired {
  readonly expired: readonly string[]
}

const betText = ({ sportsbooks, selection, american: price }: BriefBet) =>
  `${sportsbooks.join(',')} ${selection} ${american(price)}`

/** A line about an opportunity says its worth first, and then its bets. */
function opportunityText(family: Family, item: Item): string {
  const contract: OpportunityContract = opportunityContracts[kindOf(family)]
  const { worth, bets } = contract.brief(item)
  const { event_name, market_type, line } = item
  const parts = [event_name, market_type, lineText(line), `${worth} %`, ...bets.map(betText)]
  return plain(parts.filter((part) => part !== '').join('  '))
}

const kindOf = (family: Family) => opportunityKinds.find((kind) => familyOf(kind) === family)!
