/**
 * The users of the deployment under faults: writers, each of which pushes one price after the other and repeats it
 * until it is acknowledged; a reader of each API; and a client of each API's streams. They try the next API when one
 * does not respond, as behind a balancer. The load counts events that must never happen, and measures how long nothing
 * came.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { Random } from '../../pipeline/feeds/simulator/random.ts'
import { openStreamClient, type StreamClient } from '../clients/open-stream-client.ts'
import { type Cluster, ingestToken, type Member } from './cluster.ts'
import type { Ledger } from './ledger.ts'
import { ask, isTryLater, until } from './requests.ts'
import { startGames } from './starting-games.ts'
import { archivedPrices, judgeOpportunities, readBoard } from './truth.ts'

/** Games of four leagues, which spread over partitions. */
const games = [
  { sport: 'basketball', league: 'nba', home: 'New York Knicks', away: 'Boston Celtics' },
  { sport: 'football', league: 'nfl', home: 'Kansas City Chiefs', away: 'Buffalo Bills' },
  { sport: 'hockey', league: 'nhl', home: 'New York Rangers', away: 'Boston Bruins' },
  { sport: 'baseball', league: 'mlb', home: 'New York Yankees', away: 'Boston Red Sox' },
] as const
const sportsbooks = ['pinnacle', 'draftkings'] as const

/** Pauses of a writer after an acknowledgement and without one, and of a reader (ms). */
const sayEveryMs = 100
const sayAgainMs = 50
const readEveryMs = 100
/** The longest time in seconds without prices, reads or acknowledgements. */
export interface Silences {
  /** The league that waited longest, and the one that waited least. */
  readonly prices: number
  readonly pricesElsewhere: number
  readonly reads: number
  readonly ingest: number
}

/** Counts that must be 0. */
export interface Losses {
  /** Acknowledged prices that are not on a board at the end. */
  lost: number
  /** Older prices after newer ones, at one API. */
  regressions: number
  /** Responses of the two APIs that differ when no prices move. */
  differences: number
  /** Wrong stream proofs, and messages that were missed, malformed or of unknown rows. */
  streamFaults: number
  /** Responses that are neither a success nor a refusal with a time to retry. */
  badAnswers: number
  /** Rows of the table of opportunities that do not follow from the prices, and missing ones. */
  wrongOpportunities: number
  /** Acknowledged prices that the archive lacks. */
  notArchived: number
  /** Prices that the archive has more than once. */
  archivedTwice: number
  /** Games that started, whose prices have no close, another one or several. */
  wrongCloses: number
  /** Bets that are not stored once. */
  wrongBets: number
}

export interface Load {
  readonly losses: Losses
  /** Restarts the measurement. */
  beginTime(): void
  silences(): Silences
  /** Returns, in words, what keeps recent prices from readers; empty if prices flow. */
  stuck(): readonly string[]
  /** Waits until every writer's last price is acknowledged, and compares all boards with the ledger. */
  finish(): Promise<void>
  close(): Promise<void>
  readonly acknowledged: number
  readonly reads: number
  readonly proofs: number
  /** Number of opportunities at the end. */
  readonly opportunities: number
  /** Number of acknowledged prices compared with the archive. */
  readonly archived: number
  /** Number of games that started and ended. */
  readonly games: number
  /** The faults found, in words. */
  readonly faults: readonly string[]
}

interface Writer {
  readonly name: string
  readonly league: string
  readonly sportsbook: string
  readonly game: (typeof games)[number]
  /** Number of the current statement. */
  seq: number
  /** Highest number pushed so far, acknowledged or not. It may be on a board. */
  said: number
  observedAt: number
}

/** The rows that writers number by their prices. */
const writersFilter = `market=moneyline&sportsbook=${sportsbooks.join()}&`

const homePrice = (seq: number) => (1_200 + seq) / 1_000
const awayPrice = (seq: number) => (1_500 + ((seq * 7) % 1_000)) / 1_000
const hasOpportunity = (seq: number) => seq % 2 === 0
const seqOf = (price: number) => Math.round(price * 1_000) - 1_200

