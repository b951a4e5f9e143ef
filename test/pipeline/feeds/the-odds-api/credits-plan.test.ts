import { describe, expect, it } from 'vitest'
import {
  createCreditsPlan,
  planState,
} from '../../../../pipeline/feeds/the-odds-api/credits-plan.ts'
import { startsOf } from '../../../../pipeline/feeds/the-odds-api/parse.ts'
import { theOddsApi } from '../../../../pipeline/feeds/the-odds-api/source.ts'

const hour = 3_600_000
const day = 24 * hour
const november = Date.parse('2026-11-01T00:00:00.000Z')

const listing = (...startsAt: readonly number[]) =>
  startsAt.map((at) => ({
    id: `g${at}`,
    sport_key: 'basketball_nba',
    commence_time: new Date(at).toISOString(),
  }))

function openPlan(options: Partial<Parameters<typeof createCreditsPlan>[0]> = {}) {
  const clock = { now: november + 10 * hour }
  const plan = createCreditsPlan({
    sports: ['basketball_nba'],
    perMonth: 500,
    propsPerMonth: null,
    roundCost: 3,
    eventCost: 1,
    intervalMs: 60_000,
    now: () => clock.now,
    ...options,
  })
  const hear = (used: number) =>
    plan.hear(
      new Headers({ 'x-requests-used': `${used}`, 'x-requests-remaining': `${500 - used}` }),
    )
  const startsKept = () => plan.state().starts.basketball_nba
  return { plan, clock, hear, startsKept }
}

describe('the plan of credits', () => {
  it('forgets no games after a body that cannot be read, or that is empty', () => {
    const { plan, clock, startsKept } = openPlan()
    const now = clock.now
    const inPlay = now - hour
    const ahead = now + 5 * hour
    plan.games('basketball_nba', startsOf(listing(inPlay, ahead)))
    for (const body of [{ message: 'maintenance' }, 'no', null, [{ id: 'x' }]]) {
      plan.games('basketball_nba', startsOf(body))
      expect(startsKept()).toEqual([inPlay, ahead])
    }
    plan.games('basketball_nba', startsOf([...listing(ahead + hour), { id: 'x' }]))
    expect(startsKept()).toEqual([ahead + hour, inPlay, ahead])
    plan.games('basketball_nba', startsOf([]))
    expect(startsKept()).toEqual([ahead + hour, ahead])
    plan.games('basketball_nba', startsOf(listing(ahead)))
    expect(startsKept()).toEqual([ahead])
  })

  it('shares what others left of a key in proportion', () => {
    const { plan, hear } = openPlan()
    hear(300)
    expect(plan.round.canSpend()).toBe(true)
    expect(plan.events.canSpend()).toBe(true)
    // Of 200 left, 100 are for rounds: 33 calls.
    let calls = 0
    for (; plan.round.canSpend() && calls < 100; calls++) plan.round.spend(3)
    expect(calls).toBeGreaterThan(30)
    expect(plan.events.canSpend()).toBe(true)
  })

  it('makes no call where the source counts more than all credits as used', () => {
    const { plan, hear } = openPlan()
    hear(503)
    expect(plan.isKnown()).toBe(true)
    expect(plan.round.canSpend()).toBe(false)
  })

  it('keeps each part for itself where nobody else spends', () => {
    const { plan } = openPlan({ propsPerMonth: 200 })
    let rounds = 0
    for (; plan.round.canSpend(); rounds += 3) plan.round.spend(3)
    expect(rounds).toBe(300)
    let props = 0
    for (; plan.events.canSpend(); props++) plan.events.spend(1)
    expect(props).toBe(200)
  })

  it('refuses props that leave nothing for lists', () => {
    const settings = {
      apiKey: 'k',
      sports: ['x'],
      eventMarkets: ['p'],
      creditsPerMonth: 500,
      propsCreditsPerMonth: 500,
    }
    expect(() => theOddsApi.openBy(settings, {})).toThrow(
      'propsCreditsPerMonth: has to be less than creditsPerMonth',
    )
    expect(() => theOddsApi.openBy({ ...settings, propsCreditsPerMonth: 499 }, {})).not.toThrow()
  })

  it('takes any props setting where no props are asked for', () => {
    const settings = { apiKey: 'k', sports: ['x'], creditsPerMonth: 500, propsCreditsPerMonth: 500 }
    expect(() => theOddsApi.openBy(settings, {})).not.toThrow()
  })

  it('goes on from a state of an earlier build', () => {
    const { plan, hear } = openPlan()
    hear(100)
    plan.round.spend(30)
    plan.events.spend(20)
    const { rounds: _, heard, ...rest } = plan.state()
    const { isUnsure: __, ...heardThen } = heard
    const earlier = planState.parse({ ...rest, heard: heardThen })
    const { plan: next } = openPlan()
    next.resume(earlier)
    expect(next.isKnown()).toBe(true)
    expect(next.state().rounds).toMatchObject({ used: 130 })
    expect(next.credits()).toEqual(plan.credits())
  })

  it('asks for the props of a game that is put off by its new start', () => {
    const { plan, clock, hear } = openPlan()
    hear(0)
    const first = clock.now + 30 * 60_000
    const isDue = (startsAt: number) => plan.isEventDue('a', startsAt)
    expect(isDue(first)).toBe(true)
    plan.askedEvent('a')
    clock.now += 2 * hour
    // At its old start it would be in play.
    expect(isDue(first)).toBe(true)
    expect(isDue(first + 3 * day)).toBe(false)
    clock.now = first + 3 * day - hour / 2
    expect(isDue(first + 3 * day)).toBe(true)
  })
})
