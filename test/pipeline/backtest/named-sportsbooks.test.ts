import { describe, expect, it } from 'vitest'
import { readSportsbooks, requireRecorded } from '../../../pipeline/backtest/named-sportsbooks.ts'

describe('the sportsbooks named by options of a backtest', () => {
  it.each([
    ['', []],
    ['fanduel', ['fanduel']],
    ['FanDuel, Bet365 ,', ['fanduel', 'bet365']],
    ['my model', ['my_model']],
  ])('are ids, by any of their names: %j', (text, ids) => {
    expect([...readSportsbooks(text)]).toEqual(ids)
  })

  it('are each in the recording', () => {
    const recorded = new Set(['pinnacle', 'fanduel'])
    const named = (without: string, references: string) => () =>
      requireRecorded(
        { references: readSportsbooks(references), without: readSportsbooks(without) },
        recorded,
        (message) => warnings.push(message),
      )
    const warnings: string[] = []
    expect(named('Fanduel, pinnacle', '')).not.toThrow()
    expect(named('fandule, pinnacle', 'my_model')).toThrow(
      'Not in the recording: --references my_model, --without fandule. Its sportsbooks: fanduel, pinnacle.',
    )
    expect(warnings).toEqual([])
  })

  it('are only warned of if we know them and the recording lacks them', () => {
    const warnings: string[] = []
    const requireAll = (without: string) =>
      requireRecorded(
        { sharp: readSportsbooks('Pinnacle'), without: readSportsbooks(without) },
        new Set(['fanduel']),
        (message) => warnings.push(message),
      )
    requireAll('fanduel, Bet365')
    const warning =
      'Not in the recording: --sharp pinnacle, --without bet365. Its sportsbooks: fanduel.'
    expect(warnings).toEqual([warning])
    expect(() => requireAll('bet365, fandule')).toThrow(
      'Not in the recording: --without fandule. Its sportsbooks: fanduel.',
    )
    expect(warnings).toEqual([warning, warning])
  })
})
