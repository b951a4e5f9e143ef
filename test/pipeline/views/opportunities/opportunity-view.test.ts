/** The view of opportunities whose prices or readers change while their rows do not. */

import { expect, it } from 'vitest'
import type { FiguresOf } from '../../../../pipeline/rules/odds/opportunity-figures.ts'
import { createBoardView } from '../../../../pipeline/views/board/board-view.ts'
import { createOpportunityView } from '../../../../pipeline/views/opportunities/opportunity-view.ts'
import type { OddsRow } from '../../../../schemas/odds.ts'
import type { OpportunityRow } from '../../../../schemas/opportunity.ts'
import { sightingKey } from '../../../../schemas/sighting.ts'
import { type Topic, topics } from '../../../../schemas/topics.ts'
import { baseTime, game, knicks, type Quote, quote, sighting } from '../../../api/small-board.ts'

const allSets = 15

function createViews() {
  const board = createBoardView()
  const view = createOpportunityView(board)
  const tell = <Row>(topic: Topic<Row>, key: string, value: Row | null) => {
    const record = { topic: topic as Topic, partition: 0, offset: 0, key, value }
    board.apply([record], { epoch: 'e', offsets: {} }, baseTime)
    view.apply([record])
  }
  tell(topics.events, knicks, game(knicks))
  return {
    view,
    tell,
    price(of: Quote): OddsRow {
      const row = quote(knicks, of)
      tell(topics.odds, String(row.id), row)
      const seen = sighting(knicks, row.sportsbook, baseTime)
      tell(topics.sightings, sightingKey(knicks, row.sportsbook), seen)
      return row
    },
    opportunity(of: Pick<OpportunityRow, 'kind'> & Partial<OpportunityRow>) {
      const row: OpportunityRow = {
        ...{ id: '00000000000000aa', eventId: knicks, league: 'nba', legs: [], reference: [] },
        ...{
          scopes: allSets,
          isSuspected: false,
          measure: null,
          detectedAt: baseTime,
          detected: null,
        },
        ...of,
      }
      tell(topics.opportunities, row.id, row)
      return view.find(row.id)!
    },
  }
}

const total = (
  sportsbook: string,
  selectionType: 'over' | 'under',
  line: number,
  price: number,
): Quote => ({ sportsbook, marketType: 'total_points', selectionType, line, price })

it('counts the other side of a leg from when it comes, as it moves, and until it goes', () => {
  const { view, price, opportunity, tell } = createViews()
  const legs = [
    price(total('draftkings', 'over', 210.5, 1.6)).id,
    price(total('fanduel', 'under', 216.5, 1.6)).id,
  ]
  const middle = opportunity({ kind: 'middle', legs })
  const fair = () => (view.value(middle, 2)!.figures as FiguresOf['middle']).fair
  expect(fair()).toEqual([1 / 1.6, 1 / 1.6])
  const other = price(total('draftkings', 'under', 210.5, 2.2))
  const [withOther] = fair()
  expect(withOther).toBeLessThan(1 / 1.6)
  price(total('draftkings', 'under', 210.5, 2.4))
  expect(fair()[0]).toBeGreaterThan(withOther)
  tell(topics.odds, String(other.id), null)
  expect(fair()).toEqual([1 / 1.6, 1 / 1.6])
})

it('shows exact figures only to scopes that see the reference, from the moment that is stated', () => {
  const { view, price, opportunity, tell } = createViews()
  const reference = [
    price({ sportsbook: 'unibet_uk', price: 1.9 }).id,
    price({ sportsbook: 'unibet_uk', selectionType: 'away', price: 1.95 }).id,
  ]
  const legs = [price({ sportsbook: 'draftkings', price: 2.2 }).id]
  const value = opportunity({ kind: 'ev', legs, reference })
  const evOf = (level: number) => (view.value(value, level)!.figures as FiguresOf['ev']).ev
  const exact = evOf(2)
  expect(evOf(1)).toBeLessThan(exact)
  const said = (audience: 'owner' | 'all', since: number) =>
    tell(topics.sportsbookStatus, 'unibet_uk', {
      ...{ sportsbook: 'unibet_uk', status: 'up', since, audience },
    })
  said('owner', baseTime + 1)
  expect([evOf(2), evOf(3)]).toEqual([evOf(1), exact])
  said('all', baseTime + 2)
  expect(evOf(2)).toBe(exact)
  // A partition that is behind says so later.
  said('owner', baseTime + 1)
  expect(evOf(2)).toBe(exact)
})

