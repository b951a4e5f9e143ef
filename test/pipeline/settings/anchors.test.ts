import { describe, expect, it } from 'vitest'
import { anchors, anchorsText } from '../../../pipeline/settings/anchors.ts'
import { ConfigError, readConfig } from '../../../pipeline/settings/config.ts'

describe('anchors', () => {
  it.each([
    ['nba=our_model,pinnacle,consensus', [['nba', ['our_model', 'pinnacle', 'consensus']]]],
    [
      'NBA = Our Model , Pinnacle ; * = circa;',
      [
        ['nba', ['our_model', 'pinnacle']],
        ['*', ['circa']],
      ],
    ],
    [
      'soccer=betfair_ex_eu;hockey=circa',
      [
        ['soccer', ['betfair']],
        ['hockey', ['circa']],
      ],
    ],
    ['nba=consensus', [['nba', ['consensus']]]],
    [
      'nba=Pinnacle:2 + circa + our_model:0.5, circa',
      [
        [
          'nba',
          [
            [
              { sportsbook: 'pinnacle', weight: 2 },
              { sportsbook: 'circa', weight: 1 },
              { sportsbook: 'our_model', weight: 0.5 },
            ],
            'circa',
          ],
        ],
      ],
    ],
    ['', []],
  ])('are read with our ids for names: %s', (text, expected) => {
    expect([...anchors.parse(text)]).toEqual(expected)
  })

  it.each([
    ['pinnacle', 'pinnacle names no league'],
    ['=pinnacle', '=pinnacle names no league'],
    ['nba=', 'nba has no anchor'],
    ['nba=,;', 'nba has no anchor'],
    ['nbaa=pinnacle', 'nbaa is no league or sport we know (/api/v1/leagues and /api/v1/sports'],
    ['nba=pinnacle;NBA=circa', 'nba is there twice'],
    ['nba=pinnacle,circa,Pinnacle', 'nba has pinnacle twice'],
    ['nba=consensus,pinnacle', 'nba has anchors after consensus, which has to be the last'],
    ['nba=pinnacle+', ' is no name of a sportsbook'],
    ['nba=pinnacle:0+circa', 'pinnacle:0+circa has the weight 0, which has to be a number above 0'],
    ['nba=pinnacle:-1+circa', 'pinnacle:-1+circa has the weight -1'],
    ['nba=pinnacle:x+circa', 'pinnacle:x+circa has the weight x'],
    ['nba=pinnacle:+circa', 'pinnacle:+circa has the weight '],
    ['nba=pinnacle+circa+Pinnacle:2', 'pinnacle+circa+Pinnacle:2 has pinnacle twice'],
    ['nba=pinnacle+consensus', 'pinnacle+consensus blends the consensus, which stands alone'],
    ['nba=pinnacle+circa,pinnacle:1+circa', 'nba has pinnacle:1+circa:1 twice'],
    ['nba=pinnacle:2', 'pinnacle:2 is no name of a sportsbook'],
    ['nba=mid:betfair', 'mid:betfair is no name of a sportsbook'],
    ['nba=--', '-- is no name of a sportsbook'],
    ['nba=pinnacle=2', 'nba=pinnacle=2 names no league'],
  ])('are refused, with what is wrong: %s', (text, problem) => {
    const start = () => readConfig({ OVERROUND_ANCHORS: text })
    expect(start).toThrow(ConfigError)
    expect(start).toThrow(
      `OVERROUND_ANCHORS must be leagues or sports with their anchors in order, as in nba=our_model,pinnacle:2+circa,consensus;soccer=betfair: ${problem}`,
    )
  })

  it('of all leagues leave no meaning to the settings that they replace', () => {
    const start = (more: object) => () => readConfig({ OVERROUND_ANCHORS: '*=circa', ...more })
    expect(start({})).not.toThrow()
    expect(start({ OVERROUND_SHARP_BOOK: 'circa' })).toThrow(
      'OVERROUND_SHARP_BOOK is set, and has no effect with * in OVERROUND_ANCHORS: leave out one of them',
    )
    expect(start({ OVERROUND_CONSENSUS: 'off' })).toThrow('OVERROUND_CONSENSUS is set')
  })

  it('have one text, whatever the order and the names they are given in', () => {
    const text = 'nba=our_model,pinnacle:2+circa:1,consensus;soccer=betfair'
    const other = 'Soccer=betfair; NBA=our model,Pinnacle:2.0 + circa,consensus'
    expect(anchorsText(anchors.parse(other))).toBe(text)
    expect(anchorsText(anchors.parse(text))).toBe(text)
  })
})
