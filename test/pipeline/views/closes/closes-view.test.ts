/** The closes in memory, as this version shows them. */

import { expect, it } from 'vitest'
import { createClosesView } from '../../../../pipeline/views/closes/closes-view.ts'
import { withheldClose } from '../../../../schemas/http/odds-columns.ts'
import { type Topic, topics } from '../../../../schemas/topics.ts'
import { guardReasons } from '../../../../schemas/withheld-price.ts'

it('say why they were withheld, and unknown for a reason of a newer pipeline', () => {
  const view = createClosesView()
  const reasons = [null, ...guardReasons, 'of_a_newer_version']
  view.apply(
    reasons.map((withheld, oddsId) => ({
      ...{ topic: topics.closingLines as Topic, partition: 0, offset: oddsId, key: String(oddsId) },
      value: {
        ...{ oddsId, eventId: 'e', sport: 'basketball', league: 'nba', sportsbook: 'fanduel' },
        ...{ marketType: 'moneyline', selection: 'New York Knicks', selectionType: 'home' },
        ...{ line: null, playerName: null, statCategory: null, startsAt: 2, capturedAt: 2 },
        ...{ pricedAt: 1, price: 1.9, noVig: null, withheld, missing: null, missingSince: null },
      },
    })),
  )
  const closes = view.ofEvent('e').sort((a, b) => a.oddsId - b.oddsId)
  expect(closes.map(({ withheld }) => withheld)).toEqual([null, ...guardReasons, 'unknown'])
  for (const { withheld } of closes) expect(withheldClose.parse(withheld)).toBe(withheld)
})
