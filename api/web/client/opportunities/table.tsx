/** A table of opportunities of one kind: one row per bet, sorted by the service, each with its explanation. */

import type { ComponentChildren } from 'preact'
import { isGain, type Kind, kindNames, kindViews, type Order } from '../data/kinds.ts'
import type { Leg } from '../data/legs.ts'
import { limitOf, totalLimit } from '../data/limits.ts'
import type { ListQuery } from '../data/list-query.ts'
import { listOpportunities } from '../data/opportunities.ts'
import { type Bet, joinBets, type Opportunity, pricesPathOf } from '../data/opportunity.ts'
import { boardTimeAt } from '../data/service-time.ts'
import { noneText } from '../format/filters.ts'
import { amountText } from '../format/money.ts'
import { marketText } from '../format/names.ts'
import { alignedPriceText, percentText, priceText } from '../format/odds.ts'
import { kellyStakeText } from '../format/stake.ts'
import { grownAgeText, soonText } from '../format/time.ts'
import { type Desk, filterNames, nameOfBook, nameOfLeague, useDesk } from '../shell/context.ts'
import { Failure } from '../shell/failure.tsx'
import { useNow, usePolled } from '../shell/polled.ts'
import { Scrolls } from '../shell/scrolls.tsx'
import { UncountedCommissions } from './uncounted-commissions.tsx'
import { selectionText } from './why.tsx'

interface OpportunityTableProps {
  readonly query: ListQuery
  readonly onOrder: (order: Order) => void
  /** As of `OpportunityList`. */
  readonly onWhy: (opportunity: Opportunity) => void
}

interface Column {
  readonly name: string
  readonly title?: string
  /** Whether it holds numbers or prices, which are right-aligned. */
  readonly isFigure?: boolean
  /** Order chosen by a click on the column's head. */
  readonly order?: Order
  readonly kinds?: readonly Kind[]
  /** Whether it has nothing of a bet. A column that has nothing of any is left out. */
  readonly isEmpty?: (bet: Bet, desk: Desk) => boolean
  /** @param readAt when the list was read (epoch ms), as `now` */
  readonly cell: (bet: Bet, desk: Desk, now: number, readAt: number) => ComponentChildren
}

const byLeg = (bet: Bet, write: (leg: Leg) => ComponentChildren) =>
  bet.best.legs.map((leg) => <div key={`${leg.sportsbook} ${leg.selection}`}>{write(leg)}</div>)

const columns: readonly Column[] = [
  {
    name: 'Event',
    cell: ({ best }, desk) => (
      <>
        <a href={pricesPathOf(best, desk.kinds)}>{best.title}</a>
        <small>
          {best.isLive && <b class="in-play">live </b>}
          {nameOfLeague(desk, best.league)}
        </small>
      </>
    ),
  },
  {
    name: 'Start',
    order: 'start',
    cell: ({ best }, { choices }, now) => soonText(best.startsAt, choices.zone, boardTimeAt(now)),
  },
  {
    name: 'Market',
    cell: ({ best }) => (
      <>
        {marketText(best.market.replace(/^player_/, ''))}
        {best.player && <small>{best.player}</small>}
      </>
    ),
  },
  {
    name: 'Bet',
    cell: (bet) => byLeg(bet, (leg) => selectionText(leg.selection, bet.best.player)),
  },
  {
    name: 'Odds',
    isFigure: true,
    order: 'odds',
    cell: (bet, { choices }) =>
      byLeg(bet, (leg) => <b>{alignedPriceText(leg.price, choices.format, leg.american)}</b>),
  },
  {
    name: 'Sportsbook',
    cell: (bet, desk) => byLeg(bet, (leg) => <AtBook leg={leg} others={bet.others} desk={desk} />),
  },
  {
    name: 'Fair',
    title: 'Odds without a margin: by the sharp book, or the consensus where none offers it',
    isFigure: true,
    kinds: ['ev'],
    cell: ({ best }, { choices }) =>
      best.fair === null ? '–' : alignedPriceText(best.fair, choices.format),
  },
  {
    name: 'Chance',
    title: 'Chance that both bets win',
    isFigure: true,
    order: 'chance',
    kinds: ['middles'],
    cell: ({ best }) => (best.chance === null ? '–' : percentText(best.chance * 100, 1)),
  },
  {
    name: 'Stake',
    title: 'Of +EV the Kelly stake by your profile; else the share of the whole stake',
    isFigure: true,
    kinds: ['ev', 'arbitrage', 'middles'],
    cell: (bet, { profile }) =>
      byLeg(bet, (leg) => {
        if (bet.best.kind === 'ev') return kellyStakeText(leg, profile)
        return leg.stake === null ? '–' : percentText(leg.stake, 1)
      }),
  },
  {
    name: 'Limit',
    title: 'Highest stake, by the sportsbook and by your profile',
    isFigure: true,
    isEmpty: (bet, { profile }) => limitsOf(bet, profile).every((limit) => limit === null),
    cell: (bet, desk) => <Limits bet={bet} desk={desk} />,
  },
  {
    name: 'Age',
    title: 'Age of its oldest price',
    isFigure: true,
    cell: ({ best }, _, now, readAt) => grownAgeText(best.priceAgeMs, readAt, now),
  },
]

