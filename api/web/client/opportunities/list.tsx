/** Opportunities of one kind, best first, each with its age, bets and explanation. */

import { countText } from '../../count.ts'
import { isGain } from '../data/kinds.ts'
import { limitOf, totalLimit } from '../data/limits.ts'
import type { ListQuery } from '../data/list-query.ts'
import { listOpportunities } from '../data/opportunities.ts'
import { type Opportunity, pricesPathOf } from '../data/opportunity.ts'
import { boardTimeAt } from '../data/service-time.ts'
import { noneText } from '../format/filters.ts'
import { amountText } from '../format/money.ts'
import { marketText } from '../format/names.ts'
import { percentText, priceText } from '../format/odds.ts'
import { kellyStakeText } from '../format/stake.ts'
import { grownAgeText, soonText } from '../format/time.ts'
import { type Desk, filterNames, useDesk } from '../shell/context.ts'
import { Failure } from '../shell/failure.tsx'
import { useNow, usePolled } from '../shell/polled.ts'
import { UncountedCommissions } from './uncounted-commissions.tsx'
import { Legs } from './why.tsx'

interface OpportunityListProps {
  readonly query: ListQuery
  /** Called when the reader asks for an explanation. The page shows it, because a turned phone has another list. */
  readonly onWhy: (opportunity: Opportunity) => void
  /** Address of a page that lists more. */
  readonly moreAt?: string
}

export function OpportunityList({ query, onWhy, moreAt }: OpportunityListProps) {
  const desk = useDesk()
  const { paceMs, choices, profile, kinds } = desk
  const readerNow = useNow()
  const now = boardTimeAt(readerNow)
  const { kind, league, hidden, when, order, books, filters, limit } = query
  const read = usePolled(() => listOpportunities(query), Math.max(2_000, paceMs), [
    kind,
    league,
    hidden,
    when,
    order,
    books,
    filters,
    limit,
  ])
  const { value, error } = read
  return (
    <>
      <Failure of={read} />
      {!error && !value && <p class="hint">Loading…</p>}
      {value?.opportunities.length === 0 && (
        <p class="hint">{noneText(value.bounds, filterNames(desk))}</p>
      )}
      <UncountedCommissions
        legs={value?.opportunities.flatMap(({ legs }) => legs) ?? []}
        books={books}
      />
      <ul class={read.isOld ? 'opportunities stale' : 'opportunities'}>
        {value?.opportunities.map((one) => (
          <li key={one.id}>
            <div class="first-line">
              <b class={isGain(kind, one.worth) ? 'worth gain' : 'worth'}>
                {percentText(one.worth)}
              </b>
              <a href={pricesPathOf(one, kinds)}>{one.title}</a>
              <time title="Age of its oldest price">
                {grownAgeText(one.priceAgeMs, read.at, readerNow)}
              </time>
            </div>
            <div class="second-line">
              {one.isLive && <small class="in-play">live</small>}
              <small class="what">
                {one.player
                  ? `${one.player} · ${one.market.replace(/^player_/, '').replaceAll('_', ' ')}`
                  : marketText(one.market)}
              </small>
              {one.warnings.length > 0 && (
                <small
                  class="warned"
                  title={one.warnings.map((text) => marketText(text.toLowerCase())).join(', ')}
                >
                  {countText(one.warnings.length, 'warning')}
                </small>
              )}
              <button type="button" onClick={() => onWhy(one)} aria-label={`Why: ${one.title}`}>
                why
              </button>
            </div>
            <div class="third-line">
              <small>{soonText(one.startsAt, choices.zone, now)}</small>
              {one.fair !== null && <small>fair {priceText(one.fair, choices.format)}</small>}
              {one.chance !== null && <small>chance {percentText(one.chance * 100, 1)}</small>}
              {one.kind === 'ev' && <small>stake {kellyStakeText(one.legs[0]!, profile)}</small>}
              {mostOf(one, profile) !== null && (
                <small>up to {amountText(mostOf(one, profile)!)}</small>
              )}
            </div>
            <Legs opportunity={one} />
          </li>
        ))}
      </ul>
      {value?.hasMore && (
        <p class="hint">
          There are more
          {moreAt ? (
            <>
              {' '}
              on the page <a href={moreAt}>Opportunities</a>.
            </>
          ) : (
            '. Choose a league or set filters to see others.'
          )}
        </p>
      )}
    </>
  )
}

/** Returns the highest stake on all its bets together. */
const mostOf = ({ legs }: Opportunity, { sportsbooks }: Desk['profile']) =>
  totalLimit(
    legs,
    legs.map((leg) => limitOf(leg, sportsbooks)),
  )?.total ?? null
