import { describe, expect, it } from 'vitest'
import { closedStatus, type Say } from '../../../../pipeline/rules/games/event-end.ts'

/** Parses words: `final` is a status, `prices` an offer without one, `none` a listing without either. */
const says = (words: string): Say[] =>
  words.split(' ').map((word, i) => ({
    sportsbook: word === 'result' ? 'the_odds_api' : `book_${i}`,
    statedStatus:
      word === 'result' ? 'final' : word === 'prices' || word === 'none' ? null : (word as 'final'),
    isPlaying: word === 'prices' || word === 'postponed',
  }))

describe('the closing status of an event', () => {
  it.each([
    ['none', null],
    ['prices upcoming', null],
    ['final', 'final'],
    ['final none none', 'final'],
    ['final upcoming', 'final'],
    ['final prices', null],
    ['final live', null],
    ['final final prices', 'final'],
    ['final final prices prices', null],
    ['final cancelled prices', 'final'],
    ['cancelled cancelled final prices', 'cancelled'],
    ['postponed prices', null],
    ['postponed cancelled', 'postponed'],
    ['postponed cancelled final', 'final'],
    ['result prices prices prices', 'final'],
    ['result live prices postponed', 'final'],
  ])('of "%s" is %s', (words, status) => {
    expect(closedStatus(says(words))).toBe(status)
    expect(closedStatus(says(words).reverse())).toBe(status)
  })
})
