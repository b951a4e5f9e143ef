/**
 * Games that start while processes are killed. Two sportsbooks price each game up to its start, and once more in play;
 * somebody bets on it; then both report its end. At the end each price must have one close, which is the last one that
 * was acknowledged from before the start, and each bet must be stored once.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { Archive } from '../../pipeline/archive/archive.ts'
import type { ClosingLine } from '../../schemas/closing-line.ts'
import { groupBy } from '../../schemas/grouping.ts'
import { teamsOfLeague } from '../../schemas/reference/teams.ts'
import type { FoldedBoard } from '../oracle/real-board.ts'
import { ingestToken, type Member } from './cluster.ts'
import { ask, isTryLater, until } from './requests.ts'
import { archivedCloses } from './truth.ts'

/** The time from the first price of a game to its start, and from the start to the price in play (ms). */
const beforeMs = 6_000
const inPlayMs = 1_000
/** Pauses between two prices of a sportsbook, before a request is repeated, and between two games of a league (ms). */
const priceEveryMs = 300
const againMs = 50
const restMs = 4_000
/** How long an API and the archive may be behind the log at the end (ms). */
const lateByMs = 60_000

/** Sportsbooks that no other part of the load quotes. */
const sportsbooks = ['betmgm', 'caesars'] as const
const sides = ['home', 'away'] as const

interface Game {
  readonly number: number
  readonly sport: string
  readonly league: string
  readonly home: string
  readonly away: string
  readonly startsAt: number
  /** The last acknowledged decimal odds of the home team from before the start, by sportsbook. */
  readonly closes: Map<string, number>
}

/** Odds that make no arbitrage and no low hold, whichever two meet. */
const homePrice = (statement: number) => 1.5 + (statement % 100) / 1_000
const awayPrice = 1.9
const inPlayPrice = 1.4

export interface StartingGames {
  /** Number of games that are over. */
  readonly count: number
  /** Waits until the games that have begun are over; none begins after it. */
  finish(): Promise<void>
  /** Ends at once. */
  close(): Promise<void>
  /** @returns what is wrong with closes in the log, the APIs and the archive, and with bets, in words */
  judge(
    board: FoldedBoard,
    archive: Archive | null,
  ): Promise<{ closes: readonly string[]; bets: readonly string[] }>
}

export interface StartingGamesOptions {
  readonly apis: readonly Member[]
  /** Key of the account that bets. */
  readonly key: string
  /** The games of the rest of the load, whose teams play no other. */
  readonly others: readonly { sport: string; league: string; home: string; away: string }[]
  /** Is told of a response that is neither a success nor a refusal with a time to retry. */
  readonly onBadAnswer: (what: string) => void
}

