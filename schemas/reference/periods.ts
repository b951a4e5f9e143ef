/**
 * The part of a game that a label names: `1st half`, `Period 2`, `First 5 Innings`, `MATCH_INC_OT`, `Regulation
 * Time`. One rule for pushed names and for the labels of sources, because both use the trade's words.
 *
 * The whole game ends as its sport has it: soccer after ninety minutes, other games when overtime,
 * extra innings or a shootout is over. A label that says otherwise is another question: outside
 * soccer `regulation`, in soccer nothing that we list. Minutes are regulation time if the sport
 * plays that many; another number is a part that no type is about.
 */

import { count, readDataFile, recordOf } from '../data-file.ts'
import rows from './playing-minutes.json' with { type: 'json' }

/** Minutes of regulation time by sport; a sport whose leagues differ is not listed. */
const playingMinutes = new Map(
  Object.entries(readDataFile('schemas/reference/playing-minutes.json', recordOf(count), rows)),
)

/** `game`, `regulation`, or the segment that starts a type's id; null for a part that no type is about. */
export type Part = 'game' | 'regulation' | (string & {}) | null

/** Words read as a part of the game, and the rest. */
export interface PartRead {
  readonly part: Part
  readonly rest: readonly string[]
}

const ordinals = ['1st', '2nd', '3rd', '4th', '5th', '6th', '7th', '8th', '9th']
const cardinals = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']

/** Rules by pattern over the words; the first that matches is removed from them. */
const segments: readonly (readonly [RegExp, (found: RegExpExecArray) => string])[] = [
  [
    /(?:^| )(?:1st|after|lead after) (\d|one|three|five|seven) innings?(?= |$)/,
    ([, count = '']) => innings(numberOf(count)),
  ],
  [/(?:^| )(\d|three|five|seven) innings(?= |$)/, ([, count = '']) => innings(numberOf(count))],
  [
    /(?:^| )(1st|2nd|3rd|[4-9]th) (half|quarter|period|set|map|inning)(?: time)?(?= |$)/,
    ([, nth, what]) => `${nth}_${what}`,
  ],
  [
    /(?:^| )(half|quarter|period|set|map|inning) (\d|one|two|three|four|five)(?= |$)/,
    ([, what, count = '']) => `${ordinals[numberOf(count) - 1] ?? 'no'}_${what}`,
  ],
  [/(?:^| )half ?time(?! full)(?= |$)/, () => '1st_half'],
]

const numberOf = (count: string) => Number(count) || cardinals.indexOf(count) + 1

const innings = (count: number) => (count === 1 ? '1st_inning' : `1st_${count}_innings`)

const overtime =
  /(?:^| )(?:(?:including|incl|inc|with) (?:overtime|ot|extra innings|extra time|et)(?: (?:(?:and|or) )?(?:penalty shootout|shootout|penalties|so))?|(?:overtime|ot|extra innings|extra time|et) (?:included|incl))(?= |$)/

const regulation =
  /(?:^| )(?:(?:in )?(?:regulation|regular|reg|normal) time|regulation|(?:excluding|excl|no) (?:overtime|ot|extra time)|(?:overtime|ot|extra time) (?:excluded|excl))(?= |$)/

const minutes = /(?:^| )(\d+) ?min(?:ute)?s?(?= |$)/

/** Matches the whole of the game beside a part of it: "1st half full time", "1st set and match". */
const partAndWhole = new RegExp(
  [
    `(?:half|quarter|period|set|map|inning|innings)(?: time| \\d)? (?:and )?(?:full ?time|ft)(?= |$)`,
    `(?:half|quarter|period|set|map|inning|innings)(?: time| \\d)? and (?:full )?(?:match|game)(?= |$)`,
    `(?:full ?time|ft|match|game)(?: result| winner)? and (?:1st|2nd|3rd|[4-9]th|half|quarter|period|set|map|inning)(?= |$)`,
  ].join('|'),
)

/** Returns whether words ask about a part of the game and the whole of it together. */
export const asksOfBoth = (words: readonly string[]): boolean => partAndWhole.test(words.join(' '))

/** @param words lower case, ordinals as `1st` */
export function readPart(words: readonly string[], sport: string): PartRead {
  if (asksOfBoth(words)) return { part: null, rest: words }
  let text = words.join(' ')
  let part: Part = 'game'
  for (const [pattern, partOf] of segments) {
    const found = pattern.exec(text)
    if (!found) continue
    part = partOf(found)
    text = cut(text, found)
    break
  }
  const playedOn = overtime.exec(text)
  if (playedOn) {
    text = cut(text, playedOn)
    // The second half usually includes overtime; any other part with it is another question.
    if (sport === 'soccer' || (part !== 'game' && part !== '2nd_half')) part = null
  }
  const played = minutes.exec(text)
  if (played) {
    text = cut(text, played)
    if (Number(played[1]) !== playingMinutes.get(sport)) part = null
  }
  const cutShort = regulation.exec(text)
  if (cutShort) text = cut(text, cutShort)
  if ((played || cutShort) && sport !== 'soccer')
    part = part === 'game' ? 'regulation' : part === '2nd_half' ? null : part
  return { part, rest: text.split(' ').filter(Boolean) }
}

const cut = (text: string, found: RegExpExecArray) =>
  `${text.slice(0, found.index)} ${text.slice(found.index + found[0].length)}`

/** Words for the whole of a game, which add nothing if no part is named. */
const whole: ReadonlySet<string> = new Set([
  'full',
  'fulltime',
  'ft',
  'fg',
  'game',
  'match',
  'whole',
])

/**
 * Returns the words without those that only mean "of the game".
 * @param isOfGames whether the match has several games: then only the "full game" is the whole
 */
export function withoutWhole(words: readonly string[], isOfGames = false): string[] {
  const text = words.join(' ').replace(/(^| )(?:full time|(?:full|whole) game)(?= |$)/, ' ')
  return text
    .split(' ')
    .filter((word) => word !== '' && (!whole.has(word) || (isOfGames && word === 'game')))
}
