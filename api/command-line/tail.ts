/** `tail`: what changes from now on, a line each; after a break it goes on where it was. */

import type { Channel, Client, OddsItem } from '../clients/typescript/src/index.ts'
import { american, lineText, plain, type Style } from './terminal.ts'

export const tailedChannels = ['odds', 'ev', 'arbitrage', 'middles', 'low_hold'] as const

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
  const aborted = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  // A stream waits for a service that is away; a command says that it is.
  await Promise.race([client.get('/livez'), aborted])
  if (signal.aborted) return
  if (channel !== 'odds') {
    for await (const { name, body } of client.messages({ channels: [channel], filters }, signal)) {
      const isChange = /:(detected|expired)$/.test(name)
      if (isChange)
        print(json ? JSON.stringify({ type: name, data: body }) : opportunityLines(name, body))
    }
    return
  }
  const board = client.board(filters)
  await Promise.race([board.ready, aborted])
  const known = new Map(board.rows)
  board.subscribe(({ id, row }) => {
    const before = known.get(id)
    if (row) known.set(id, row)
    else known.delete(id)
    if (json) print(JSON.stringify({ id, row }))
    else if (row === null ? before : before?.odds_decimal !== row.odds_decimal) {
      print(priceLine(before, row, style))
    }
  })
  await aborted
  board.close()
}

function priceLine(before: OddsItem | undefined, row: OddsItem | null, style: Style): string {
  const shown = (row ?? before)!
  const { sportsbook, away_team, home_team, market_type, selection, line } = shown
  const price =
    row === null
      ? style('dim', 'withdrawn')
      : `${american(before?.odds_american) || 'new'} -> ${american(row.odds_american)}`
  const isUp = row && before && (row.odds_decimal as number) > (before.odds_decimal as number)
  const told = row && before ? style(isUp ? 'green' : 'red', `${isUp ? '▲' : '▼'} ${price}`) : price
  const what = [sportsbook, `${away_team} @ ${home_team}`, market_type, selection, lineText(line)]
  return `${plain(what.filter((part) => part !== '').join('  '))}  ${told}`
}

/** A line for each that was detected; of those that are gone there are only the ids. */
function opportunityLines(name: string, body: unknown): string {
  if (!Array.isArray(body)) return plain(`${name}  ${JSON.stringify(body)}`)
  return (body as readonly Record<string, unknown>[])
    .map(({ event_name, event_id, market_type, line, legs, ...figures }) => {
      const { profit_percent, ev_percentage, sportsbook, selection } = figures
      const bets = Array.isArray(legs)
        ? legs.map((leg) => `${leg.sportsbook} ${leg.selection} ${american(leg.odds_american)}`)
        : [`${sportsbook} ${selection} ${american(figures.odds_american)}`]
      const worth = profit_percent ?? ev_percentage
      const percent = typeof worth === 'number' ? `${worth} %` : ''
      const parts = [name, event_name ?? event_id, market_type, lineText(line), percent, ...bets]
      return plain(parts.filter((part) => part !== '').join('  '))
    })
    .join('\n')
}
