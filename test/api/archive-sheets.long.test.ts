/** Files of the archive for a spreadsheet: no cell of another's text is read as a formula. Other files have the texts as they are. */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { createArchiveAccess } from '../../api/archive-access.ts'
import type { BoardRecord, FeedRecord } from '../../schemas/feed-record.ts'
import type { OpportunityLife } from '../../schemas/opportunity-life.ts'
import { topics } from '../../schemas/topics.ts'
import { changelogOf, type FilledArchive, fillArchive } from '../pipeline/archive/filled-archive.ts'
import { parsed, points } from './hand-made-market.ts'
import { type InProcess, oddsRecord, startInProcess } from './service-in-process.ts'

const home = '=HYPERLINK("https://evil.example";"Knicks")'
const away = '@SUM(A1) Nets'
const player = '+Player One'
const startedAt = Date.parse('2026-11-20T12:00:00Z')
const startsAt = '2026-11-20T12:30:00Z'

/** Prices that move together at three sportsbooks, until the game is gone. */
function said(): BoardRecord[] {
  const records: BoardRecord[] = []
  for (const [at, over] of [1.8, 1.9, 2.0].entries()) {
    const now = startedAt + 1_000 * at
    for (const sportsbook of ['draftkings', 'fanduel', 'betmgm', 'pinnacle']) {
      const markets = [points(player, 20.5, over, 1.9)]
      const record = oddsRecord(now, { sportsbook, home, away, startsAt, markets })
      records.push(...(parsed(now, [record]) as (BoardRecord & FeedRecord)[]))
    }
    records.push({ type: 'tick', observedAt: now })
  }
  records.push({ type: 'tick', observedAt: startedAt + 3_600_000 })
  return records
}

let filled: FilledArchive
let service: InProcess
let event: string
beforeAll(async () => {
  const changelog = changelogOf(said())
  const { key, partitionKey } = changelog.find(({ topic }) => topic.name === topics.events.name)!
  event = key
  const figures = (later: number) => ({ at: startedAt + later, worth: 0.02, prices: [2.1, 2.1] })
  const life: OpportunityLife = {
    ...{ id: '00000000000000ff', league: 'nba', sport: 'basketball', kind: 'arbitrage' },
    ...{ eventId: event, marketType: 'player_points', playerName: player, isLive: false },
    legs: [
      { oddsId: 1e14 + 1, sportsbook: 'draftkings', selectionType: 'over', line: 20.5 },
      { oddsId: 1e14 + 2, sportsbook: 'betmgm', selectionType: 'under', line: 20.5 },
    ],
    ...{ detected: figures(0), peak: figures(1_000), gone: figures(2_000) },
    ...{ references: [], scopes: 4, isSuspected: false, why: 'suspended' },
  }
  const told = { topic: topics.opportunityLives, partitionKey, key: life.id, value: life }
  filled = await fillArchive([...changelog, told])
  service = await startInProcess({ archive: createArchiveAccess(filled.archive) })
})
afterAll(async () => {
  await service?.close()
  await filled?.close()
})

const period = 'from=2026-11-20T00:00:00Z&to=2026-11-21T00:00:00Z'

it.each([
  ['/opportunities/lives', period],
  ['/movements', `${period}&min_books=2`],
  ['/historical/changes', period],
  ['/historical/closes', period],
  ['/events/{event}/history', ''],
])('%s', async (path, query) => {
  const ask = async (format: string) => {
    const { status, text } = await service.get(
      `${path.replace('{event}', encodeURIComponent(event))}?${query}&format=${format}`,
    )
    expect([status, text]).toEqual([200, expect.stringContaining('HYPERLINK')])
    return text
  }
  const cells = cellsOf(await ask('csv'))
  expect(cells).toEqual(expect.arrayContaining([`'${home}`, `'${away}`, `'${player}`]))
  expect(cells.filter((cell) => /^[=+@]/.test(cell))).toEqual([])
  const [line = ''] = (await ask('ndjson')).split('\n')
  expect(JSON.parse(line)).toMatchObject({
    ...{ home_team: home, away_team: away, player_name: player },
  })
})

/** Returns the cells of a file of CSV without line breaks in cells. */
const cellsOf = (csv: string): string[] =>
  csv
    .split('\n')
    .flatMap((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
      ),
    )
