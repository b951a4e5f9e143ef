/**
 * The asks that were published last, for a new connection whose books come one by one: until the
 * book of a token has come, its ask stands as it was published, with that time. It is given up when
 * it is too old to use, when its game has begun since, or when it contradicts the book of the other
 * token of its market.
 */

import { groupBy } from '../../../schemas/grouping.ts'
import { usableMs } from '../../rules/odds/freshness.ts'
import { type Ask, areCrossed } from '../kit/contract.ts'
import type { createBooks } from './books.ts'
import type { PolymarketGame } from './parse.ts'

type Books = Pick<ReturnType<typeof createBooks>, 'has' | 'bestAsk'>

export function createStated() {
  /** By token. */
  const asks = new Map<string, Ask>()
  /** When all asks of a game were known (epoch ms), by its id. */
  const knownAt = new Map<string | null, number>()

  /** Notes the asks of a game. @returns the time of the oldest */
  function read({ event, contracts }: PolymarketGame, books: Books, now: number): number {
    const { externalId, startsAt } = event
    const before = knownAt.get(externalId) ?? Number.NEGATIVE_INFINITY
    const isLive = startsAt <= now
    const isUsable = now - before <= usableMs(isLive) && startsAt <= before === isLive
    let at = now
    for (const { externalIds } of contracts) {
      const pair = externalIds.map((token) => {
        if (books.has(token)) return books.bestAsk(token)
        return (isUsable && asks.get(token)) || null
      })
      const isCrossed = areCrossed([pair[0] ?? null, pair[1] ?? null])
      for (const [i, token] of externalIds.entries()) {
        const isKnown = books.has(token)
        const ask = isCrossed && !isKnown ? null : (pair[i] ?? null)
        if (ask === null) asks.delete(token)
        else asks.set(token, ask)
        if (ask !== null && !isKnown) at = before
      }
    }
    knownAt.set(externalId, at)
    return at
  }

  return {
    /** Notes the asks of games that are published now (epoch ms). @returns the games by their time */
    take: (games: readonly PolymarketGame[], books: Books, now: number) =>
      groupBy(games, (game) => read(game, books, now)),
    askOf: (token: string): Ask | null => asks.get(token) ?? null,
    /** Forgets what is not of these games. */
    keep(games: readonly PolymarketGame[]) {
      const ids = new Set(games.map(({ event }) => event.externalId))
      const tokens = new Set(
        games.flatMap(({ contracts }) => contracts.flatMap(({ externalIds }) => externalIds)),
      )
      for (const id of knownAt.keys()) if (!ids.has(id)) knownAt.delete(id)
      for (const token of asks.keys()) if (!tokens.has(token)) asks.delete(token)
    },
  }
}