export function OpportunityTable({ query, onOrder, onWhy }: OpportunityTableProps) {
  const desk = useDesk()
  const now = useNow()
  const { kind, league, hidden, when, order, books, filters } = query
  const read = usePolled(() => listOpportunities(query), Math.max(2_000, desk.paceMs), [
    kind,
    league,
    hidden,
    when,
    order,
    books,
    filters,
  ])
  const { value, error, at } = read
  const bets = joinBets(value?.opportunities ?? [])
  if (bets.length === 0) {
    return (
      <>
        <Failure of={read} />
        {(value || !error) && (
          <p class="hint" role="status">
            {value ? noneText(value.bounds, filterNames(desk)) : 'Loading…'}
          </p>
        )}
      </>
    )
  }
  const shown = columns.filter(
    ({ kinds, isEmpty }) =>
      (kinds?.includes(kind) ?? true) && !(isEmpty && bets.every((bet) => isEmpty(bet, desk))),
  )
  return (
    <>
      <Failure of={read} />
      <UncountedCommissions legs={bets.flatMap(({ best }) => best.legs)} books={books} />
      <Scrolls label={`Opportunities: ${kindNames[kind]}`}>
        <table class={read.isOld ? 'bets stale' : 'bets'}>
          <thead>
            <tr>
              <Head
                column={{ name: kindViews[kind].worthName, order: 'worth' }}
                query={query}
                onOrder={onOrder}
              />
              {shown.map((column) => (
                <Head key={column.name} column={column} query={query} onOrder={onOrder} />
              ))}
              <th>
                <span class="unseen">Explanation</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {bets.map((bet) => (
              <tr key={bet.best.id}>
                <th scope="row" class={isGain(kind, bet.best.worth) ? 'worth gain' : 'worth'}>
                  {percentText(bet.best.worth)}
                  <Warnings of={bet.best} />
                </th>
                {shown.map((column) => (
                  <td key={column.name} class={column.isFigure ? 'figure' : ''}>
                    {column.cell(bet, desk, now, at)}
                  </td>
                ))}
                <td>
                  <button
                    type="button"
                    onClick={() => onWhy(bet.best)}
                    aria-label={`Why: ${bet.best.title}`}
                  >
                    why
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolls>
      {value?.hasMore && (
        <p class="hint">There are more. Choose a league or set filters to see others.</p>
      )}
    </>
  )
}

interface HeadProps {
  readonly column: Pick<Column, 'name' | 'title' | 'order' | 'isFigure'>
  readonly query: ListQuery
  readonly onOrder: (order: Order) => void
}

/** The head of a column; a button if the service can sort by it. */
function Head({ column: { name, title, order, isFigure }, query, onOrder }: HeadProps) {
  const isSortable = order !== undefined && kindViews[query.kind].orders[order] !== undefined
  const isSorted = isSortable && order === query.order
  return (
    <th
      scope="col"
      title={title}
      class={isFigure ? 'figure' : ''}
      aria-sort={isSorted ? 'other' : undefined}
    >
      {isSortable ? (
        <button type="button" aria-pressed={isSorted} onClick={() => onOrder(order)}>
          {name}
          {isSorted && ' ▾'}
        </button>
      ) : (
        name
      )}
    </th>
  )
}

const limitsOf = ({ best }: Bet, { sportsbooks }: Desk['profile']) =>
  best.legs.map((leg) => limitOf(leg, sportsbooks))

/** The highest stake on each bet. That which bounds the stake on all of them stands out. */
function Limits({ bet, desk }: { readonly bet: Bet; readonly desk: Desk }) {
  const { legs } = bet.best
  const limits = limitsOf(bet, desk.profile)
  const least = totalLimit(legs, limits)
  if (least === null) return null
  const book = nameOfBook(desk, legs[least.leg]!.sportsbook)
  const bound = `${amountText(least.total)} on all bets together: ${book} takes no more`
  return (
    <div title={legs.length > 1 ? bound : undefined}>
      {limits.map((limit, i) => (
        <div
          key={`${legs[i]!.sportsbook} ${legs[i]!.selection}`}
          class={legs.length > 1 && i === least.leg ? 'bound' : ''}
        >
          {/* A blank keeps the line beside its bet. */}
          {limit === null ? '\u00a0' : amountText(limit)}
        </div>
      ))}
    </div>
  )
}

interface AtBookProps {
  readonly leg: Leg
  /** The same bet at other sportsbooks, at lower prices. */
  readonly others: readonly Opportunity[]
  readonly desk: Desk
}

function AtBook({ leg, others, desk }: AtBookProps) {
  const elsewhere = [
    ...leg.tied.map((book) => nameOfBook(desk, book)),
    ...others.map(({ legs: [other] }) => {
      const { sportsbook, price, american } = other!
      return `${nameOfBook(desk, sportsbook)} ${priceText(price, desk.choices.format, american)}`
    }),
  ]
  return (
    <>
      {leg.deepLink ? (
        <a href={leg.deepLink} target="_blank" rel="noopener noreferrer">
          {nameOfBook(desk, leg.sportsbook)} ↗
        </a>
      ) : (
        nameOfBook(desk, leg.sportsbook)
      )}
      {elsewhere.length > 0 && (
        <small class="elsewhere" title={elsewhere.join(', ')}>
          {`+${elsewhere.length}`}
        </small>
      )}
    </>
  )
}

function Warnings({ of: { warnings } }: { readonly of: Opportunity }) {
  if (warnings.length === 0) return null
  const text = warnings.map((one) => marketText(one.toLowerCase())).join(', ')
  return (
    <span class="warned" role="img" title={text} aria-label={`Warnings: ${text}`}>
      {' '}
      ⚠
    </span>
  )
}