it('lists opportunities until they have not been seen for too long, and again from the next sighting', () => {
  const { view, price, opportunity, tell } = createViews()
  const legs = [
    price({ sportsbook: 'draftkings', price: 2.1 }).id,
    price({ sportsbook: 'fanduel', selectionType: 'away', price: 2.1 }).id,
  ]
  opportunity({ kind: 'arbitrage', legs })
  const sizes = (now: number) =>
    [0, 1, 2, 3].map((level) => view.list('arbitrage', level, now).size)
  const minute = 60_000
  expect(sizes(baseTime)).toEqual([1, 1, 1, 1])
  expect(sizes(baseTime + 5 * minute + 1)).toEqual([0, 0, 0, 0])
  for (const sportsbook of ['draftkings', 'fanduel']) {
    const seen = sighting(knicks, sportsbook, baseTime + 5 * minute)
    tell(topics.sightings, sightingKey(knicks, sportsbook), seen)
  }
  expect(sizes(baseTime + 5 * minute + 2)).toEqual([1, 1, 1, 1])
  expect(sizes(baseTime + 60 * minute)).toEqual([0, 0, 0, 0])
  // A recording starts again from its beginning.
  expect(sizes(baseTime)).toEqual([1, 1, 1, 1])
})

it('knows of a listed opportunity, while a list is read in steps, that one of its prices has gone', () => {
  const { view, price, opportunity, tell } = createViews()
  const legs = [
    price({ sportsbook: 'draftkings', price: 2.1 }).id,
    price({ sportsbook: 'fanduel', selectionType: 'away', price: 2.1 }).id,
  ]
  opportunity({ kind: 'arbitrage', legs })
  const [[listed] = []] = view.list('arbitrage', 2, baseTime).pieces
  expect(view.current(listed!, 2)).toBe(listed)
  tell(topics.odds, String(legs[0]), null)
  expect(view.current(listed!, 2)).toBeNull()
})

it('lists an opportunity seen again, though another on its event is valued and still falls', () => {
  const { view, price, opportunity, tell } = createViews()
  const arbitrage = (id: string, ...books: [string, string]) =>
    opportunity({
      ...{ id, kind: 'arbitrage' },
      legs: [
        price({ sportsbook: books[0], price: 2.1 }).id,
        price({ sportsbook: books[1], selectionType: 'away', price: 2.1 }).id,
      ],
    })
  arbitrage('00000000000000aa', 'draftkings', 'fanduel')
  arbitrage('00000000000000bb', 'betmgm', 'caesars')
  const listedAt = (now: number) =>
    view.list('arbitrage', 2, now).pieces.flatMap((piece) => piece.map(({ entry }) => entry.row.id))
  const fallen = baseTime + 5 * 60_000 + 1
  expect(listedAt(fallen)).toEqual([])
  for (const sportsbook of ['draftkings', 'fanduel']) {
    tell(topics.sightings, sightingKey(knicks, sportsbook), sighting(knicks, sportsbook, fallen))
  }
  const moved = quote(knicks, { sportsbook: 'betmgm', price: 2.2 })
  tell(topics.odds, String(moved.id), moved)
  expect(listedAt(fallen)).toEqual(['00000000000000aa'])
})

it('leaves out and counts rows of a kind that it does not know, from a newer pipeline', () => {
  const { view, price, opportunity, tell } = createViews()
  const legs = [
    price({ sportsbook: 'draftkings', price: 2.1 }).id,
    price({ sportsbook: 'fanduel', selectionType: 'away', price: 2.1 }).id,
  ]
  const row = opportunity({ kind: 'arbitrage', legs }).row
  const newer = { ...row, id: '00000000000000bb', kind: 'teaser' as OpportunityRow['kind'] }
  tell(topics.opportunities, newer.id, newer)
  expect([view.find(newer.id), view.unknownCount]).toEqual([undefined, 1])
  expect(view.list('arbitrage', 2, baseTime).size).toBe(1)
  tell(topics.opportunities, row.id, { ...newer, id: row.id })
  expect([view.find(row.id), view.unknownCount]).toEqual([undefined, 2])
  tell(topics.opportunities, newer.id, null)
  tell(topics.opportunities, row.id, row)
  expect([view.find(row.id)?.row, view.unknownCount]).toEqual([row, 0])
})

