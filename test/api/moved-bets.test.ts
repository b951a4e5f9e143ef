/** The closing-line value of a bet on a game that was put off and played as the same event. */

import { expect, it } from 'vitest'
import { weighBets } from '../../api/bets/bet-closes.ts'
import type { ArchivedClose, Ask } from '../../pipeline/archive/bets.ts'
import { betExample } from '../../schemas/http/examples/bets.ts'

const hour = 3_600_000
const startsAt = Date.parse('2026-11-21T15:00:00Z')
const found = betExample.found!

/** @param closes sportsbooks with a close, and its start as hours after the start that the bet has */
async function weigh(closes: Readonly<Record<string, number>>, of: Partial<ArchivedClose> = {}) {
  const { eventId, marketType, selectionType, line, playerName } = found
  const rows = Object.entries(closes).map(
    ([sportsbook, later]): ArchivedClose => ({
      ...{ eventId, marketType, selectionType, line, playerName, sportsbook },
      ...{ startsAt: startsAt + later * hour, price: 1.9, noVig: 0.54 },
      ...{ withheld: null, missing: null, ...of },
    }),
  )
  const ask = (async (statement: string) => (statement.includes('AS noVig') ? rows : [])) as Ask
  const row = { ...betExample, price: 2, placedAt: startsAt - hour }
  const [weighed] = await weighBets([{ row, match: { found: { ...found, startsAt } } }], {
    ...{ ask, charged: (work) => work(), chain: ['pinnacle', 'circa'] },
    ...{ mayShow: () => true, startOf: () => undefined, now: startsAt + 100 * hour },
    capturedOf: () => ({ count: 0, lastAt: 0 }),
  })
  return weighed!
}

it('is by the close of the start that the bet was made for', async () => {
  for (const later of [0, 3, -0.5, 12]) {
    const { clv, reason, close } = await weigh({ pinnacle: later })
    expect([clv, reason, close?.sportsbook]).toEqual([expect.closeTo(0.08), null, 'pinnacle'])
  }
})

it('is none by the close of another day', async () => {
  for (const later of [48, 12.1, 7 * 24]) {
    const weighed = await weigh({ pinnacle: later, [betExample.sportsbook]: later })
    expect(weighed).toMatchObject({ clv: null, reason: 'postponed', close: null, ownClv: null })
  }
  expect(await weigh({ [betExample.sportsbook]: 48 })).toMatchObject({
    ...{ clv: null, reason: 'postponed', ownClv: null },
  })
})

it('has the reason of the sharp book where it has no close for the same start', async () => {
  const { reason } = await weigh(
    { pinnacle: 0 },
    { price: null, noVig: null, missing: 'suspended' },
  )
  expect(reason).toBe('suspended')
})
