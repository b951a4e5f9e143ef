/**
 * Reads periods and clocks of games in play from sportsbooks' spellings: gives our spelling of
 * each, and a rank that orders the stages of a game. Halves and quarters share a scale, so that
 * `1H` is as early as `Q1` and `2H` as early as `Q3`.
 *
 * Our spellings are `Q3`, `2H`, `P2`, `S2` (set), `G2` (game), `M2` (map), `F7` (frame), `R3` (round), `I1` (innings
 * of cricket), `L4` (leg), `E4` (end of curling); `T5`, `M5`, `B5`, `E5` for the top, middle, bottom and end of an
 * inning of baseball; `END Q1`, `HT`; `OT`, `OT2`; `ET1`, `ET2`; `SO`, `PEN`; `FT`.
 */

import { memoise } from '../../../schemas/memoise.ts'

export interface Period {
  readonly text: string
  /** Later is higher. */
  readonly rank: number
  /** For the end of a game: the last period, if its text names one, such as `OT` in "Final/OT". */
  readonly endedIn?: string
}

/** The periods of a game: the letter of our spelling, and their number before overtime. */
interface Division {
  readonly letter: string
  /** The number of periods before overtime; 0 if it is not fixed. */
  readonly regular: number
}

const quarters: Division = { letter: 'Q', regular: 4 }
const halves: Division = { letter: 'H', regular: 2 }
const thirds: Division = { letter: 'P', regular: 3 }
const parts = (letter: string): Division => ({ letter, regular: 0 })
const sets = parts('S')
const games = parts('G')
const innings = parts('I')
const rounds = parts('R')
/** Only curling has ends; in other sports the word means a break. */
const curlingEnds = parts('E')

/**
 * The leagues that are divided otherwise than their sport. The NCAA plays halves of men's
 * basketball, and quarters of women's.
 */
const leagueDivisions: ReadonlySet<string> = new Set(['ncaab'])

/**
 * The kind of period that a bare number means, by sport, or by league if that has its own division.
 */
const divisions: Readonly<Record<string, Division>> = {
  basketball: quarters,
  ncaab: halves,
  football: quarters,
  australian_rules: quarters,
  lacrosse: quarters,
  water_polo: quarters,
  hockey: thirds,
  floorball: thirds,
  soccer: halves,
  rugby: halves,
  rugby_league: halves,
  handball: halves,
  futsal: halves,
  tennis: sets,
  volleyball: sets,
  darts: sets,
  table_tennis: games,
  badminton: games,
  baseball: innings,
  cricket: innings,
  esports: parts('M'),
  snooker: parts('F'),
  curling: curlingEnds,
  mma: rounds,
  boxing: rounds,
  golf: rounds,
}

/**
 * The letters of other periods in which a sport is also reported. In a listed sport, other letters
 * have no meaning: `F10` is a frame of snooker, and no part of a baseball game.
 */
const otherLetters: Readonly<Record<string, string>> = {
  basketball: 'h',
  football: 'h',
  australian_rules: 'h',
  lacrosse: 'h',
  water_polo: 'h',
  tennis: 'g',
  table_tennis: 's',
  badminton: 's',
  darts: 'l',
  esports: 'gr',
}

/** The words for a part of a game, in full and as one letter beside a number. */
const divisionWords: Readonly<Record<string, Division>> = {
  quarter: quarters,
  qtr: quarters,
  q: quarters,
  half: halves,
  h: halves,
  set: sets,
  s: sets,
  game: games,
  g: games,
  map: parts('M'),
  frame: parts('F'),
  f: parts('F'),
  round: rounds,
  rd: rounds,
  r: rounds,
  leg: parts('L'),
  l: parts('L'),
}

/**
 * Words that mean the sport's own periods: hockey has periods, and soccer's halves may be called
 * periods.
 */
const anyDivision: ReadonlySet<string> = new Set(['period', 'p', 'inning', 'innings', 'inn'])

const rankOfOvertime = 10_000
const rankOfExtraTime = 20_000
const rankOfShootout = 30_000
const rankOfEnd = 40_000

const halfTime: Period = { text: 'HT', rank: 250 }
export const fullTime: Period = { text: 'FT', rank: rankOfEnd }

const numbers: Readonly<Record<string, string>> = {
  first: '1',
  second: '2',
  third: '3',
  fourth: '4',
  fifth: '5',
  sixth: '6',
  seventh: '7',
  eighth: '8',
  ninth: '9',
  tenth: '10',
  one: '1',
  two: '2',
  three: '3',
  four: '4',
  five: '5',
  i: '1',
  ii: '2',
  double: '2',
  triple: '3',
}

/** Splits `1ST_HALF`, `First Half` and `half: 1` into words: `1 half`, `half 1`. */
function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .split(' ')
    .filter((word) => word !== 'of' && word !== 'the')
    .map((word) => numbers[word] ?? word.replace(/^(\d+)(?:st|nd|rd|th)$/, '$1'))
    .join(' ')
}

