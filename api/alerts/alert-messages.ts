/** Messages of alerts: each has all that a bettor needs, by the rules of the lists. */

import { decimalToAmerican, shownPrice } from '../../pipeline/rules/odds/odds.ts'
import { ruleOf } from '../../pipeline/rules/odds/opportunity-figures.ts'
import { isoTime } from '../../pipeline/text/iso-time.ts'
import type { Item, Valued } from '../../pipeline/views/opportunities/priced.ts'
import type { AlertRow } from '../../schemas/alert.ts'
import type { AlertMessage } from '../../schemas/http/alerts.ts'
import { familyOf, wordsOf } from '../../schemas/opportunity.ts'
import { eventName } from '../answer/events.ts'
import { detectedAt } from '../opportunities/about.ts'
import { shownAnew } from '../opportunities/item-texts.ts'
import type { Kind, Moment, Seen } from '../opportunities/kind.ts'
import { ageMs, deepLinkOf, percent, selectionOf, shownAge } from '../opportunities/quotes.ts'
import { stakesOf } from '../opportunities/stakes.ts'

export interface MessageParts {
  /** Address of the service as receivers reach it, without a slash at its end. */
  readonly publicUrl: () => string
  /** Whether prices may be simulated; null where this process does not know. */
  readonly isSimulated: boolean | null
  /** Epoch ms, by the clock of the service. */
  readonly clock: () => number
}

export const worthOf = ({ figures, entry }: Valued): number => ruleOf(entry.row.kind).worth(figures)

/** The list of what a rule names. */
export const listPathOf = ({ kind, query }: Pick<AlertRow, 'kind' | 'query'>) =>
  `/api/v1/opportunities/${familyOf(kind)}${query === '' ? '' : `?${query}`}`

/** @param toldBefore the worth of the best told before; null for the first */
export function opportunityMessage(
  alert: AlertRow,
  kind: Kind,
  one: Valued,
  toldBefore: number | null,
  moment: Moment,
  parts: MessageParts,
): AlertMessage {
  const { scope, now } = moment
  const item: Item = scope.opportunities.item(one)
  const { event, row } = item
  const [first] = item.legs
  const base = parts.publicUrl()
  const { total, unit, kelly } = alert.stakes
  const stakes = stakesOf(item, kind, scope, {
    total: total ?? undefined,
    unit: unit ?? undefined,
    kelly: kelly ?? undefined,
  })
  const edge = percent(worthOf(one))
  const since = detectedAt(item, scope)
  const { warnings } = shownAnew(item, kind.at(moment) as Seen) as {
    readonly warnings?: readonly string[]
  }
  return {
    type: 'alert.opportunity',
    timestamp: isoTime(parts.clock()),
    data: {
      alert: { id: alert.id, name: alert.name },
      kind: familyOf(row.kind),
      title: `${wordsOf(row.kind)} ${edge} %: ${eventName(event)}`,
      event: {
        id: event.id,
        name: eventName(event),
        sport: event.row.sport,
        league: event.row.league,
        start_time: isoTime(event.startsAt),
        is_live: first!.isLive,
      },
      market_type: first!.marketType,
      edge_percent: edge,
      told_before_percent: toldBefore === null ? null : percent(toldBefore),
      legs: item.legs.map((leg, i) => {
        const { label, line } = selectionOf(leg)
        const link = deepLinkOf(scope, leg)
        return {
          sportsbook: leg.sportsbook,
          selection: label,
          line,
          odds_decimal: shownPrice(leg.price),
          odds_american: decimalToAmerican(leg.price),
          odds_age_seconds: shownAge(ageMs(leg, now)),
          stake: stakes.legs[i]!.stake,
          link: link === null ? null : base + link,
        }
      }),
      stake_total: stakes.total,
      worst_profit: stakes.worst_profit,
      detected_at: isoTime(since),
      age_seconds: shownAge(Math.max(0, now - since)),
      warnings: [...(warnings ?? [])],
      links: {
        why: `${base}/api/v1/opportunities/${row.id}/explain`,
        list: base + listPathOf(alert),
        page: `${base}/opportunities?kind=${familyOf(row.kind)}`,
      },
      simulated: parts.isSimulated,
      opportunity_id: row.id,
    },
  }
}

/** A message as an opportunity would have it, made up. */
export function testMessage(alert: AlertRow, parts: MessageParts): AlertMessage {
  const base = parts.publicUrl()
  const at = isoTime(parts.clock())
  return {
    type: 'alert.test',
    timestamp: at,
    data: {
      alert: { id: alert.id, name: alert.name },
      kind: familyOf(alert.kind),
      title: `Test of the alert "${alert.name}"`,
      event: {
        id: 'test',
        name: 'Away @ Home',
        sport: 'test',
        league: 'test',
        start_time: at,
        is_live: false,
      },
      market_type: 'test',
      edge_percent: 0,
      told_before_percent: null,
      legs: [],
      stake_total: 0,
      worst_profit: 0,
      detected_at: at,
      age_seconds: 0,
      warnings: [],
      links: {
        why: base + listPathOf(alert),
        list: base + listPathOf(alert),
        page: `${base}/opportunities?kind=${familyOf(alert.kind)}`,
      },
      simulated: parts.isSimulated,
      opportunity_id: '',
    },
  }
}
