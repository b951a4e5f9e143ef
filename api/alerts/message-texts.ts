/** Text lines of messages, below the title. */

import type { AlertMessage, MessageOf } from '../../schemas/http/alerts.ts'

type Texts = {
  readonly [Type in AlertMessage['type']]: (data: MessageOf<Type>['data']) => readonly string[]
}

const texts: Texts = {
  'alert.opportunity': ({ event, legs, ...data }) => [
    [...eventWords(event, data.market_type), `${data.age_seconds} s old`].join(' · '),
    ...legs.map(({ stake, ...offer }) => offerText(offer, `, stake ${stake}`)),
    `Stakes ${data.stake_total} in all, worst result ${data.worst_profit}`,
    ...(data.warnings.length > 0 ? [data.warnings.join(' ')] : []),
  ],
  'alert.price': ({ event, market_type, offer }) => [
    eventWords(event, market_type).join(' · '),
    offerText(offer),
  ],
  'alert.move': ({ event, market_type, moves }) => [
    eventWords(event, market_type).join(' · '),
    ...moves.map(({ from_decimal, ...offer }) => offerText(offer, `, was ${from_decimal}`)),
  ],
  'alert.source': ({ subject, state, reason, since }) => [
    `${subject} ${state} since ${clockText(since)} UTC${reason === null ? '' : `, ${reason}`}`,
  ],
  'alert.test': () => [],
}

export const textLines = ({ type, data }: AlertMessage): readonly string[] =>
  (texts[type] as (data: AlertMessage['data']) => readonly string[])(data)

type Opportunity = MessageOf<'alert.opportunity'>['data']

const eventWords = ({ is_live, start_time }: Opportunity['event'], marketType: string) => [
  is_live ? 'in play' : `starts ${clockText(start_time)} UTC`,
  marketType.replaceAll('_', ' '),
]

const clockText = (time: string) => time.slice(0, 16).replace('T', ' ')

function offerText(offer: MessageOf<'alert.price'>['data']['offer'], more = ''): string {
  const { selection, odds_decimal, odds_american, sportsbook, odds_age_seconds, link } = offer
  const american = odds_american > 0 ? `+${odds_american}` : String(odds_american)
  const bet = `${selection} @ ${odds_decimal} (${american}) ${sportsbook}, ${odds_age_seconds} s old${more}`
  return link === null ? bet : `${bet} ${link}`
}