export async function startLoad(
  cluster: Cluster,
  { key, ledger, random }: { key: string; ledger: Ledger; random: Random },
): Promise<Load> {
  const { apis } = cluster
  const startsAt = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 86_400_000)
  const writers: Writer[] = games.flatMap((game) =>
    sportsbooks.map((sportsbook) => ({
      name: `${game.league}|${sportsbook}`,
      league: game.league,
      sportsbook,
      game,
      seq: 1,
      said: 0,
      observedAt: 0,
    })),
  )
  const losses: Losses = {
    lost: 0,
    regressions: 0,
    differences: 0,
    streamFaults: 0,
    badAnswers: 0,
    wrongOpportunities: 0,
    notArchived: 0,
    archivedTwice: 0,
    wrongCloses: 0,
    wrongBets: 0,
  }
  const faults: string[] = []
  const seen = new Map(apis.map((api) => [api, new Map<string, number>()]))
  const acked = new Map<string, number>()
  const lastNews = new Map<string, Span>(games.map(({ league }) => [league, createSpan()]))
  const lastRead = createSpan()
  const lastAck = createSpan()
  let reads = 0
  let opportunityCount = 0
  let archivedCount = 0
  let isWriting = true
  let isOver = false

  const bad = (kind: keyof Losses, what: string) => {
    losses[kind]++
    if (faults.length < 20) faults.push(what)
  }

  // ---- writers

  function statement(writer: Writer, seq: number, observedAt: number): string {
    const { game, sportsbook } = writer
    // Against the other sportsbook, every second statement makes an arbitrage, and the next one ends it.
    const [over, under] =
      sportsbook === sportsbooks[0] ? [1.9, 2] : hasOpportunity(seq) ? [2.1, 1.8] : [1.9, 1.9]
    return JSON.stringify({
      type: 'odds',
      sportsbook,
      mode: 'delta',
      observed_at: new Date(observedAt).toISOString(),
      event: {
        external_id: `${sportsbook}-${game.league}`,
        sport: game.sport,
        league: game.league,
        home_team: game.home,
        away_team: game.away,
        start_time: startsAt.toISOString(),
      },
      markets: [
        {
          market_type: 'moneyline',
          selections: [
            { selection_type: 'home', odds_decimal: homePrice(seq) },
            { selection_type: 'away', odds_decimal: awayPrice(seq) },
          ],
        },
        {
          market_type: 'total',
          line: 40.5,
          selections: [
            { selection_type: 'over', odds_decimal: over },
            { selection_type: 'under', odds_decimal: under },
          ],
        },
      ],
    })
  }

  /** @returns whether the API acknowledged it */
  async function push(api: Member, body: string): Promise<boolean> {
    const answer = await ask(`${api.base}/ingest`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ingestToken}`, 'content-type': 'application/x-ndjson' },
      body,
    })
    if (!answer) return false
    const { status, text } = answer
    if (status === 202 && JSON.parse(text).data.accepted === 1) return true
    if (!isTryLater(answer)) {
      bad('badAnswers', `a push was answered ${status} ${text.slice(0, 300)}`)
    }
    return false
  }

  async function write(writer: Writer, first: number) {
    let next = first
    const older: string[] = []
    while (!isOver) {
      // A new statement is newer by the sportsbook's own clock.
      writer.observedAt = Math.max(Date.now(), writer.observedAt + 1)
      const body = statement(writer, writer.seq, writer.observedAt)
      writer.said = writer.seq
      while (!(await push(apis[next % apis.length]!, body))) {
        next++
        if (isOver) return
        await delay(sayAgainMs)
      }
      ledger.add(writer.name, writer.seq)
      acked.set(writer.name, writer.seq)
      lastAck.mark()
      older.push(body)
      if (older.length > 20) older.shift()
      // Sometimes an old statement is repeated, which must not come back onto the board.
      if (random.chance(0.1)) await push(apis[next % apis.length]!, random.pick(older))
      // Each writer ends on a statement that makes an opportunity.
      while (!isWriting && !isOver && hasOpportunity(writer.seq)) await delay(sayAgainMs)
      writer.seq++
      await delay(sayEveryMs)
    }
  }

  // ---- readers

  async function boardOf(api: Member, filter = writersFilter): Promise<Row[] | null> {
    const answer = await ask(`${api.base}/odds?${filter}limit=200`, {
      headers: { 'X-API-Key': key },
    })
    if (!answer) return null
    const { status, text } = answer
    if (status === 200) return JSON.parse(text).data
    if (!isTryLater(answer)) {
      bad('badAnswers', `a read was answered ${status} ${text.slice(0, 300)}`)
    }
    return null
  }

  async function read(api: Member) {
    const newest = seen.get(api)!
    while (!isOver) {
      const rows = await boardOf(api)
      if (rows && !isOver) {
        reads++
        lastRead.mark()
        for (const { league, sportsbook, selection_type, odds_decimal } of rows) {
          if (selection_type !== 'home') continue
          const name = `${league}|${sportsbook}`
          const seq = seqOf(odds_decimal)
          const before = newest.get(name) ?? 0
          if (seq < before) bad('regressions', `${api.name}: ${name} ${seq} behind ${before}`)
          if (seq > before) {
            newest.set(name, seq)
            lastNews.get(league)?.mark()
          }
        }
      }
      await delay(readEveryMs)
    }
  }

  // ---- streams

  const clients = apis.map((api, i) =>
    openStreamClient({
      base: api.base,
      key,
      transport: i % 2 === 0 ? 'sse' : 'websocket',
      channels: ['odds'],
      heartbeatSeconds: 1,
      reconnectMs: 250,
      silenceMs: 5_000,
    }),
  )

  const starting = startGames({
    ...{ apis, key, others: games },
    onBadAnswer: (what) => bad('badAnswers', what),
  })
  const running = [...writers.map((writer, i) => write(writer, i)), ...apis.map((api) => read(api))]

  return {
    losses,
    faults,
    get acknowledged() {
      return ledger.entries
    },
    get reads() {
      return reads
    },
    get proofs() {
      return clients.reduce((sum, { counts }) => sum + counts.proofs, 0)
    },
    beginTime() {
      for (const span of [lastRead, lastAck, ...lastNews.values()]) span.begin()
    },
    silences() {
      const ofLeagues = [...lastNews.values()].map((span) => span.longest())
      return {
        prices: Math.max(...ofLeagues),
        pricesElsewhere: Math.min(...ofLeagues),
        reads: lastRead.longest(),
        ingest: lastAck.longest(),
      }
    },
    stuck() {
      const soonMs = 1_000
      const since = (span: Span) => `for ${(span.sinceMs() / 1_000).toFixed(1)} s`
      const what: string[] = []
      if (lastAck.sinceMs() > soonMs) what.push(`nothing acknowledged ${since(lastAck)}`)
      for (const [league, span] of lastNews) {
        if (span.sinceMs() > soonMs) what.push(`no news of ${league} ${since(span)}`)
      }
      for (const [api, newest] of seen) {
        for (const { name } of writers) {
          const [is, of] = [newest.get(name) ?? 0, acked.get(name) ?? 1]
          if (is < of - 10) what.push(`${api.name} has ${is} of ${of} of ${name}`)
        }
      }
      return what
    },
    async finish() {
      // Writers state prices after the last of these games: who has read those has read all of the games.
      await starting.finish()
      isWriting = false
      const expected = () => ledger.newest()
      await until(
        () =>
          writers.every(({ name, said }) => hasOpportunity(said) && expected().get(name) === said),
        60_000,
      )
      const isThere = (rows: readonly Row[], [name, seq]: [string, number]) =>
        rows.some(
          (row) =>
            `${row.league}|${row.sportsbook}` === name &&
            row.selection_type === 'home' &&
            row.odds_decimal === homePrice(seq),
        ) &&
        rows.some(
          (row) =>
            `${row.league}|${row.sportsbook}` === name &&
            row.selection_type === 'away' &&
            row.odds_decimal === awayPrice(seq),
        )
      for (const api of apis) {
        const missing = async () => {
          const rows = (await boardOf(api)) ?? []
          return [...expected()].filter((entry) => !isThere(rows, entry))
        }
        await until(async () => (await missing()).length === 0, 60_000)
        for (const [name, seq] of await missing()) bad('lost', `${api.name} lacks ${name} ${seq}`)
      }
      await compareBoards()
      await endStreams()
      await holdAgainstTruth()
    },
    get opportunities() {
      return opportunityCount
    },
    get archived() {
      return archivedCount
    },
    get games() {
      return starting.count
    },
    async close() {
      isOver = true
      for (const client of clients) client.close()
      await Promise.all([...running, starting.close()])
    },
  }

  async function compareBoards() {
    for (const path of ['/odds?limit=200', '/opportunities/arbitrage', '/opportunities/ev']) {
      const lists = () =>
        Promise.all(
          apis.map(async ({ base }) => {
            const answer = await ask(`${base}${path}`, { headers: { 'X-API-Key': key } })
            return answer?.status === 200 ? withoutAges(JSON.parse(answer.text).data) : null
          }),
        )
      const areEqual = async () => {
        const [first, ...others] = await lists()
        return first !== null && others.every((other) => other === first)
      }
      await until(areEqual, 20_000)
      if (!(await areEqual())) bad('differences', `${path} differs: ${(await lists()).join('\n')}`)
    }
  }

  /** Compares the tables of the log and the archive with the truth. */
  async function holdAgainstTruth() {
    const board = await readBoard(cluster)
    const { count, wrong } = judgeOpportunities(board)
    opportunityCount = count
    for (const what of wrong) bad('wrongOpportunities', what)
    const archive = cluster.clickhouse?.open() ?? null
    const { closes, bets } = await starting.judge(board, archive)
    for (const what of closes) bad('wrongCloses', what)
    for (const what of bets) bad('wrongBets', what)
    if (!archive) return
    for (const [name, seqs] of ledger.read()) {
      const row = [...board.odds.values()].find(
        ({ league, sportsbook, marketType, selectionType }) =>
          `${league}|${sportsbook}|${marketType}|${selectionType}` === `${name}|moneyline|home`,
      )
      const newest = homePrice(Math.max(...seqs))
      const times = await archivedPrices(archive, row!.id, newest)
      for (const seq of seqs) {
        archivedCount++
        const price = homePrice(seq)
        if (!times.has(price)) bad('notArchived', `${name} ${seq}`)
      }
      for (const [price, count] of times) {
        if (count > 1) bad('archivedTwice', `${name} ${seqOf(price)}: ${count} times`)
      }
    }
    await archive.close()
  }

  /** Checks that every client reaches REST's board, and a proof of it. */
  async function endStreams() {
    for (const [i, client] of clients.entries()) {
      const api = apis[i]!
      const rows = (await boardOf(api, '')) ?? []
      const equals = () =>
        rows.length === client.odds.size &&
        rows.every(({ id, odds_decimal }) => {
          const held = client.odds.get(id) as { odds_decimal?: number } | undefined
          return held?.odds_decimal === odds_decimal
        })
      await until(equals, 60_000)
      const proofs = client.counts.proofs
      await until(() => client.counts.proofs > proofs + 1, 30_000)
      if (!equals() || client.counts.proofs <= proofs + 1) {
        bad('streamFaults', `the stream of ${api.name} has another board: ${streamState(client)}`)
      }
      const { mismatches, gaps, strays, malformed, repeats } = client.counts
      if (mismatches + gaps + strays + malformed + repeats > 0 || client.failure()) {
        bad('streamFaults', `the stream of ${api.name}: ${streamState(client)}`)
      }
    }
  }
}

interface Row {
  readonly id: string
  readonly league: string
  readonly sportsbook: string
  readonly selection_type: string
  readonly odds_decimal: number
}

const streamState = (client: StreamClient) =>
  JSON.stringify({ ...client.counts, failure: client.failure(), fault: client.lastFault() })

/** Removes fields that depend on the time of the request. */
const withoutAges = (data: unknown) =>
  JSON.stringify(data, (name, value) => (/age|seconds|_ms$/.test(name) ? undefined : value))

interface Span {
  /** Marks an arrival. */
  mark(): void
  begin(): void
  /** Returns the longest time without an arrival, the current one included (seconds). */
  longest(): number
  sinceMs(): number
}

function createSpan(): Span {
  let last = performance.now()
  let longestMs = 0
  const sinceMs = () => performance.now() - last
  return {
    mark() {
      longestMs = Math.max(longestMs, sinceMs())
      last = performance.now()
    },
    begin() {
      longestMs = 0
      last = performance.now()
    },
    longest: () => Math.max(longestMs, sinceMs()) / 1_000,
    sinceMs,
  }
}
