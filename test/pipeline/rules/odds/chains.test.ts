import { describe, expect, it } from 'vitest'
import {
  allBooksOf,
  booksOf,
  type Chains,
  chainOf,
  chainsAmong,
  chainsOf,
  haveConsensus,
} from '../../../../pipeline/rules/odds/chains.ts'
import { sharpChain } from '../../../../pipeline/rules/odds/sharp-books.ts'

const nba = { league: 'nba', sport: 'basketball' }
const wnba = { league: 'wnba', sport: 'basketball' }
const nhl = { league: 'nhl', sport: 'hockey' }
const usual = { sharpBook: 'circa', consensus: true }

describe('the chain of a game', () => {
  it('is that of its league, else of its sport, else the usual one', () => {
    const anchors = new Map([
      ['basketball', ['betfair']],
      ['nba', ['our_model', 'consensus']],
    ])
    const chains = chainsOf({ ...usual, anchors })
    expect(chainOf(chains, nba)).toEqual(['our_model', 'consensus'])
    expect(chainOf(chains, wnba)).toEqual(['betfair'])
    expect(chainOf(chains, nhl)).toEqual([...sharpChain('circa'), 'consensus'])
    expect(allBooksOf(chains)).toEqual([...sharpChain('circa'), 'our_model'])
  })

  it('is the same list for all where none is set, and that of all leagues where it is', () => {
    expect(chainsOf({ ...usual, consensus: false, anchors: new Map() })).toEqual(
      sharpChain('circa'),
    )
    expect(chainsOf({ ...usual, anchors: new Map([['*', ['betfair']]]) })).toEqual(['betfair'])
    const anchors = new Map([
      ['*', ['betfair']],
      ['nba', ['pinnacle']],
    ])
    const chains = chainsOf({ ...usual, anchors })
    expect([nba, nhl].map((game) => chainOf(chains, game))).toEqual([['pinnacle'], ['betfair']])
    expect(haveConsensus(chains)).toBe(false)
  })

  it('has the sportsbooks of blends one by one, and a blend of two at least', () => {
    const part = (sportsbook: string) => ({ sportsbook, weight: 1 })
    const chain = [[part('circa'), part('pinnacle'), part('betfair')], 'pinnacle', 'consensus']
    expect(booksOf(chain)).toEqual(['circa', 'pinnacle', 'betfair'])
    const without = (...hidden: string[]) => chainsAmong(chain, (book) => !hidden.includes(book))
    expect(without('circa')).toEqual([[part('pinnacle'), part('betfair')], 'pinnacle', 'consensus'])
    expect(without('circa', 'betfair')).toEqual(['pinnacle', 'consensus'])
  })

  it('keeps the consensus, and only the sportsbooks that are asked for', () => {
    const chains: Chains = {
      usual: ['pinnacle', 'circa'],
      own: new Map([['nba', ['our_model', 'circa', 'consensus']]]),
    }
    const some = chainsAmong(chains, (book) => book !== 'our_model' && book !== 'pinnacle')
    expect([nba, nhl].map((game) => chainOf(some, game))).toEqual([
      ['circa', 'consensus'],
      ['circa'],
    ])
    expect(booksOf(chainOf(some, nba))).toEqual(['circa'])
    expect(haveConsensus(some)).toBe(true)
  })
})