it('values what is in a list with the change that moves it, in proportion to the change', () => {
  const { view, price, opportunity } = createViews()
  const legs = [
    price({ sportsbook: 'draftkings', price: 2.1 }).id,
    price({ sportsbook: 'fanduel', selectionType: 'away', price: 2.1 }).id,
  ]
  opportunity({ kind: 'arbitrage', legs })
  const profits = () =>
    view
      .list('arbitrage', 2, baseTime)
      .pieces.flat()
      .map(({ figures }) => (figures as FiguresOf['arbitrage']).profit)
  let valued = 0
  view.watchValues(() => valued++)
  price({ sportsbook: 'draftkings', price: 2.12 })
  // Nobody reads a list of them yet.
  expect(valued).toBe(0)
  const [before] = profits()
  expect(valued).toBe(1)
  price({ sportsbook: 'draftkings', price: 2.14 })
  expect(valued).toBe(2)
  const [after] = profits()
  expect([valued, after! > before!]).toEqual([2, true])
  for (const digit of '12345')
    opportunity({ kind: 'arbitrage', id: `00000000000000b${digit}`, legs })
  expect(valued).toBe(7)
  // A price and its sighting are two records, with six opportunities on the price.
  price({ sportsbook: 'draftkings', price: 2.16 })
  expect(valued).toBe(9)
  expect(profits()).toHaveLength(6)
  expect(valued).toBe(13)
})

/** An arbitrage whose list is read, and how many have been valued. */
function listedArbitrage() {
  const views = createViews()
  const { view, price, opportunity } = views
  const legs = [
    price({ sportsbook: 'draftkings', price: 2.1 }).id,
    price({ sportsbook: 'fanduel', selectionType: 'away', price: 2.1 }).id,
  ]
  const { row } = opportunity({ kind: 'arbitrage', legs })
  const listed = () => view.list('arbitrage', 2, baseTime).pieces.flat()
  expect(listed()).toHaveLength(1)
  let valued = 0
  view.watchValues(() => valued++)
  const profit = () => {
    const [one] = listed()
    return (one!.figures as FiguresOf['arbitrage']).profit
  }
  const move = (to: number) => price({ sportsbook: 'draftkings', price: to })
  return { ...views, row, listed, profit, move, valuedCount: () => valued }
}

it('values for a list while it is read, and lets it go when nobody has read it for long', () => {
  const { view, listed, profit, move, valuedCount } = listedArbitrage()
  const moveOften = (times: number) => {
    for (let i = 0; i < times; i++) {
      move(i % 2 === 0 ? 2.12 : 2.14)
      view.doDeferred!()
    }
  }
  moveOften(3_000)
  expect(valuedCount()).toBe(3_000)
  expect(listed()).toHaveLength(1)
  moveOften(3_000)
  expect(valuedCount()).toBe(6_000)
  moveOften(3_000)
  const valuedUnread = valuedCount() - 6_000
  expect(valuedUnread).toBeGreaterThan(1_000)
  expect(valuedUnread).toBeLessThan(1_200)
  // A list that is made anew is at current prices, and kept up to date again.
  const before = profit()
  expect(valuedCount()).toBe(6_000 + valuedUnread + 1)
  move(2.3)
  expect(valuedCount()).toBe(6_000 + valuedUnread + 2)
  expect(profit()).toBeGreaterThan(before)
})

it('keeps the other lists of a kind when one is let go', () => {
  const { view, listed, move, tell, row } = listedArbitrage()
  const sizeOf = (level: number) => view.list('arbitrage', level, baseTime).size
  expect(sizeOf(3)).toBe(1)
  for (let i = 0; i < 5_000; i++) {
    move(i % 2 === 0 ? 2.12 : 2.14)
    if (i % 500 === 0) listed()
    view.doDeferred!()
  }
  tell(topics.opportunities, row.id, null)
  expect([listed().length, sizeOf(3)]).toEqual([0, 0])
  tell(topics.opportunities, row.id, row)
  expect([listed().length, sizeOf(3)]).toEqual([1, 1])
})

it('values nothing while the log is read anew, until a list is read again', () => {
  const { view, listed, move, tell, row, valuedCount } = listedArbitrage()
  view.reset()
  tell(topics.opportunities, row.id, row)
  for (const to of [2.12, 2.14, 2.16]) move(to)
  expect(valuedCount()).toBe(0)
  expect(listed()).toHaveLength(1)
  move(2.18)
  expect(valuedCount()).toBe(2)
})