const isNotBegun =
  /^(?:not started|notstarted|ns|not begun|scheduled|pre ?game|pre ?match|upcoming|warm ?up|awaiting start)$/
const isHalf = /^(?:ht|half ?time|halftime break|half time break|interval|half)$/
const isShootout =
  /^(?:so|shoot ?out|pens?|penalties|penalty (?:shoot ?out|kicks)|pen shoot ?out|ps|pso)$/
const overtime = /^(?:(\d+) ?)?(?:ot|overtime|over time)(?: ?(?:period )?(\d+))?$/
const extraTime =
  /^(?:(\d) ?)?(?:half )?(?:et|extra ?time|e t)(?: ?(?:half )?(\d)(?: half)?| (half ?time|break|ht))?$/
const inningHalf =
  /^(?:(top|t|middle|mid|m|bottom|bot|btm|b|end|e) ?(\d+)(?: (?:inning|innings|inn))?|(?:(\d+) ?(?:inning|innings|inn)?|(?:inning|innings|inn) (\d+)) (top|middle|mid|bottom|bot|btm|end))$/
const breakAfter =
  /^(?:(?:end|after|break after|eo) ?(.+)|(.+?) (?:break|end|ended|intermission|finished|over)|break (.+))$/
const numbered = /^(?:([a-z]+) ?(\d+)|(\d+) ?([a-z]+)|(\d+))$/

const partsOfInning: Readonly<Record<string, readonly [letter: string, within: number]>> = {
  t: ['T', 0],
  m: ['M', 25],
  b: ['B', 50],
  e: ['E', 75],
}

type ReadPeriod = Period | 'before' | null

/**
 * @param league the league, for a source's text; our own spellings need none
 * @returns null for a spelling that we do not know; `before` for a game that has not begun
 */
export const readPeriod = (sport: string, text: string, league = ''): ReadPeriod =>
  readText(`${leagueDivisions.has(league) ? league : sport}|${text}`)

// Cached: a merge reads each period several times, and a game has only a few dozen.
const readText = memoise((key) => {
  const bar = key.indexOf('|')
  return read(key.slice(0, bar), key.slice(bar + 1))
})

function read(sport: string, text: string): ReadPeriod {
  const words = wordsOf(text)
  if (words === '') return null
  if (isNotBegun.test(words)) return 'before'
  const end = readEnd(sport, words)
  if (end) return end
  if (isHalf.test(words)) return halfTime
  if (isShootout.test(words)) return shootoutOf(sport)
  const extra = extraTime.exec(words)
  if (extra) return periodOfExtraTime(extra[3] ? 'break' : Number(extra[1] ?? extra[2] ?? 1))
  const over = overtime.exec(words)
  if (over) return periodOfOvertime(Number(over[1] ?? over[2] ?? 1))
  const inning = sport === 'baseball' ? inningHalf.exec(words) : null
  if (inning) {
    const [, part = '', count, before, after, partAfter = ''] = inning
    const [letter, within] = partsOfInning[(part || partAfter)[0]!]!
    const number = Number(count ?? before ?? after)
    return { text: `${letter}${number}`, rank: 100 * number + within }
  }
  return readNumbered(sport, words) ?? readBreak(sport, words)
}

const shootoutOf = (sport: string): Period => ({
  text: sport === 'hockey' ? 'SO' : 'PEN',
  rank: rankOfShootout,
})

/** Returns the period of the nth overtime or extra time, for any n. */
const periodOfOvertime = (number: number): Period => ({
  text: number > 1 ? `OT${number}` : 'OT',
  rank: rankOfOvertime + 100 * number,
})

const periodOfExtraTime = (half: number | 'break'): Period =>
  half === 'break'
    ? { text: 'END ET1', rank: rankOfExtraTime + 150 }
    : { text: `ET${half}`, rank: rankOfExtraTime + 100 * half }

/** Reads `Q3`, `3rd quarter`, `period 2`, `2`. */
function readNumbered(sport: string, words: string): Period | null {
  const found = numbered.exec(words)
  if (!found) return null
  const [, before, countAfter, countBefore, after, bare] = found
  const number = Number(countAfter ?? countBefore ?? bare)
  const division = divisionOf(sport, before ?? after)
  return division && number >= 1 ? periodOf(sport, division, number) : null
}

function divisionOf(sport: string, word: string | undefined): Division | undefined {
  const own = divisions[sport]
  if (word === undefined || anyDivision.has(word)) return own
  if (word === own?.letter.toLowerCase()) return own
  if (word === 'end') return own === curlingEnds ? own : undefined
  const isOfOthers = own !== undefined && word.length === 1 && !otherLetters[sport]?.includes(word)
  const division = isOfOthers ? undefined : divisionWords[word]
  return own === halves && division === quarters ? undefined : division
}

