/**
 * The text of OVERROUND_ANCHORS: `nba=our_model,pinnacle,consensus;soccer=betfair`. A league, a sport or `*`, then its
 * anchors in order of preference.
 */

import { z } from 'zod'
import { findLeague, leagueById } from '../../schemas/reference/leagues.ts'
import { findSport } from '../../schemas/reference/sports.ts'
import { idOfSportsbook } from '../../schemas/reference/sportsbooks.ts'
import { type Chain, everyLeague } from '../rules/odds/chains.ts'
import { consensus } from '../rules/odds/sharp-books.ts'

/** Thrown for a text that is no anchors; the message says which part is wrong. */
class AnchorsError extends Error {}

export const anchors = z.string().transform((text, context): ReadonlyMap<string, Chain> => {
  try {
    return readAnchors(text)
  } catch (error) {
    if (!(error instanceof AnchorsError)) throw error
    context.addIssue(
      `must be leagues or sports with their anchors in order, as in nba=our_model,pinnacle,consensus;soccer=betfair: ${error.message}`,
    )
    return z.NEVER
  }
})

/** Returns the text of anchors, with ids for names and in the order of these. */
export const anchorsText = (chains: ReadonlyMap<string, Chain>) =>
  [...chains]
    .map(([key, chain]) => `${key}=${chain.join()}`)
    .sort()
    .join(';')

/** @throws AnchorsError */
function readAnchors(text: string): ReadonlyMap<string, Chain> {
  const chains = new Map<string, Chain>()
  for (const item of partsOf(text, ';')) {
    const [, name = '', list = ''] = /^([^=]*)=([^=]*)$/.exec(item) ?? []
    if (name === '') throw new AnchorsError(`${item} names no league`)
    const key = keyOf(name.trim())
    if (chains.has(key)) throw new AnchorsError(`${key} is there twice`)
    chains.set(key, readChain(key, list))
  }
  return chains
}

/** @throws AnchorsError for a league or sport that is not listed */
function keyOf(name: string): string {
  if (name === everyLeague) return name
  // A sport goes before leagues that only share one of their names with it.
  const found = leagueById(name) ?? findSport(name) ?? findLeague(name)
  if (found) return found.id
  throw new AnchorsError(
    `${name} is no league or sport we know (/api/v1/leagues and /api/v1/sports list them)`,
  )
}

function readChain(key: string, list: string): Chain {
  const chain = partsOf(list, ',').map(readSportsbook)
  if (chain.length === 0) throw new AnchorsError(`${key} has no anchor`)
  const twice = chain.find((anchor, place) => chain.indexOf(anchor) < place)
  if (twice !== undefined) throw new AnchorsError(`${key} has ${twice} twice`)
  if (chain.slice(0, -1).includes(consensus)) {
    throw new AnchorsError(`${key} has anchors after ${consensus}, which has to be the last`)
  }
  return chain
}

function readSportsbook(name: string): string {
  const id = /^[\p{L}\p{N} ._-]+$/u.test(name) ? idOfSportsbook(name) : 'unknown'
  if (id === 'unknown') throw new AnchorsError(`${name} is no name of a sportsbook`)
  return id
}

const partsOf = (text: string, separator: string) =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')
