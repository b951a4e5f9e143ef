/** The comparison of a board that answers after each of many drawn changes, against one that answers for the first time. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createComparisonRoute } from '../../api/routes/comparison.ts'
import { createSmallBoard, knicks, type SmallBoard } from './small-board.ts'

const rungs = [
  { line: -5.5, selectionType: 'home' },
  { line: 5.5, selectionType: 'away' },
  { line: -4.5, selectionType: 'home' },
  { line: 4.5, selectionType: 'away' },
] as const

/** The sportsbooks that offer every rung at the start. A third one comes and goes. */
const offering = ['betmgm', 'caesars'] as const

const anyPriceAt = (sportsbooks: readonly string[]) => ({
  rung: fc.constantFrom(...rungs),
  sportsbook: fc.constantFrom(...sportsbooks),
  price: fc.constantFrom(1.5, 1.9, 2, 2.05, 3),
})
const anyOffer = fc.record({
  ...anyPriceAt([...offering, 'draftkings']),
  isLive: fc.boolean(),
})
const anyStep = fc.oneof(
  { weight: 6, arbitrary: fc.record({ offer: anyOffer, isActive: fc.boolean() }) },
  // The price alone, unless another step has changed more of its offer.
  { weight: 6, arbitrary: fc.record({ moved: fc.record(anyPriceAt(offering)) }) },
  { weight: 1, arbitrary: fc.record({ gone: anyOffer }) },
  {
    weight: 2,
    arbitrary: fc.record({
      judged: anyOffer,
      reason: fc.constantFrom('market_mismatch' as const, null),
    }),
  },
  { weight: 1, arbitrary: fc.record({ seen: anyOffer }) },
  { weight: 1, arbitrary: fc.record({ isInPlay: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ laterMs: fc.constantFrom(30_000, 61_000, 290_000) }) },
)

type Offer = typeof anyOffer extends fc.Arbitrary<infer Value> ? Value : never
type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never

describe('GET /odds/comparison, step by step', () => {
  it('has in cached texts the content of a board that was never queried before', () => {
    const queries = ['', '&min_odds=100', '&sportsbook=caesars,draftkings', '&is_main_line=true']
    const offerOf = ({ rung, sportsbook, price, isLive }: Offer, now: number) => ({
      ...{ marketType: 'point_spread', sportsbook, price, isLive, ...rung },
      ...{ changedAt: now, observedAt: now },
    })
    const priceOf = (of: Omit<Offer, 'isLive'>, now: number) =>
      offerOf({ ...of, isLive: false }, now)
    const change = (here: SmallBoard, step: Step) => {
      here.advance(1_000)
      const now = here.clock()
      if ('offer' in step) {
        here.odds(knicks, { ...offerOf(step.offer, now), isActive: step.isActive })
      } else if ('moved' in step) here.odds(knicks, priceOf(step.moved, now))
      else if ('gone' in step) here.withdraw(knicks, offerOf(step.gone, now))
      else if ('judged' in step) here.judge(knicks, offerOf(step.judged, now), step.reason)
      else if ('isInPlay' in step) {
        const isLive = step.isInPlay
        here.event(knicks, { isLive, status: isLive ? 'live' : 'upcoming' })
      } else if ('laterMs' in step) here.advance(step.laterMs)
      else here.seen(knicks, step.seen.sportsbook, now)
      here.decideMainLines()
    }
    const boardAfter = (steps: readonly Step[]) => {
      const made = createSmallBoard()
      made.event(knicks)
      made.odds(knicks, { sportsbook: 'fanduel', price: 2 })
      for (const rung of rungs) {
        for (const sportsbook of offering) {
          made.odds(knicks, priceOf({ rung, sportsbook, price: 1.9 }, made.clock()))
        }
      }
      made.decideMainLines()
      for (const step of steps) change(made, step)
      return made
    }
    fc.assert(
      fc.property(fc.array(anyStep, { minLength: 4, maxLength: 12 }), (steps) => {
        const here = boardAfter([])
        for (let count = 1; count <= steps.length; count++) {
          change(here, steps[count - 1]!)
          const anew = boardAfter(steps.slice(0, count))
          for (const query of queries) {
            const asked = `event=${knicks}${query}`
            const [kept, made] = [here, anew].map((board) =>
              board.get(createComparisonRoute(board.clock), asked),
            )
            expect(kept).toEqual(made)
          }
        }
      }),
      { numRuns: 8 },
    )
  })
})
