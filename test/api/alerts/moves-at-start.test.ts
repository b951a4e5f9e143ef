/** Steam and drops when prices go into play: the change from before the game is no move. */

import { afterEach, beforeEach, expect, it } from 'vitest'
import { createScopes } from '../../../api/access/scope.ts'
import { tierRights } from '../../../api/access/tiers.ts'
import { createDecisions } from '../../../api/alerts/decisions.ts'
import { compileAlert } from '../../../api/alerts/rule-types.ts'
import { sharpChain } from '../../../pipeline/rules/odds/sharp-books.ts'
import type { AlertRow } from '../../../schemas/alert.ts'
import { emptyProfile } from '../../../schemas/profile.ts'
import { type Answer, inHours, knicks, moneyline, parsed, push } from '../hand-made-market.ts'
import { oddsRecord } from '../service-in-process.ts'
import { type SimulatedService, startSimulated } from '../simulated-service.ts'

let service: SimulatedService
beforeEach(async () => {
  service = await startSimulated(null)
})
afterEach(() => service.close())

const rules = {
  steam: 'min_books=2&seconds=60&min_move=1',
  drop: 'min_drop=5&seconds=60',
  best: 'min_drop=5&seconds=60&of=best',
}

interface Said {
  readonly isLive: boolean
  readonly price: number
  readonly isSuspended?: boolean
  readonly isPutOff?: boolean
}

/** Says each in turn, at two sportsbooks, ten seconds apart. @returns what was told after each */
function told(course: readonly (Said | Readonly<Record<string, Said>>)[]): string[][] {
  const { boards, clock } = service
  const decisions = createDecisions({
    ...{ boards, chain: sharpChain('pinnacle'), clock, timer: () => 0, profileOf: emptyProfile },
  })
  const scope = createScopes(boards).of({ tier: 'sharp', isOwner: false })
  const rights = { scope, scopeAmong: () => scope, features: tierRights.sharp.features }
  decisions.setAlerts(
    Object.entries(rules).map(([id, query]) => {
      const alert = {
        ...{ id, type: 'move', accountId: 'acct_1', revision: '1', name: id, query },
        ...{ createdAt: 0, updatedAt: 0, improvement: 1, perHour: 60, quiet: null },
        ...{ isPaused: false, pauseReason: null },
        target: { type: 'browser', url: 'browser:', secret: null, chatId: null },
      } as AlertRow
      return { alert, compiled: compileAlert(alert, rights) }
    }),
    () => true,
  )
  const all = course.map((said) => {
    const bySportsbook = 'price' in said ? { draftkings: said, fanduel: said } : said
    for (const [sportsbook, one] of Object.entries(bySportsbook)) {
      const { isLive, price, isSuspended = false, isPutOff = false } = one as Said
      const { selections, ...market } = moneyline(price, price / (price - 1) - 0.05)
      const suspended = selections.map((one): Answer => ({ ...one, suspended: isSuspended }))
      const game = { ...knicks, startsAt: inHours(0), isLive }
      push(service, game, { [sportsbook]: [{ ...market, selections: suspended }] })
      if (!isPutOff) continue
      const now = service.clock()
      const {
        markets: _,
        mode: __,
        ...about
      } = oddsRecord(now, { ...game, sportsbook, markets: [] })
      service.say(parsed(now, [{ ...about, type: 'event_status', status: 'postponed' }]))
    }
    service.wait(10_000)
    const ids = [...decisions.decide()]
      .filter(({ finding }) => finding.occasion.includes('New York Knicks'))
      .map(({ alert }) => alert.id)
    return [...new Set(ids)].sort()
  })
  decisions.close()
  return all
}

const pre = (price: number): Said => ({ isLive: false, price })
const live = (price: number): Said => ({ isLive: true, price })
const closed = (said: Said): Said => ({ ...said, isSuspended: true })
const everything = ['best', 'drop', 'steam']
/** While both were closed, there was no best price to fall from. */
const afterPause = ['drop', 'steam']

it('prices that fall before the game, and in play, are told', () => {
  expect(told([pre(2.5), pre(2.2)])).toEqual([[], everything])
  expect(told([live(2.5), live(2.2)])[1]).toEqual(everything)
})

it('prices that fall as they go into play are not, nor by later changes in play', () => {
  expect(told([pre(2.5), live(1.5), live(1.49), live(1.35)])).toEqual([[], [], [], everything])
})

it('nor those that go into play closed and open later', () => {
  const course = [pre(2.5), closed(live(2.5)), live(1.5), closed(live(1.5)), live(1.35)]
  expect(told(course)).toEqual([[], [], [], [], afterPause])
})

it('a pause before the game changes nothing, nor a turn to play that was taken back', () => {
  expect(told([pre(2.5), closed(pre(2.5)), pre(2.2)])[2]).toEqual(afterPause)
  expect(told([pre(2.2), closed(live(2.2)), closed(pre(2.2)), pre(1.9)])[3]).toEqual(afterPause)
})

it('a fall before the game and one in play are no steam', () => {
  const two = (draftkings: Said, fanduel: Said) => ({ draftkings, fanduel })
  const course = [two(pre(2.5), live(2.5)), two(pre(2.4), live(2.4))]
  expect(told(course)).toEqual([[], []])
})

it('a fall of prices from before the game is no steam once it is in play', () => {
  const both = (price: number) => ({ draftkings: pre(price), fanduel: pre(price) })
  const course = [both(2.5), { ...both(2.5), pinnacle: live(2.5) }, both(2.2), both(1.9)]
  expect(told(course)).toEqual([[], [], [], []])
})

it('prices from before the game that fell until it is in play were steam', () => {
  const course = [
    { draftkings: pre(2.5), fanduel: pre(2.5) },
    { draftkings: pre(2.2) },
    { fanduel: pre(2.2) },
    { pinnacle: live(2.5) },
    { draftkings: pre(1.9), fanduel: pre(1.9) },
  ]
  expect(told(course).map((kinds) => kinds.includes('steam'))).toEqual([
    ...[false, false, true, false, false],
  ])
})

it('a fall of prices of a postponed game is no steam, until it is on again', () => {
  const putOff = { ...pre(2.5), isPutOff: true }
  const steamOf = (...course: Parameters<typeof told>[0]) =>
    told(course).map((kinds) => kinds.includes('steam'))
  expect(steamOf(pre(2.5), putOff, pre(2.2), pre(1.9))).toEqual([false, false, false, false])
  expect(steamOf(live(1.9), live(1.7))[1]).toBe(true)
})
