/** Bets that are kept from an explanation. */

import { expect, it } from 'vitest'
import { readBets } from '../../api/bets/stated-bets.ts'
import {
  betSender,
  createPlacements,
  legsOf,
  type NewBet,
  newBetOf,
  paidStake,
  placedBet,
  priceToKeep,
} from '../../api/web/client/data/placed-bet.ts'
import { RefusedError } from '../../api/web/client/data/refused.ts'
import { equalStakes } from '../../pipeline/rules/odds/stakes.ts'
import { exampleOf } from '../../schemas/http/example.ts'
import { explanationObject } from '../../schemas/http/explain.ts'

const quote = (sportsbook: string, selection_type: string, odds_decimal: number) => ({
  ...{ role: 'leg' as const, sportsbook, selection: selection_type, selection_type, line: null },
  ...{ odds_decimal, age_seconds: 1, is_hidden: false },
})
const fee = { on: 'net_winnings' as const, rate: 0.02, odds_after_fee: 2.0976 }
const { stakes: staked } = exampleOf(explanationObject).data
const explained = {
  quotes: [
    { ...quote('betfair', 'home', 2.12), fee },
    quote('fanduel', 'away', 2.02),
    {
      ...{ role: 'reference' as const, sportsbook: 'pinnacle', selection: 'home' },
      ...{ selection_type: 'home', line: null, is_hidden: true },
    },
  ],
  stakes: { ...staked, legs: [null, 250].map((max_bet) => ({ ...staked.legs[0]!, max_bet })) },
}
const opportunity = { eventId: 'a game', market: 'moneyline', player: null }
const [leg] = legsOf(explained)
const bet = (stake: number, price = leg!.net): NewBet =>
  placedBet(leg!, { price, stake }, opportunity, Date.UTC(2026, 10, 20, 12))

it('a bet has the price after fees, by which its profit is shown', () => {
  const legs = legsOf(explained)
  expect(legs.map(({ sportsbook, maxBet, hasFee }) => [sportsbook, maxBet, hasFee])).toEqual([
    ['betfair', null, true],
    ['fanduel', 250, false],
  ])
  expect(bet(100)).toMatchObject({
    ...{ placed_at: '2026-11-20T12:00:00.000Z', event_id: 'a game', market: 'moneyline' },
    ...{ selection: 'home', line: null, player_name: null },
    ...{ odds_decimal: 2.0976, stake: 100, sportsbook: 'betfair' },
  })
  const { stakes, total, profits } = equalStakes(legs, 400, 1, [])
  const { odds_decimal, stake } = bet(stakes[0]!)
  expect(stake * odds_decimal - total).toBeCloseTo(profits[0]!, 1)
})

it('a bet at an exchange begins with the price after commission, also where the figures count no fee', () => {
  const own = { sportsbook: 'betfair', commission_percent: 3, max_stake: null } as const
  const stated = { sportsbooks: [{ ...own, status: 'active', is_included: true }] } as const
  const none = { sportsbooks: [] }
  const [counted, atFanduel] = legsOf(explained)
  const gross = { ...counted!, net: 2.12, hasFee: false }
  expect(priceToKeep(counted!, none)).toBe(2.0976)
  expect(priceToKeep(counted!, stated)).toBeCloseTo(1 + 1.12 * 0.97, 10)
  expect(priceToKeep(gross, stated)).toBeCloseTo(1 + 1.12 * 0.97, 10)
  expect(priceToKeep(gross, none)).toBeCloseTo(1 + 1.12 * 0.95, 10)
  expect(priceToKeep(atFanduel!, stated)).toBe(2.02)
})

it('a bet on a game that the reader names is taken as a row of a file that says the same', () => {
  const game = {
    ...{ home_team: 'NY Knicks', away_team: 'Brooklyn' },
    ...{ start_time: '2025-03-07', league: 'nba' },
  }
  const at = Date.UTC(2025, 2, 7, 12)
  const typed = newBetOf({
    ...{ game, market: 'spread', selectionType: 'NY Knicks', line: -4.5, player: null },
    ...{ sportsbook: 'fanduel', price: 1.91, stake: 44, isFree: false, at },
  })
  const row = [
    'reference,placed_at,home_team,away_team,start_time,league,market,selection,line,odds_decimal,stake,sportsbook',
    `${typed.reference},2025-03-07T12:00:00Z,NY Knicks,Brooklyn,2025-03-07,nba,spread,NY Knicks,-4.5,1.91,44,fanduel`,
  ].join('\n')
  const table = {
    ...{ decimal: null, dateOrder: null, timeZone: null, oddsFormat: null },
    ...{ sportsbook: null, league: null, ignoresOthers: false },
  }
  const taken = (body: string, as: typeof table | null) =>
    [...readBets(Buffer.from(body), as, at)].filter((line) => line !== null)
  const [ofForm] = taken(JSON.stringify(typed), null)
  const [ofFile] = taken(row, table)
  expect(ofForm!.stated).toMatchObject({ statement: { stake: 44, event: { isDay: true } } })
  expect(ofForm!.stated).toEqual(ofFile!.stated)
})

