/** Steam on the prices of a chart: who moved, from which price to which. */

import type { SteamMovement } from '../../wire.ts'

export interface Steam {
  readonly key: string
  /** Its first move (epoch ms). */
  readonly beganAt: number
  /** Whether the prices rose, so that the selection looks less likely. */
  readonly isUp: boolean
  /** In the order of their first moves, each with its price before the first and after the last. */
  readonly books: readonly {
    readonly sportsbook: string
    readonly from: number
    readonly to: number
  }[]
}

/**
 * Returns the movements of some prices, the newest first, as they were known at a time.
 * @param prices ids of all prices of one answer at one line
 * @param at epoch ms; null for now
 */
export const steamOn = (
  movements: readonly SteamMovement[],
  prices: ReadonlySet<string>,
  at: number | null,
): readonly Steam[] =>
  movements
    .filter(({ moves, ended_at }) => {
      const isKnown = at === null || Date.parse(ended_at) <= at
      return isKnown && moves.some(({ id }) => prices.has(id))
    })
    .map(({ began_at, direction, moves }) => {
      const sportsbooks = [...new Set(moves.map(({ sportsbook }) => sportsbook))]
      return {
        key: `${began_at} ${moves[0]!.id}`,
        beganAt: Date.parse(began_at),
        isUp: direction === 'drifted',
        books: sportsbooks.map((sportsbook) => {
          const own = moves.filter((move) => move.sportsbook === sportsbook)
          return { sportsbook, from: own[0]!.from_decimal, to: own.at(-1)!.odds_decimal }
        }),
      }
    })
