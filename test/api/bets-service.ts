/** The service with a real archive: closes are put on the log, and the archiver stores them. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { type ArchiveAccess, createArchiveAccess } from '../../api/archive-access.ts'
import { openArchive } from '../../pipeline/archive/archive.ts'
import type { ArchiveHealth } from '../../pipeline/archive/archive-watch.ts'
import { archiveGroup, runArchiver } from '../../pipeline/archive/archiver.ts'
import { startEngine } from '../../pipeline/archive/engine/supervisor.ts'
import { migrate } from '../../pipeline/archive/migrations.ts'
import type { ClosingLine } from '../../schemas/closing-line.ts'
import type { EventRow } from '../../schemas/event.ts'
import type { GameResultRow } from '../../schemas/game-result.ts'
import { oddsId } from '../../schemas/ids.ts'
import type { Tier } from '../../schemas/reference/tier-books.ts'
import { topics } from '../../schemas/topics.ts'
import { adminToken, startInProcess } from './service-in-process.ts'

export type BetsService = Awaited<ReturnType<typeof startBetsService>>

export async function startBetsService() {
  const directory = mkdtempSync(join(tmpdir(), 'overround-bets-'))
  const database = 'overround'
  const engine = startEngine({ directory: join(directory, 'archive'), database }, silent)
  await engine.whenDecided()
  const archive = openArchive({ url: 'http://embedded', socket: engine.socket }, database)
  await migrate(archive, { database, cluster: null, keptDays: 10_000 })
  const access = createArchiveAccess(archive)
  let isUp = true
  const queries: string[] = []
  /** Number of results decoded at the caller's cost. */
  let charged = 0
  /** The service's archive, which can be made unavailable and records its queries. */
  const watched: ArchiveAccess = {
    ...access,
    reads: {
      ...access.reads,
      rows(question) {
        queries.push(question.caller)
        const decoding: typeof question.decoding = (work) => {
          charged++
          return question.decoding!(work)
        }
        const watching = question.decoding ? { ...question, decoding } : question
        return (isUp ? access : gone).reads.rows(watching)
      },
    },
  }
  const health: { -readonly [Member in keyof ArchiveHealth]: ArchiveHealth[Member] } = {
    ...{ state: 'answering', since: 0, reason: null },
    ...{ behindRecords: 0, behindMs: 0 },
  }
  const service = await startInProcess({ archive: watched, archiveHealth: () => health })
  const { log } = service

  /** Runs the archiver until it has stored all closes of the log. */
  async function archiveAll() {
    const stop = new AbortController()
    const running = runArchiver(log, archive, { signal: stop.signal, fillMs: 1 })
    while (
      (await log.lag([topics.events, topics.closingLines, topics.gameResults], archiveGroup)) > 0
    ) {
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    stop.abort()
    await running
  }

  const send = (method: string, path: string, key: string, body?: string, type?: string) =>
    service.request(path, {
      method,
      headers: { 'X-API-Key': key, ...(type !== undefined && { 'Content-Type': type }) },
      ...(body !== undefined && { body }),
    })

  return {
    ...service,
    archiveAll,
    queries: queries,
    charged: () => charged,
    /** The health of the archive that the service sees, which tests change. */
    health,
    migrate: () => migrate(archive, { database, cluster: null, keptDays: 10_000 }),
    /** Undoes a migration of the archive. @param statements the SQL that undoes it */
    async undoMigration(number: number, statements: readonly string[]) {
      for (const statement of statements) await archive.command(statement)
      await archive.command(
        `ALTER TABLE migrations DELETE WHERE number = ${number} SETTINGS mutations_sync = 1`,
      )
    },
    /** Sets whether the archive responds. */
    setUp(up: boolean) {
      isUp = up
    },
    /** Returns the value of a new account's key. */
    async keyOf(tier: Tier, more: object = {}): Promise<string> {
      const { body } = await service.request('/admin/accounts', {
        method: 'POST',
        headers: { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ name: 'desk', tier, ...more }),
      })
      return body.data.key
    },
    read: (path: string, key: string) => send('GET', path, key),
    post: (bets: unknown, key: string) =>
      send('POST', '/account/bets', key, JSON.stringify(bets), 'application/json'),
    postCsv: (text: string, key: string) => send('POST', '/account/bets', key, text, 'text/csv'),
    remove: (id: string, key: string) => send('DELETE', `/account/bets/${id}`, key),
    clv: (key: string, query = '') => send('GET', `/account/bets/clv${query}`, key),
    /** Writes events that are over to the log. They are no longer on the board. */
    pastEvents: (events: readonly EventRow[]) =>
      log.append(
        events.map((value) => ({
          topic: topics.events,
          partitionKey: value.league,
          key: value.id,
          value,
        })),
      ),
    /** Writes results of games, as the pipeline keeps them. */
    gameResults: (rows: readonly GameResultRow[]) =>
      log.append(
        rows.map((value) => ({
          topic: topics.gameResults,
          partitionKey: value.league,
          key: value.eventId,
          value,
        })),
      ),
    results: (key: string, query = '') => send('GET', `/account/bets/results${query}`, key),
    settle: (id: string, verdict: object, key: string) =>
      send('POST', `/account/bets/${id}/result`, key, JSON.stringify(verdict), 'application/json'),
    correct: (id: string, correction: object, key: string) =>
      send('PATCH', `/account/bets/${id}`, key, JSON.stringify(correction), 'application/json'),
    closes: (lines: readonly ClosingLine[]) =>
      log.append(
        lines.map((value) => ({
          topic: topics.closingLines,
          partitionKey: value.league,
          key: String(value.oddsId),
          value,
        })),
      ),
    async close() {
      await service.close()
      await archive.close()
      await engine.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

const silent = pino({ level: 'silent' })
const gone = createArchiveAccess(null)

/** Returns an event that started long ago, unless `startsAt` is given. */
export function pastEvent(of: Partial<EventRow> & { readonly id: string }): EventRow {
  const startsAt = of.startsAt ?? Date.parse('2025-03-08T00:30:00Z')
  return {
    sport: 'basketball',
    league: 'nba',
    leagueMapped: true,
    homeTeam: 'New York Knicks',
    awayTeam: 'Brooklyn Nets',
    flipped: false,
    status: 'final',
    isLive: false,
    updatedAt: startsAt,
    ...of,
    startsAt,
  }
}

/** Returns the close of one price, or, with `missing`, the reason why there is none. */
export function closeOf(
  { id: eventId, sport, league, startsAt }: EventRow,
  of: Partial<ClosingLine> & Pick<ClosingLine, 'sportsbook' | 'selectionType'>,
): ClosingLine {
  const line = {
    eventId,
    sport,
    league,
    startsAt,
    capturedAt: startsAt,
    marketType: 'moneyline',
    selection: of.selectionType,
    line: null,
    playerName: null,
    statCategory: null,
    noVig: null,
    withheld: null,
    missing: null,
    missingSince: null,
    price: null,
    pricedAt: of.price === undefined ? null : startsAt - 60_000,
    ...of,
  }
  const identity = `${of.sportsbook}|${eventId}|${line.marketType}|${line.line}|${of.selectionType}|${line.playerName}`
  return { ...line, oddsId: oddsId(identity) }
}