export function startGames({
  apis,
  key,
  others,
  onBadAnswer,
}: StartingGamesOptions): StartingGames {
  const over: Game[] = []
  let isStarting = true
  let isOver = false
  const running = others.map(playLeague)

  return {
    get count() {
      return over.length
    },
    async finish() {
      isStarting = false
      await Promise.all(running)
    },
    async close() {
      isStarting = false
      isOver = true
      await Promise.all(running)
    },
    judge: async (board, archive) => ({
      closes: await wrongCloses(board, archive),
      bets: await wrongBets(),
    }),
  }

  // ---- games

  async function playLeague({ sport, league, home, away }: StartingGamesOptions['others'][number]) {
    const teams = teamsOfLeague(league)
      .map(({ name }) => name)
      .filter((name) => name !== home && name !== away)
    const most = Math.floor((teams.length - 1) / 2) * teams.length
    for (let number = 0; number < most && isStarting; number++) {
      const i = number % teams.length
      const other = i + 1 + Math.floor(number / teams.length)
      const game = {
        ...{ number, sport, league, closes: new Map<string, number>() },
        ...{ home: teams[i]!, away: teams[other % teams.length]! },
        startsAt: Date.now() + beforeMs,
      }
      await Promise.all([...sportsbooks.map((sportsbook) => quote(game, sportsbook)), bet(game)])
      if (!isOver) over.push(game)
      await delay(restMs)
    }
  }

  async function quote(game: Game, sportsbook: string) {
    let observedAt = 0
    for (let statement = 0; !isOver; statement++) {
      // A new statement is newer by the sportsbook's own clock.
      observedAt = Math.max(Date.now(), observedAt + 1)
      if (observedAt >= game.startsAt) break
      await push({ ...oddsOf(game, sportsbook, homePrice(statement)), ...at(observedAt) })
      if (!isOver) game.closes.set(sportsbook, homePrice(statement))
      await delay(priceEveryMs)
    }
    await delay(inPlayMs)
    observedAt = Math.max(Date.now(), observedAt + 1)
    const event = { ...eventOf(game, sportsbook), is_live: true }
    await push({ ...oddsOf(game, sportsbook, inPlayPrice), event, ...at(observedAt) })
    await push({ type: 'event_status', sportsbook, status: 'final', event, ...at(observedAt + 1) })
  }

  function push(record: object) {
    return accepted('/ingest', {
      headers: { authorization: `Bearer ${ingestToken}`, 'content-type': 'application/x-ndjson' },
      body: JSON.stringify(record),
    })
  }

  function bet(game: Game) {
    return accepted('/account/bets', {
      headers: { 'X-API-Key': key, 'content-type': 'application/json' },
      body: JSON.stringify({
        reference: referenceOf(game),
        placed_at: new Date().toISOString(),
        ...teamsAndStart(game),
        ...{ market: 'moneyline', selection: 'home', odds_decimal: 1.55, stake: 10 },
        sportsbook: sportsbooks[0],
      }),
    })
  }

  /** Sends a body to one API after the other until it is accepted, or refused for good. */
  async function accepted(path: string, init: { headers: Record<string, string>; body: string }) {
    for (let next = 0; !isOver; next++) {
      const api = apis[next % apis.length]!
      const answer = await ask(`${api.base}${path}`, { method: 'POST', ...init })
      if (answer && answer.status < 300 && JSON.parse(answer.text).data.accepted === 1) return
      if (answer && !isTryLater(answer)) {
        return onBadAnswer(`${path} was answered ${answer.status} ${answer.text.slice(0, 300)}`)
      }
      await delay(againMs)
    }
  }

  // ---- checks

  async function wrongCloses(board: FoldedBoard, archive: Archive | null) {
    const wrong: string[] = []
    for (const game of over) {
      const { league, home, away, startsAt } = game
      const name = `${home} against ${away} in ${league}`
      const [event, ...more] = [...board.events.values()].filter(
        (row) => row.league === league && row.homeTeam === home && row.awayTeam === away,
      )
      if (!event || more.length > 0) {
        wrong.push(`${name} is ${event ? more.length + 1 : 0} events`)
        continue
      }
      const rows = [...board.closingLines.values()].filter(({ eventId }) => eventId === event.id)
      const expected = sportsbooks.flatMap((sportsbook) => {
        const price = game.closes.get(sportsbook)
        return price === undefined
          ? []
          : sides.map((side) => closeText(sportsbook, side, side === 'home' ? price : awayPrice))
      })
      const ought = textOf(expected)
      const places = {
        'the log': async () => closesOf(rows),
        ...Object.fromEntries(apis.map((api) => [api.name, () => closesAt(api, event.id)])),
        ...(archive && {
          'the archive': async () => closesOf(await archivedCloses(archive, event.id)),
        }),
      }
      for (const [where, read] of Object.entries(places)) {
        let is = ''
        const isRight = async () => {
          is = textOf(await read())
          return is === ought
        }
        // What is late is waited for, until something is wrong.
        await (wrong.length === 0 ? until(isRight, lateByMs) : isRight())
        if (is !== ought) wrong.push(`${name}: ${where} has ${is} and should have ${ought}`)
      }
      if (rows.some((row) => row.startsAt !== startsAt)) wrong.push(`${name} has another start`)
    }
    return wrong
  }

  async function closesAt(api: Member, eventId: string): Promise<string[]> {
    const answer = await ask(`${api.base}/odds/closing?event_id=${eventId}`, {
      headers: { 'X-API-Key': key },
    })
    if (answer?.status !== 200) return [`${answer?.status ?? 'no answer'}`]
    type Close = { sportsbook: string; selection_type: string; odds_decimal: number }
    const books: Record<string, readonly Close[]> = JSON.parse(answer.text).data.books
    return Object.values(books)
      .flat()
      .map((row) => closeText(row.sportsbook, row.selection_type, row.odds_decimal))
  }

  async function wrongBets() {
    const wrong: string[] = []
    for (const { name, base } of apis) {
      const stored = groupBy(await betsAt(base), ({ reference }) => reference)
      for (const reference of over.map(referenceOf)) {
        const times = stored.get(reference)?.length ?? 0
        if (times !== 1) wrong.push(`${name} has the bet ${reference} ${times} times`)
      }
    }
    return wrong
  }

  /** Returns the stored bets, up to the first page that does not come. */
  async function betsAt(base: string) {
    const bets: { reference: string }[] = []
    for (let offset: number | null = 0; offset !== null; ) {
      const address = `${base}/account/bets?limit=200&offset=${offset}`
      const answer = await ask(address, { headers: { 'X-API-Key': key } })
      if (answer?.status !== 200) break
      const { data, meta } = JSON.parse(answer.text)
      bets.push(...data)
      offset = meta.pagination.next_offset
    }
    return bets
  }
}

const referenceOf = ({ league, number }: Game) => `${league}-${number}`

const textOf = (closes: readonly string[]) => [...closes].sort().join()

const closesOf = (rows: readonly Pick<ClosingLine, 'sportsbook' | 'selectionType' | 'price'>[]) =>
  rows.map(({ sportsbook, selectionType, price }) => closeText(sportsbook, selectionType, price))

const closeText = (sportsbook: string, side: string, price: number | null) =>
  `${sportsbook} ${side} ${price}`

const at = (ms: number) => ({ observed_at: new Date(ms).toISOString() })

const teamsAndStart = ({ sport, league, home, away, startsAt }: Game) => ({
  ...{ sport, league, home_team: home, away_team: away },
  start_time: new Date(startsAt).toISOString(),
})

const eventOf = (game: Game, sportsbook: string) => ({
  external_id: `${sportsbook}-${game.league}-${game.number}`,
  ...teamsAndStart(game),
})

const oddsOf = (game: Game, sportsbook: string, home: number) => ({
  type: 'odds',
  mode: 'delta',
  sportsbook,
  event: eventOf(game, sportsbook),
  markets: [
    {
      market_type: 'moneyline',
      selections: [
        { selection_type: 'home', odds_decimal: home },
        { selection_type: 'away', odds_decimal: awayPrice },
      ],
    },
  ],
})