it('a bet has the price that the reader got, where it is another', () => {
  expect(bet(80, 2.05)).toMatchObject({ odds_decimal: 2.05, stake: 80, sportsbook: 'betfair' })
})

it('a bet is a free one only where the reader says so', () => {
  const placed = (isFree: boolean) =>
    placedBet(leg!, { price: 2, stake: 80, isFree }, opportunity, 0).free_bet
  expect([bet(80).free_bet, placed(false), placed(true)]).toEqual([false, false, true])
})

it('each bet has a reference of its own', () => {
  const references = [bet(1), bet(1)].map(({ reference }) => reference)
  expect(new Set(references).size).toBe(2)
  expect(references.join(' ')).toMatch(/^[0-9a-f]{32} [0-9a-f]{32}$/)
})

it.each([
  [429, 'rate_limited'],
  [429, 'work_limited'],
  [401, 'expired_api_key'],
  [403, 'feature_required'],
  [503, 'storage_full'],
])(
  'a refusal %i %s stores nothing, and does not say if an earlier try did',
  async (status, code) => {
    const refusal = new RefusedError(status, { error: { code, message: code } }, null)
    const answers: (Error | null)[] = [refusal, new TypeError('no answer'), refusal, null]
    const sent: NewBet[] = []
    let unanswered: NewBet | null = null
    const send = betSender(
      async (one) => {
        sent.push(one)
        const answer = answers.shift()!
        if (answer) throw answer
        return null
      },
      (one) => {
        unanswered = one
      },
    )
    await expect(send(() => bet(100))).rejects.toThrow(code)
    expect(unanswered).toBeNull()
    const second = bet(200)
    await expect(send(() => second)).rejects.toThrow('no answer')
    await expect(send(() => bet(300))).rejects.toThrow(code)
    expect(unanswered).toEqual(second)
    await send(() => bet(400))
    expect([sent.slice(1), unanswered]).toEqual([[second, second, second], null])
  },
)

it('a retry after a lost answer sends the same bet, and one after a refusal a new one', async () => {
  const passing = new RefusedError(503, null, null)
  const final = new RefusedError(400, { error: { message: 'No such market.' } }, null)
  const answers = [new TypeError('no answer'), passing, 'The account is full.', final, null, null]
  const sent: NewBet[] = []
  const unanswered: (NewBet | null)[] = []
  const send = betSender(
    async (one) => {
      sent.push(one)
      const answer = answers.shift()!
      if (answer instanceof Error) throw answer
      return answer
    },
    (one) => unanswered.push(one),
  )
  const first = bet(100)
  await expect(send(() => first)).rejects.toThrow('no answer')
  await expect(send(() => bet(200))).rejects.toThrow('503')
  await expect(send(() => bet(300))).rejects.toThrow('The account is full.')
  const second = bet(400)
  await expect(send(() => second)).rejects.toThrow('No such market.')
  const third = bet(500)
  await send(() => third)
  expect(sent).toEqual([first, first, first, second, third])
  expect(unanswered).toEqual([first, first, null, null, null])
})

it('a bet without an answer stays by its selection, whichever sportsbook its leg moves to', async () => {
  const answers: (Error | null)[] = [new TypeError('no answer'), null, null]
  const sent: NewBet[] = []
  let changes = 0
  const placements = createPlacements(
    async (one) => {
      sent.push(one)
      const answer = answers.shift()!
      if (answer) throw answer
      return null
    },
    () => {
      changes++
    },
  )
  const atBetfair = bet(100)
  const atFanDuel: NewBet = { ...bet(100), sportsbook: 'fanduel' }
  await placements.place('Knicks', () => atBetfair)
  expect(placements.of('Knicks')).toEqual({
    ...{ isBusy: false, refusal: 'no answer', unanswered: atBetfair, stored: [] },
  })
  expect(placements.unansweredBeside(['Bulls'])).toEqual(['Knicks'])
  expect(placements.unansweredBeside(['Knicks', 'Bulls'])).toEqual([])
  // The leg is at another sportsbook now.
  await placements.place('Knicks', () => atFanDuel)
  expect(placements.of('Knicks')).toMatchObject({ refusal: null, unanswered: null })
  expect(placements.of('Knicks').stored).toEqual([atBetfair])
  await placements.place('Knicks', () => atFanDuel)
  expect(sent).toEqual([atBetfair, atBetfair, atFanDuel])
  expect(placements.of('Knicks').stored).toEqual([atBetfair, atFanDuel])
  expect(placements.of('Bulls').stored).toEqual([])
  expect(changes).toBeGreaterThan(0)
})

it('stored bets count as one, without those of a free stake', () => {
  const odds = (stake: number, odds_decimal: number) => ({ ...bet(stake), odds_decimal })
  expect(paidStake([odds(100, 2), odds(300, 2.2)])).toEqual({ stake: 400, net: 2.15 })
  expect(paidStake([{ ...odds(100, 2), free_bet: true }])).toBeNull()
  expect(paidStake([])).toBeNull()
})
