/**
 * Games in play in memory: the combined reports of their sportsbooks, with the current names and sides of the events.
 * Written only by its changelogs.
 */

import type { EventRow } from '../../../schemas/event.ts'
import { type GameState, type GameStateRow, stateFor } from '../../../schemas/game-state.ts'
import { topics } from '../../../schemas/topics.ts'
import type { LogRecord } from '../../log/log.ts'
import { flipSides } from '../../rules/games/game-state.ts'
import { compareTexts } from '../../text/compare-texts.ts'
import type { View } from '../view.ts'

/** A game as reported by a set of sportsbooks, sides as readers have them. */
export interface GameInPlay {
  readonly event: EventRow
  readonly state: GameState
}

export interface GameStatesView extends View {
  reset(): void
  apply(records: readonly LogRecord[]): void
  /**
   * Returns the games in play, by the row of the event, that the set of sportsbooks reports, by sport, then by event
   * id.
   * @param bit the set, see `scopeBit`; 0 for none
   */
  games(bit: number): readonly GameInPlay[]
  /** Returns a game; the same object while nothing of the game has changed. */
  find(eventId: string, bit: number): GameInPlay | undefined
  /** A number that grows with every change. */
  readonly version: number
}

/** A row and the games shown for it, by set, from the first request on. */
interface Game {
  readonly row: GameStateRow
  readonly shown: Map<number, GameInPlay | undefined>
}

export function createGameStatesView(): GameStatesView {
  const events = new Map<string, EventRow>()
  const games = new Map<string, Game>()
  const lists = new Map<number, readonly GameInPlay[]>()
  let version = 0

  function changed() {
    version++
    lists.clear()
  }

  function takeEvent(id: string, event: EventRow | null) {
    if (event) events.set(id, event)
    else events.delete(id)
    const game = games.get(id)
    if (!game) return
    games.set(id, { row: game.row, shown: new Map() })
    changed()
  }

  function takeRow(id: string, row: GameStateRow | null) {
    if (row) games.set(id, { row, shown: new Map() })
    else games.delete(id)
    changed()
  }

  function show({ row, shown }: Game, bit: number): GameInPlay | undefined {
    if (shown.has(bit)) return shown.get(bit)
    const event = events.get(row.eventId)
    const state = stateFor(row.states, bit)
    const game =
      event?.isLive && state
        ? { event, state: event.flipped ? flipSides(state) : state }
        : undefined
    shown.set(bit, game)
    return game
  }

  return {
    tables: [topics.events, topics.gameStates],
    reset() {
      events.clear()
      games.clear()
      changed()
    },
    apply(records) {
      for (const { topic, key, value } of records) {
        if (topic.name === topics.events.name) takeEvent(key, value as EventRow | null)
        else if (topic.name === topics.gameStates.name) takeRow(key, value as GameStateRow | null)
      }
    },
    games(bit) {
      let list = lists.get(bit)
      if (!list) {
        list = [...games.values()].flatMap((game) => show(game, bit) ?? []).sort(compareGames)
        lists.set(bit, list)
      }
      return list
    },
    find(eventId, bit) {
      const game = games.get(eventId)
      return game && show(game, bit)
    },
    get version() {
      return version
    },
  }
}

const compareGames = ({ event: a }: GameInPlay, { event: b }: GameInPlay) =>
  compareTexts(a.sport, b.sport) || compareTexts(a.id, b.id)
