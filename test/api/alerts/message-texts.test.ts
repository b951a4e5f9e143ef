/** Texts of messages, as people read them. */

import { expect, it } from 'vitest'
import {
  type Reading,
  readingOf,
  secondsText,
  textLines,
} from '../../../api/alerts/message-texts.ts'
import { requestTo } from '../../../api/alerts/target-requests.ts'
import type { OutgoingRequest } from '../../../api/alerts/targets.ts'
import type { ArbitrageWarning } from '../../../pipeline/rules/odds/arbitrage.ts'
import type { EvWarning } from '../../../pipeline/rules/odds/confidence.ts'
import type { MiddleWarning } from '../../../pipeline/rules/odds/middles.ts'
import type { AlertMessage } from '../../../schemas/http/alerts.ts'
import { opportunityWarnings, warningText } from '../../../schemas/opportunity-warnings.ts'
import { emptyProfile } from '../../../schemas/profile.ts'

const links = {
  list: 'https://odds.example.com/api/v1/opportunities/ev',
  page: 'https://odds.example.com/opportunities?kind=ev&why=7c1e40b95ad2f386',
  why: 'https://odds.example.com/api/v1/opportunities/7c1e40b95ad2f386/explain',
}
const about = {
  ...{ alert: { id: 'alert_1', name: 'NBA' }, title: '', links, simulated: false },
  event: {
    ...{ id: 'e', name: 'Chicago Bulls @ New York Knicks', sport: 'basketball', league: 'nba' },
    ...{ start_time: '2027-01-15T00:40:00.000Z', is_live: false },
  },
  market_type: 'total_points',
}
const offer = {
  ...{ sportsbook: 'draftkings', selection: 'Over 228.5', line: 228.5, odds_decimal: 1.962 },
  ...{ odds_american: -104, odds_age_seconds: 0.2, link: 'https://odds.example.com/d/1' },
}
const opportunity: AlertMessage = {
  ...{ type: 'alert.opportunity', timestamp: '2027-01-14T21:03:10.000Z' },
  data: {
    ...about,
    ...{ kind: 'ev', edge_percent: 4.07, told_before_percent: null, opportunity_id: 'x' },
    legs: [{ ...offer, stake: 12.5 }],
    ...{ stake_total: 12.5, worst_profit: -12.5, currency: 'EUR', age_seconds: 0.4 },
    ...{ stake_unit: 0.5, stake_missing: null },
    detected_at: '2027-01-14T21:03:09.600Z',
    warnings: ['CONSENSUS_REF', 'LIVE_GAME'],
  },
}
const plain: Reading = { format: null, timeZone: 'UTC' }

it('name sportsbook, stake, warnings and the page that explains it, in words', () => {
  expect(textLines(opportunity, plain)).toEqual([
    'starts 2027-01-15 00:40 UTC · total points · 0.4 s old',
    'Over 228.5 @ 1.962 (-104) DraftKings, 0.2 s old, stake 12.5 EUR https://odds.example.com/d/1',
    'Stakes 12.5 EUR in all, worst result -12.5 EUR',
    'Check: no sharp book quotes the market; the consensus of at least three others is used',
    'Check: in play',
    `Why: ${links.page}`,
  ])
})

it('say why there is no stake', () => {
  const { data } = opportunity as Extract<AlertMessage, { type: 'alert.opportunity' }>
  const none = { stake_total: null, worst_profit: null, stake_unit: 5 }
  const legs = [{ ...offer, stake: null }]
  const linesOf = (stake_missing: typeof data.stake_missing) => {
    const without = { ...data, ...none, legs, stake_missing }
    return textLines({ ...opportunity, data: without } as AlertMessage, plain).slice(1, 3)
  }
  expect(linesOf('below_unit')).toEqual([
    'Over 228.5 @ 1.962 (-104) DraftKings, 0.2 s old https://odds.example.com/d/1',
    'No stake: it would be less than the unit of 5 EUR, to which stakes are rounded down',
  ])
  expect(linesOf('limit_below_unit')[1]).toMatch(
    /^No stake: a limit allows less than the unit of 5/,
  )
})

