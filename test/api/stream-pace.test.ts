/** The ticks at which streams send paced opportunities. */

import { expect, it } from 'vitest'
import {
  createOpportunityPace,
  paceOf,
} from '../../api/stream/channels/opportunities/opportunity-pace.ts'
import type { ListedOpportunity } from '../../pipeline/views/opportunities/priced.ts'
import type { OpportunityRow } from '../../schemas/opportunity.ts'
import { knicks } from './small-board.ts'
import { createStreamsByHand } from './streams-without-sockets.ts'

const entry = (id: string, eventId: string, detectedAt = 0) =>
  ({
    row: { id, eventId, detectedAt, kind: 'arbitrage' } as OpportunityRow,
  }) as ListedOpportunity

/** Creates a started pace and the worths of its opportunities. */
function paced(filters: Parameters<typeof paceOf>[0]) {
  const pace = createOpportunityPace(paceOf(filters)!, ({ row }) => row.detectedAt)
  const worths = new Map<string, number>()
  const due = (now: number) => pace.due('arbitrage', now, () => worths)
  due(0)
  return {
    due,
    forget: pace.forget,
    worths,
    show(id: string, worth: number, more: { event?: string; at?: number } = {}) {
      worths.set(id, worth)
      pace.wait(entry(id, more.event ?? 'e', more.at))
    },
  }
}

it('is absent unless requested', () => {
  expect(paceOf({})).toBeNull()
  expect(paceOf({ min_age_ms: 0, event_cooldown_ms: 0, again_if_better: false })).toBeNull()
})

it('sends what has reached its age, and nothing that is gone before', () => {
  const { due, show, forget } = paced({ min_age_ms: 2_000 })
  show('a', 0.01, { at: 1_000 })
  show('b', 0.02, { at: 1_500 })
  expect([due(2_999), due(3_000)]).toEqual([[], ['a']])
  forget('b')
  expect(due(9_000)).toEqual([])
})

it('sends one per event and period, the best of those that are left', () => {
  const { due, show } = paced({ event_cooldown_ms: 1_000 })
  show('a', 0.01)
  show('b', 0.03)
  show('c', 0.02)
  show('other', 0.001, { event: 'f' })
  expect(due(10)).toEqual(['b', 'other'])
  expect(due(1_009)).toEqual([])
  expect(due(1_010)).toEqual(['c'])
  expect(due(2_010)).toEqual(['a'])
})

it('sends of equals the first by id, whichever came first', () => {
  for (const ids of [
    ['a', 'b', 'c'],
    ['c', 'b', 'a'],
  ]) {
    const { due, show } = paced({ event_cooldown_ms: 1_000 })
    for (const id of ids) show(id, 0.02)
    expect([due(10), due(1_010), due(2_010)]).toEqual([['a'], ['b'], ['c']])
  }
})

it('follows the age that its reader is shown, and waits while there is none', () => {
  let since: number | null = null
  const pace = createOpportunityPace(paceOf({ min_age_ms: 1_000 })!, () => since)
  const due = (now: number) => pace.due('arbitrage', now, () => new Map([['a', 0.01]]))
  pace.wait(entry('a', 'e', 0))
  expect(due(5_000)).toEqual([])
  since = 4_500
  expect([due(5_499), due(5_500)]).toEqual([[], ['a']])
})

it('sends at the start all there are, several of an event too, and begins no pause', () => {
  const pace = createOpportunityPace(paceOf({ event_cooldown_ms: 1_000 })!, () => 0)
  const worths = new Map([
    ['a', 0.01],
    ['b', 0.02],
    ['c', 0.03],
    ['d', 0.04],
  ])
  const due = (now: number) => pace.due('arbitrage', now, () => worths)
  pace.wait(entry('a', 'e'))
  pace.wait(entry('b', 'e'))
  expect(due(0)).toEqual(['b', 'a'])
  pace.wait(entry('c', 'e'))
  expect(due(1)).toEqual(['c'])
  pace.wait(entry('d', 'e'))
  expect([due(2), due(1_001)]).toEqual([[], ['d']])
})

it('sends one that comes back only if it is worth more than before', () => {
  const { due, show, worths } = paced({ again_if_better: true })
  show('a', 0.02)
  expect(due(1)).toEqual(['a'])
  show('a', 0.02)
  expect(due(2)).toEqual([])
  worths.set('a', 0.021)
  expect(due(3)).toEqual(['a'])
  show('a', 0.0205)
  expect(due(4)).toEqual([])
})

it('sends nothing that has ended by then', () => {
  const { due, show, worths } = paced({ min_age_ms: 10 })
  show('a', 0.02)
  worths.delete('a')
  expect(due(20)).toEqual([])
})

it('has the stated age in a stream, which sends it in no snapshot before', async () => {
  const by = createStreamsByHand()
  by.event(knicks)
  const legs = [
    { sportsbook: 'draftkings', price: 2.05 },
    { sportsbook: 'fanduel', price: 2.05, selectionType: 'away' },
  ] as const
  by.odds(knicks, ...legs)
  by.arbitrage(knicks, ...legs)
  const open = (query: string) => by.open(`channels=arbitrage&min_profit=0&${query}`)
  const complete = async (client: ReturnType<typeof open>) => {
    await by.until('the snapshot', () => client.of('snapshot:complete').length > 0)
    return client.of('opportunities_snapshot')[0].arbitrage.length
  }
  const [paced, plain, none] = [open('min_age_ms=2000'), open(''), open('kinds=ev')]
  expect([await complete(paced), await complete(plain)]).toEqual([0, 1])
  await by.until('the snapshot', () => none.of('snapshot:complete').length > 0)
  expect(none.of('opportunities_snapshot')).toEqual([])
  expect(paced.of('subscribed')).toMatchObject([{ min_age_ms: 2_000 }])
  expect(plain.of('subscribed')[0]).not.toHaveProperty('min_age_ms')
  by.advance(1_900)
  await by.pass(200)
  expect(paced.of('arb:detected')).toEqual([])
  by.advance(100)
  await by.pass(200)
  const [{ data }] = paced.of('arb:detected')
  expect(data).toHaveLength(1)
  expect(by.clock() - Date.parse(data[0].detected_at)).toBe(2_000)
  by.close()
})