function periodOf(sport: string, { letter, regular }: Division, number: number): Period {
  const beyond = number - regular
  if (regular > 0 && beyond > 0) {
    if (sport !== 'soccer') return periodOfOvertime(beyond)
    return beyond > 2 ? shootoutOf(sport) : periodOfExtraTime(beyond)
  }
  // The second half begins where the third quarter does.
  if (letter === 'H') return { text: `${number}H`, rank: number === 1 ? 100 : 300 }
  return { text: `${letter}${number}`, rank: 100 * number }
}

/** Reads `End of Q1`, `1st intermission`, `break after the first period`, `End of regulation`. */
function readBreak(sport: string, words: string): Period | null {
  const found = breakAfter.exec(words)
  const after = found && (found[1] ?? found[2] ?? found[3])!
  const period = after && (regulation.test(after) ? lastRegular(sport) : read(sport, after))
  if (!period || period === 'before' || period.rank === rankOfEnd) return null
  if (period.text === 'Q2' || period.text === '1H') return halfTime
  return { text: `END ${period.text}`, rank: period.rank + 50 }
}

/** Returns the last period of regulation time; null if their number is not fixed. */
function lastRegular(sport: string): Period | null {
  const own = divisions[sport]
  return own && own.regular > 0 ? periodOf(sport, own, own.regular) : null
}

// ---- ends

const regulation = /^reg(?:ulation)?(?: time)?$/
const ends =
  'ft|f|final(?: (?:score|whistle|result))?|finished|fin|full ?time|complete[d]?|closed|over|ended|(?:match|game) (?:ended|over|finished)|end (?:match|game)'
const isEnd = new RegExp(`^(?:${ends})$`)
/**
 * Splits a text into the word for the end and the words for when it came: `final` and `ot`; nothing
 * and `et` of `AET`.
 */
const endAndWhen = new RegExp(`^(?:(${ends}) (?:after |in )?|after |(?=a))(?:a(?=et|ot|p))?(.+)$`)
const afterOvertime = /^(?:ot|over ?time|extra innings?)$/
const afterExtraTime = /^(?:et|extra ?time)$/
/** The score of the shootout may be before or after it. */
const afterShootout =
  /^(?:(?:et|extra ?time|ot) )?(?:(?:after|and) )?(?:\d+ \d+ )?(?:p|pens?|penalties|so|pso|(?:penalty )?shoot ?out|penalty kicks)(?: \d+ \d+)?$/
const afterInnings = /^(\d+)(?: (?:innings?|inn))?$/

/** Reads `FT`, `Final/OT`, `Final/10`, `F/SO`, `AET`; null for a game that is not over. */
function readEnd(sport: string, words: string): Period | null {
  if (isEnd.test(words)) return fullTime
  const [, end, when] = endAndWhen.exec(words) ?? []
  const last = when === undefined ? null : lastPeriod(sport, when, end !== undefined)
  return last && { ...fullTime, endedIn: last.text }
}

/**
 * @param isOver whether there is a word for the end; else a number means the period before a break
 */
function lastPeriod(sport: string, when: string, isOver: boolean): Period | null {
  if (afterShootout.test(when)) return shootoutOf(sport)
  if (afterExtraTime.test(when)) return periodOfExtraTime(2)
  if (afterOvertime.test(when)) return periodOfOvertime(1)
  if (!isOver) return null
  const over = overtime.exec(when)
  if (over) return periodOfOvertime(Number(over[1] ?? over[2] ?? 1))
  const inning = sport === 'baseball' ? afterInnings.exec(when) : null
  return inning && periodOf(sport, innings, Number(inning[1]))
}

/** Returns the rank of a period in any known spelling; null if it has none. */
export function rankOf(sport: string, period: string | null): number | null {
  if (period === null) return null
  const read = readPeriod(sport, period)
  return read === null || read === 'before' ? null : read.rank
}

// ---- clocks

const countingUp: ReadonlySet<string> = new Set([
  'soccer',
  'futsal',
  'rugby',
  'rugby_league',
  'handball',
])

/** Returns whether the sport's clock shows the time played; otherwise it shows the time left. */
export const countsUp = (sport: string) => countingUp.has(sport)

const clock = /^(\d{1,3})(?::([0-5]?\d)(?:\.\d+)?)?(?:\s*\+\s*(\d{1,2})(?::([0-5]?\d))?)?$/

/**
 * Returns the clock in our spelling, and its seconds: `6:41`, `63:20`, `90+3`, `12` (minutes).
 * @returns null for a text that is no clock
 */
export function readClock(
  text: string,
): { readonly text: string; readonly seconds: number } | null {
  const trimmed = text.replaceAll(/['’′]/g, '').trim()
  // `:41.5` is the remaining time of the last minute.
  const whole = trimmed.startsWith(':') ? `0${trimmed}` : trimmed
  const found = clock.exec(whole)
  if (!found) return null
  const [, minutes, seconds = '0', added = '0', addedSeconds = '0'] = found
  const total = 60 * (Number(minutes) + Number(added)) + Number(seconds) + Number(addedSeconds)
  return { text: whole.replaceAll(/\s/g, ''), seconds: total }
}
