/**
 * A table for tests: the last state of the game by each sportsbook, in the orientation of the event.
 * It has the minimum that a table kept from statements about events needs.
 */

import type { EventTable } from '../../../pipeline/processors/event-tables.ts'
import type { Offer } from '../../../pipeline/processors/events/offer.ts'
import { sightingKey } from '../../../schemas/sighting.ts'
import { createTopic, topics } from '../../../schemas/topics.ts'

export interface LastGameState {
  readonly eventId: string
  readonly sportsbook: string
  readonly observedAt: number
  readonly homeScore: number
  readonly awayScore: number
}

export const lastGameStateTopic = createTopic<LastGameState>(
  'last-game-states',
  {
    type: 'record',
    name: 'LastGameState',
    fields: [
      { name: 'eventId', type: 'string' },
      { name: 'sportsbook', type: 'string' },
      { name: 'observedAt', type: 'long' },
      { name: 'homeScore', type: 'int' },
      { name: 'awayScore', type: 'int' },
    ],
  },
  'compacted',
)

export const lastGameStates: EventTable = {
  inputs: [topics.feedGameState],
  tables: [lastGameStateTopic],
  create({ emit, count }) {
    const rows = new Map<string, LastGameState>()
    const keyOf = ({ event, sportsbook }: Offer) => sightingKey(event.id, sportsbook)

    function write({ event }: Offer, key: string, value: LastGameState | null) {
      if (value) rows.set(key, value)
      else rows.delete(key)
      emit({ topic: lastGameStateTopic, partitionKey: event.row.league, key, value })
    }

    return {
      restore({ key, value }) {
        if (value) rows.set(key, value as LastGameState)
      },
      take: {
        game_state({ sportsbook, observedAt, state }, { offer, swapped }) {
          const key = keyOf(offer)
          if (observedAt < (rows.get(key)?.observedAt ?? 0)) return count('stale_game_state')
          const home = Number(state.home_score)
          const away = Number(state.away_score)
          const [homeScore, awayScore] = swapped ? [away, home] : [home, away]
          const eventId = offer.event.id
          write(offer, key, { eventId, sportsbook, observedAt, homeScore, awayScore })
        },
      },
      withdraw(offer) {
        const key = keyOf(offer)
        if (rows.has(key)) write(offer, key, null)
      },
    }
  },
}
