/** A game with prices and opportunities that tests state one by one, and a scope that sees all of it. */

import { createScopes } from '../../api/access/scope.ts'
import type { Moment } from '../../api/opportunities/kind.ts'
import { createBoardView } from '../../pipeline/views/board/board-view.ts'
import { createFuturesView } from '../../pipeline/views/futures/futures-view.ts'
import { createGameStatesView } from '../../pipeline/views/game-states/game-states-view.ts'
import { createOpportunityView } from '../../pipeline/views/opportunities/opportunity-view.ts'
import { createSourcesView } from '../../pipeline/views/sources/sources-view.ts'
import { createSplitsView } from '../../pipeline/views/splits/splits-view.ts'
import type { OpportunityKind, OpportunityRow } from '../../schemas/opportunity.ts'
import { sightingKey } from '../../schemas/sighting.ts'
import type { SportsbookStatus } from '../../schemas/sportsbook-status.ts'
import { type Topic, topics } from '../../schemas/topics.ts'
import type { GuardReason } from '../../schemas/withheld-price.ts'
import { baseTime, game, knicks, type Quote, quote, sighting } from './small-board.ts'

export function createOpportunityMarket() {
  const board = createBoardView()
  const opportunities = createOpportunityView(board)
  const sources = createSourcesView()
  const scopes = createScopes({
    ...{ live: board, delayed: board, opportunities, sources, delayedSources: sources },
    ...{ futures: createFuturesView(), gameStates: createGameStatesView() },
    splits: createSplitsView(),
  })
  const scope = scopes.of({ tier: 'enterprise', isOwner: false })
  const momentAt = (now: number): Moment => ({ scope, chain: ['pinnacle'], now, state: undefined })
  const tell = <Row>(topic: Topic<Row>, key: string, value: Row | null) => {
    const record = { topic: topic as Topic, partition: 0, offset: 0, key, value }
    sources.apply([record])
    board.apply([record], { epoch: 'e', offsets: {} }, baseTime)
    opportunities.apply([record])
  }
  tell(topics.events, knicks, game(knicks))

  return {
    scope,
    momentAt,
    /** States a price, seen at a time. @returns its odds id */
    price(of: Quote, seenAt = baseTime): number {
      const row = quote(knicks, of)
      const { id, sportsbook } = row
      tell(topics.odds, String(id), row)
      tell(topics.sightings, sightingKey(knicks, sportsbook), sighting(knicks, sportsbook, seenAt))
      return id
    },
    /** Withholds a price as the guard does; null releases it. */
    judge(of: Quote, reason: GuardReason | null) {
      const { id, sportsbook, league } = quote(knicks, of)
      const row = reason && { id, sportsbook, league, reason, since: baseTime }
      tell(topics.withheldPrices, String(id), row)
    },
    withdraw(of: Quote) {
      tell(topics.odds, String(quote(knicks, of).id), null)
    },
    status(of: Partial<SportsbookStatus> & Pick<SportsbookStatus, 'sportsbook' | 'since'>) {
      tell(topics.sportsbookStatus, of.sportsbook, { status: 'up', audience: 'all', ...of })
    },
    opportunity(id: string, kind: OpportunityKind, legs: number[], reference: number[] = []) {
      const row: OpportunityRow = {
        ...{ id: `00000000000000${id}`, kind, eventId: knicks, league: 'nba', legs, reference },
        ...{ scopes: 15, isSuspected: false, measure: null },
        ...{ detectedAt: baseTime, detected: null },
      }
      tell(topics.opportunities, row.id, row)
      return {
        row,
        ends: () => tell(topics.opportunities, row.id, null),
        /** Returns it with its current prices. */
        item() {
          const value = opportunities.value(opportunities.find(row.id)!, 2)!
          return opportunities.item(value)
        },
      }
    },
  }
}

export const home = (sportsbook: string, price: number): Quote => ({ sportsbook, price })
export const away = (sportsbook: string, price: number): Quote => ({
  ...{ sportsbook, price, selectionType: 'away' },
})
export const spread = (of: Quote, line: number): Quote => ({
  ...of,
  marketType: 'point_spread',
  line,
})