it('write small amounts without an exponent', () => {
  const data = {
    ...opportunity.data,
    stake_total: 0.001,
    worst_profit: -0.0000005,
    currency: 'BTC',
  }
  const lines = textLines({ ...opportunity, data }, plain)
  expect(lines).toContain('Stakes 0.001 BTC in all, worst result -0.0000005 BTC')
})

it('say from when they are if they are sent later', () => {
  const target = {
    type: 'slack' as const,
    url: 'https://hooks.slack.com/1',
    secret: null,
    chatId: null,
  }
  const message = JSON.stringify(opportunity)
  const sentAfter = (seconds: number) => {
    const at = Date.parse(opportunity.timestamp) + 1_000 * seconds
    const request = requestTo(target, { id: 'msg_1', message, at, reading: plain })
    return (JSON.parse((request as OutgoingRequest).body) as { text: string }).text
  }
  expect(sentAfter(60)).not.toContain('LATE')
  expect(sentAfter(61)).toContain('\nLATE: as it was at 21:03:10 UTC\n')
})

it('tell times in the zone of the quiet hours, and prices in the format of the profile', () => {
  const quiet = { from: 0, to: 60, timeZone: 'America/New_York' }
  const profile = { ...emptyProfile('acct_1'), priceFormat: 'fractional' as const }
  const reading = readingOf({ quiet }, profile)
  const [when, bet] = textLines(opportunity, reading)
  expect(when).toBe('starts 2027-01-14 19:40 America/New_York · total points · 0.4 s old')
  expect(bet).toContain('Over 228.5 @ 25/26 DraftKings')
  expect(secondsText(Date.parse('2027-01-15T00:40:05.000Z'), reading)).toBe(
    '19:40:05 America/New_York',
  )
  expect(readingOf({ quiet: null }, emptyProfile('acct_1'))).toEqual(plain)
})

it('tell what a price was, in the same format', () => {
  const move: AlertMessage = {
    ...{ type: 'alert.move', timestamp: '2027-01-14T21:03:10.000Z' },
    data: {
      ...about,
      ...{ what: 'drop', direction: 'shortened', began_at: '2027-01-14T21:03:09.600Z' },
      moves: [{ ...offer, from_decimal: 2.02, at: '2027-01-14T21:03:09.600Z' }],
    },
  }
  const priceIn = (format: Reading['format']) => textLines(move, { ...plain, format })[1]
  expect(priceIn(null)).toContain('@ 1.962 (-104) DraftKings, 0.2 s old, was 2.02 ')
  expect(priceIn('american')).toContain('@ -104 DraftKings, 0.2 s old, was +102 ')
  expect(priceIn('hong_kong')).toContain('@ 0.962 DraftKings, 0.2 s old, was 1.02 ')
  // -335 is 1.2985, which is rounded to 1.299.
  const exact = { ...move.data.moves[0]!, from_decimal: 1.299, from_american: -335 }
  const told = { ...move, data: { ...move.data, moves: [exact] } }
  expect(textLines(told, { ...plain, format: 'american' })[1]).toContain(', was -335 ')
  const unlisted = { ...move.data, moves: [{ ...move.data.moves[0]!, sportsbook: 'our_model' }] }
  expect(textLines({ ...move, data: unlisted }, plain)[1]).toContain(' our_model, ')
})

it('have words for every warning', () => {
  const words: Readonly<Record<EvWarning | ArbitrageWarning | MiddleWarning, string>> =
    opportunityWarnings
  for (const [code, text] of Object.entries(words)) expect(warningText(code)).toBe(text)
  expect(warningText('A_NEW_ONE')).toBe('a new one')
})
