/**
 * The text of OVERROUND_ANCHORS: `nba=our_model,pinnacle:2+circa,consensus;soccer=betfair`. A league, a sport or `*`,
 * then its anchors in order of preference. `+` blends sportsbooks, with weights after `:`.
 */

import { z } from 'zod'
import { findLeague, leagueById } from '../../schemas/reference/leagues.ts'
import { findSport } from '../../schemas/reference/sports.ts'
import { idOfSportsbook } from '../../schemas/reference/sportsbooks.ts'
import {
  type Anchor,
  type BlendPart,
  type Chain,
  everyLeague,
  isBlend,
} from '../rules/odds/chains.ts'
import { consensus } from '../rules/odds/sharp-books.ts'

/** Thrown for a text that is no list of anchors; the message names the wrong part. */
class AnchorsError extends Error {}

export const anchors = z.string().transform((text, context): ReadonlyMap<string, Chain> => {
  try {
    return readAnchors(text)
  } catch (error) {
    if (!(error instanceof AnchorsError)) throw error
    context.addIssue(
      `must be leagues or sports with their anchors in order, as in nba=our_model,pinnacle:2+circa,consensus;soccer=betfair: ${error.message}`,
    )
    return z.NEVER
  }
})

/** Returns the text of anchors, with ids instead of names, sorted by id. */
export const anchorsText = (chains: ReadonlyMap<string, Chain>) =>
  [...chains]
    .map(([key, chain]) => `${key}=${chain.map(anchorText).join()}`)
    .sort()
    .join(';')

const anchorText = (anchor: Anchor) =>
  isBlend(anchor)
    ? anchor.map(({ sportsbook, weight }) => `${sportsbook}:${weight}`).join('+')
    : anchor

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
  // A sport wins over leagues that merely have the same name.
  const found = leagueById(name) ?? findSport(name) ?? findLeague(name)
  if (found) return found.id
  throw new AnchorsError(
    `${name} is no league or sport we know (/api/v1/leagues and /api/v1/sports list them)`,
  )
}

function readChain(key: string, list: string): Chain {
  const chain = partsOf(list, ',').map(readAnchor)
  if (chain.length === 0) throw new AnchorsError(`${key} has no anchor`)
  refuseTwice(key, chain.map(anchorText))
  if (chain.slice(0, -1).includes(consensus)) {
    throw new AnchorsError(`${key} has anchors after ${consensus}, which has to be the last`)
  }
  return chain
}

function refuseTwice(where: string, names: readonly string[]) {
  const twice = names.find((name, place) => names.indexOf(name) < place)
  if (twice !== undefined) throw new AnchorsError(`${where} has ${twice} twice`)
}

function readAnchor(text: string): Anchor {
  if (!text.includes('+')) return readSportsbook(text)
  const parts = text.split('+').map((part): BlendPart => {
    const [, name = part, weight = '1'] = /^(.*):([^:]*)$/.exec(part) ?? []
    return { sportsbook: readSportsbook(name.trim()), weight: readWeight(weight.trim(), text) }
  })
  const names = parts.map(({ sportsbook }) => sportsbook)
  if (names.includes(consensus)) {
    throw new AnchorsError(`${text} blends the ${consensus}, which stands alone`)
  }
  refuseTwice(text, names)
  return parts
}

function readWeight(text: string, blend: string): number {
  const weight = /^\d{1,6}(\.\d{1,6})?$/.test(text) ? Number(text) : 0
  if (weight > 0) return weight
  throw new AnchorsError(`${blend} has the weight ${text}, which has to be a number above 0`)
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
