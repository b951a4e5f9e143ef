/** Names that every JavaScript object has, used as names of sports, leagues, teams and markets. */

import { expect, it } from 'vitest'
import type { EventRow } from '../../../schemas/event.ts'
import type { BoardRecord } from '../../../schemas/feed-record.ts'
import { topics } from '../../../schemas/topics.ts'
import { parsed, points, spread } from '../../api/hand-made-market.ts'
import { oddsRecord } from '../../api/service-in-process.ts'
import { changelogOf } from '../archive/filled-archive.ts'

const now = Date.parse('2026-11-20T12:00:00Z')
const names = Object.getOwnPropertyNames(Object.prototype)

/** Parses what ingest accepts; what it refuses, with a code, is left out. */
function accepted(record: object): BoardRecord[] {
  try {
    return parsed(now, [record]) as BoardRecord[]
  } catch (error) {
    expect(String(error)).toMatch(/^Error: [a-z_]+: /)
    return []
  }
}

/** Two listings of one game, so that their names are compared. */
const listings = (game: object, markets: readonly object[] = [spread(3.5, 1.9, 1.9)]) =>
  ['draftkings', 'fanduel', 'constructor'].flatMap((sportsbook) =>
    accepted(oddsRecord(now, { sportsbook, ...game, markets } as Parameters<typeof oddsRecord>[1])),
  )

it.each(names)('%s is a name as any other', (name) => {
  const ofSport = listings({ sport: name, league: 'Some league' })
  const changelog = changelogOf([
    ...ofSport,
    ...listings({ league: name }),
    ...listings({ sport: name, league: name, home: 'Union', away: name }),
    ...listings({ home: name, away: 'Brooklyn Nets' }),
    ...listings({}, [
      { ...spread(3.5, 1.9, 1.9), market_type: name },
      points(name, 20.5, 1.9, 1.9),
    ]),
  ])
  const sports = changelog
    .filter(({ topic, value }) => topic.name === topics.events.name && value !== null)
    .map(({ value }) => (value as EventRow).sport)
  const [first] = ofSport
  expect(sports).toContain(first?.type === 'odds' ? first.event.sport : '')
})
