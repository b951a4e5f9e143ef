/**
 * The games in play, in memory: the merged reports of their sportsbooks, with the current names and
 * sides of the events. Written only by its changelogs.
 */

import type { EventRow } from '../../../schemas/event.ts'
import { type GameState, type GameStateRow, stateFor } from '../../../schemas/game-state.ts'
import { topics } from '../../../schemas/topics.ts'
import { flipSides } from '../../rules/games/game-state.ts'
import { compareTexts } from '../../text/compare-texts.ts'
import { readWithEvents, type TableView } from '../table.ts'

/** A game as reported by a set of sportsbooks, with sides as readers see them. */
export interface GameInPlay {
  readonly event: EventRow
  readonly state: GameState
}

export interface GameStatesView extends TableView {
  /**
   * Returns the games that are in play by the event's row and that the set of sportsbooks reports,
   * by sport, then event id.
   * @param bit the set, see `scopeBit`; 0 for none
   */
  games(bit: number): readonly GameInPlay[]
  /** Returns a game; the same object while nothing of the game has changed. */
  find(eventId: string, bit: number): GameInPlay | undefined
  /** A number that grows with every change. */
  readonly version: number
}

/** A row with its event, and the game as shown to each set, from the first request on. */
interface Game {
  readonly row: GameStateRow
  readonly event: EventRow | undefined
  readonly shown: Map<number, GameInPlay | undefined>
}

export function createGameStatesView(): GameStatesView {
  const games = new Map<string, Game>()
  const lists = new Map<number, readonly GameInPlay[]>()
  let version = 0

  function changed() {
    version++
    lists.clear()
  }

  function take(id: string, row: GameStateRow | null, event: EventRow | undefined) {
    if (row) games.set(id, { row, event, shown: new Map() })
    else games.delete(id)
    changed()
  }

  function show({ row, event, shown }: Game, bit: number): GameInPlay | undefined {
    if (shown.has(bit)) return shown.get(bit)
    const state = stateFor(row.states, bit)
    const game =
      event?.isLive && state
        ? { event, state: event.flipped ? flipSides(state) : state }
        : undefined
    shown.set(bit, game)
    return game
  }

  return {
    ...readWithEvents(topics.gameStates, take, () => {
      games.clear()
      changed()
    }),
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
