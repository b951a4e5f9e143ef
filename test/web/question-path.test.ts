/** The addresses of events' pages. */

import { expect, it } from 'vitest'
import { askedIn, eventIdAt, questionPath } from '../../api/web/question-path.ts'

const nothing = { market: null, player: null, statistic: null, team: null }

it('the address of an event’s page is read as it was written', () => {
  const asked = { ...nothing, market: 'player_points', player: 'Luka Dončić', line: 27.5 }
  for (const id of ['nba_nets_knicks_2026-11-20_b3', 'a/b', '100%', 'Ζ ü']) {
    const { pathname, searchParams } = new URL(questionPath(id, asked), 'http://localhost')
    expect([eventIdAt(pathname), askedIn(searchParams)]).toEqual([id, asked])
  }
})

it('a path that cannot be decoded, or is of another page, names no event', () => {
  const paths = ['/events/%E0', '/events/100%', '/events/%zz', '/events/', '/events', '/events/a/b']
  for (const path of [...paths, '/bets', '/']) expect(eventIdAt(path), path).toBeNull()
})
