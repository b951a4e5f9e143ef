/**
 * One game at one sportsbook: its markets, their prices and what to say about them. Pricing is
 * from the belief that the caller names, with the book's margin, bias and grid; every function
 * that changes prices gives the markets to state and counts the selections that changed.
 *
 * Probabilities come from logistic curves, a fair likeness of the normal and cheap to compute.
 */

import type { FeedEvent, FeedMarket, FeedSelection } from '../../../schemas/feed-record.ts'
import { mainMarketType } from '../../../schemas/reference/markets.ts'
import type { BookProfile } from './books.ts'
import {
  beliefForm,
  beliefMargin,
  beliefRemaining,
  beliefScored,
  beliefTotal,
  type Game,
  offsetOf,
  type PlayerProp,
} from './game.ts'
import type { Participant } from './participants.ts'
import { nearestStep } from './price-grid.ts'
import { type Random, trait } from './random.ts'

type Kind = 'two_way' | 'three_way' | 'spread' | 'total' | 'team_total' | 'both_score' | 'prop'

/** One market type of a listing (or one player's statistic) with all its lines. */
export interface Family {
  readonly kind: Kind
  readonly marketType: string
  /** Selection types as this sportsbook has the sides. */
  readonly sides: readonly string[]
  readonly prop: PlayerProp | null
  /** Of a team total: +1 the true home side, -1 the away side. */
  readonly teamSign: number
  /** Share of the game that the market covers. */
  readonly share: number
  readonly rungs: number
  /** Lines are whole multiples of this, or half-way between when `isHalf`. */
  readonly lineStep: number
  readonly isHalf: boolean
  readonly isFixed: boolean
  readonly maxBet: number | null
  readonly tickets: number | null
  readonly code: string
  bias: number
  center: number
  /** Belief that the prices are from; -1 for none. */
  version: number
  readonly lines: number[]
  /** Grid steps, by rung and side. */
  readonly steps: number[]
  /** By rung, how many steps the first side is held above the model. */
  readonly leans: number[]
  readonly changedAt: number[]
  isSuspended: boolean
  isWithdrawn: boolean
}

export interface Listing {
  readonly game: Game
  readonly book: BookProfile
  /** Index of the book in the simulation. */
  readonly bookAt: number
  readonly externalId: string
  readonly homeName: string
  readonly awayName: string
  readonly leagueName: string
  readonly startsAt: number
  /** The book has the sides the other way round. */
  readonly isSwapped: boolean
  event: FeedEvent
  families: Family[]
  state: 'unlisted' | 'open' | 'suspended' | 'withdrawn' | 'gone'
  observedAt: number
  snapshotAt: number
  isFollowing: boolean
  /** Has its next observation on the agenda. */
  isObserved: boolean
  wantsSnapshot: boolean
  /** Place in the list of listings that may move; -1 when in none. */
  slot: number
}

const homeAway: readonly string[] = ['home', 'away']
const homeDrawAway: readonly string[] = ['home', 'draw', 'away']
const overUnder: readonly string[] = ['over', 'under']
const yesNo: readonly string[] = ['yes', 'no']
const homeOverUnder: readonly string[] = ['home_over', 'home_under']
const awayOverUnder: readonly string[] = ['away_over', 'away_under']

/** How a sportsbook writes a side: most use the usual name, each has its habits. */
export function spell(participant: Participant, book: BookProfile): string {
  const { key, names } = participant
  if (names.length > 1 && trait(`${book.id}|${key}`, 5) < 0.3) {
    const at = 1 + Math.floor(trait(`${book.id}|${key}`, 6) * (names.length - 1))
    return names[at] ?? names[0]!
  }
  return names[0]!
}

export function externalIdOf(game: Game, book: BookProfile, bookAt: number): string {
  const { number } = game
  if (book.idStyle === 'digits') return String(31_000_000 + bookAt * 1_000_003 + number * 13)
  if (book.idStyle === 'slug') return `${game.league.id}-${String(700_000 + number)}`
  if (book.idStyle === 'prefixed')
    return `${book.id.slice(0, 2)}:${(number * 7919 + bookAt).toString(36)}`
  const hash = Math.floor(trait(`${book.id}|${number}`, 7) * 0xffffffff)
  return `${hash.toString(16).padStart(8, '0')}${number.toString(16).padStart(6, '0')}`
}

export function createListing(game: Game, book: BookProfile, bookAt: number): Listing {
  const key = `${book.id}|${game.number}`
  // A few start times are off by minutes, a few listings have the sides the other way round.
  const isLate = trait(key, 8) < 0.15
  const offsetMinutes = isLate ? ([-5, 5, 10] as const)[Math.floor(trait(key, 9) * 3)]! : 0
  const isSwapped = book.id !== 'pinnacle' && trait(key, 10) < 0.02
  const { league } = game
  const habit = trait(`${book.id}|${league.id}`, 11)
  const leagueName = league.names[habit < 0.5 ? 0 : Math.floor(habit * league.names.length)]!
  const home = spell(game.home, book)
  const away = spell(game.away, book)
  const listing: Listing = {
    game,
    book,
    bookAt,
    externalId: externalIdOf(game, book, bookAt),
    homeName: isSwapped ? away : home,
    awayName: isSwapped ? home : away,
    leagueName,
    startsAt: game.startsAt + offsetMinutes * 60_000,
    isSwapped,
    event: undefined as unknown as FeedEvent,
    families: [],
    state: 'unlisted',
    observedAt: 0,
    snapshotAt: 0,
    isFollowing: false,
    isObserved: false,
    wantsSnapshot: false,
    slot: -1,
  }
  setLive(listing, false)
  return listing
}

export function setLive(listing: Listing, isLive: boolean) {
  listing.event = {
    externalId: listing.externalId,
    sport: listing.game.league.sport,
    league: listing.leagueName,
    homeTeam: listing.homeName,
    awayTeam: listing.awayName,
    startsAt: listing.startsAt,
    isLive,
  }
}

/** The markets that the book has on the game at this stage, not priced yet. */
export function openFamilies(listing: Listing, isLive: boolean, depth: number, random: Random) {
  const { game, book, isSwapped } = listing
  const { model, sport } = game.league
  const rungs = isLive ? Math.min(3, book.rungs) : book.rungs * depth
  const families: Family[] = []
  const limit = book.statesLimits ? 1 : 0

  function open(kind: Kind, marketType: string, sides: readonly string[], more: Partial<Family>) {
    families.push({
      kind,
      marketType,
      sides,
      prop: null,
      teamSign: 0,
      share: 1,
      rungs: 1,
      lineStep: 1,
      isHalf: true,
      isFixed: false,
      maxBet: limit * (kind === 'prop' ? 1500 : isLive ? 5000 : 25_000) || null,
      tickets: null,
      code: `${listing.externalId}.${families.length}`,
      bias: book.id === 'pinnacle' ? 0 : 0.0065 * random.normal(),
      center: Number.NaN,
      version: -1,
      lines: [],
      steps: [],
      leans: [],
      changedAt: [],
      isSuspended: false,
      isWithdrawn: false,
      ...more,
    })
  }

  const winner = model.hasDraw ? 'three_way' : 'two_way'
  const winnerSides = model.hasDraw ? homeDrawAway : homeAway
  const tickets = book.statesTickets && !model.hasDraw ? 0.3 + 0.4 * random.next() : null
  open(winner, mainMarketType(sport, 'moneyline'), winnerSides, { tickets })

  const isQuarter = book.quarterLines && sport === 'soccer'
  const lineStep = isQuarter ? 0.25 : book.halfLines || sport === 'soccer' ? 1 : 0.5
  const isHalf = lineStep === 1
  const capped = (sd: number, step: number) => Math.min(rungs, Math.floor((2 * sd) / step) + 1)
  if (model.spreadStep !== null) {
    const isFixed = model.spreadFixed
    const step = isFixed ? 1 : lineStep
    open('spread', mainMarketType(sport, 'spread'), homeAway, {
      rungs: capped(model.marginSd, step),
      lineStep: step,
      isHalf: isFixed || isHalf,
      isFixed,
    })
  }
  if (model.totalStep !== null && (!isLive || model.play !== 'drift')) {
    const step = model.play === 'drift' ? 1 : lineStep
    open('total', mainMarketType(sport, 'total'), overUnder, {
      rungs: model.totalSd < 1.3 ? 1 : capped(model.totalSd, step),
      lineStep: step,
      isHalf: step === 1,
    })
  }
  if (isLive) {
    listing.families = families
    return
  }
  if (book.hasTeamTotals && model.hasTeamTotals) {
    const type = mainMarketType(sport, 'team_total')
    open('team_total', type, isSwapped ? awayOverUnder : homeOverUnder, { teamSign: 1 })
    open('team_total', type, isSwapped ? homeOverUnder : awayOverUnder, { teamSign: -1 })
  }
  if (book.hasFirstHalf && model.firstHalf !== null) {
    const share = model.firstHalf
    const type = (kind: 'moneyline' | 'spread' | 'total') => mainMarketType(sport, kind, '1st_half')
    open(winner, type('moneyline'), winnerSides, { share })
    if (sport !== 'soccer') open('spread', type('spread'), homeAway, { share })
    open('total', type('total'), overUnder, { share })
  }
  if (sport === 'soccer') open('both_score', 'both_teams_to_score', yesNo, {})
  if (book.hasProps) {
    for (const prop of game.props) open('prop', prop.marketType, overUnder, { prop })
  }
  listing.families = families
}

const logistic = (x: number) => 1 / (1 + Math.exp(-x))
/** Makes the logistic curve's spread that of a normal of the same standard deviation. */
const scale = 1.702

/** Fair probabilities of a rung, first side first; reused, because this runs for every price. */
const fair = new Float64Array(3)
/** Mean and standard deviation that the family is priced from. */
let mean = 0
let sd = 1
let scored = 0

/** Reads what the family depends on out of the belief at this offset. */
function readBelief(listing: Listing, family: Family, offset: number) {
  const { game } = listing
  const { beliefs } = game
  const { model } = game.league
  const remaining = beliefs[offset + beliefRemaining]!
  const left = Math.sqrt((remaining + 0.02) * family.share)
  const margin = beliefs[offset + beliefMargin]!
  const total = beliefs[offset + beliefTotal]!
  scored = 0
  switch (family.kind) {
    case 'two_way':
    case 'three_way':
    case 'spread':
      mean = (listing.isSwapped ? -margin : margin) * family.share
      sd = model.marginSd * left
      break
    case 'total':
      mean = total * family.share
      sd = model.totalSd * left
      scored = beliefs[offset + beliefScored]!
      break
    case 'team_total':
      mean = Math.max(0.3, (total + family.teamSign * margin) / 2)
      sd = model.totalSd * 0.75 * left
      break
    case 'both_score': {
      const home = Math.max(0.3, (total + margin) / 2)
      const away = Math.max(0.3, (total - margin) / 2)
      mean = (1 - Math.exp(-home)) * (1 - Math.exp(-away))
      break
    }
    case 'prop': {
      const { prop } = family
      if (!prop) throw new Error('a player market without a player')
      mean = prop.mean * Math.exp(0.05 * prop.sensitivity * beliefs[offset + beliefForm]!)
      sd = prop.sd
    }
  }
}

/** Sets `fair` from mean and sd. */
function computeFair(family: Family, line: number) {
  switch (family.kind) {
    case 'two_way':
      fair[0] = logistic((scale * mean) / sd)
      break
    case 'three_way': {
      const home = logistic((scale * (mean - 0.5)) / sd)
      const away = logistic((scale * (-mean - 0.5)) / sd)
      fair[0] = home
      fair[1] = 1 - home - away
      fair[2] = away
      return
    }
    case 'spread':
      fair[0] = aboveWithoutPush(mean, -line)
      break
    case 'both_score':
      fair[0] = mean
      break
    default:
      fair[0] = aboveWithoutPush(mean, line)
  }
  fair[0] = Math.max(0.02, Math.min(0.98, fair[0]! + family.bias))
  fair[1] = 1 - fair[0]
}

/** The chance to end above the line, given that it is not hit exactly. */
function aboveWithoutPush(expected: number, line: number): number {
  if (!Number.isInteger(line)) return logistic((scale * (expected - line)) / sd)
  const above = logistic((scale * (expected - line - 0.5)) / sd)
  const below = logistic((scale * (line - 0.5 - expected)) / sd)
  return above / (above + below)
}

/** Steps of the three sides at most, for the rung being priced. */
const wanted = new Int32Array(3)

/** Sets `wanted` from `fair`: the book's margin on top, then its grid, then its lean. */
function computeSteps(book: BookProfile, sideCount: number, lean: number) {
  const { grid, margin } = book
  const { implied } = grid
  const last = implied.length - 1
  // Each side carries margin by its own uncertainty, so that a near certainty stays below 1.
  let weights = 0
  for (let i = 0; i < sideCount; i++) weights += fair[i]! * (1 - fair[i]!)
  for (let i = 0; i < sideCount; i++) {
    const p = fair[i]!
    wanted[i] = nearestStep(grid, p + (margin * p * (1 - p)) / weights)
  }
  wanted[0] = Math.max(0, Math.min(last, wanted[0]! + lean))
  const other = sideCount - 1
  wanted[other] = Math.max(0, Math.min(last, wanted[other]! - lean))
  // Rounding must not give the margin away.
  for (let i = 0; i < 12; i++) {
    let sum = 0
    for (let side = 0; side < sideCount; side++) sum += implied[wanted[side]!]!
    if (sum >= 1 + 0.55 * margin) return
    const side = i % sideCount
    if (wanted[side]! > 0) wanted[side]!--
  }
}

function lineOf(family: Family, rung: number): number {
  const { center, lineStep, rungs, isFixed } = family
  const place = rung - ((rungs - 1) >> 1)
  if (!isFixed) return center + place * lineStep
  // ±0.5 would be the moneyline again: the ladder goes from -1.5 straight to +1.5.
  const at = (center < 0 ? center + 0.5 : center - 1.5) + place
  return at < 0 ? at - 0.5 : at + 1.5
}

/** Where the middle of the ladder belongs for `mean`. */
function centerFor(family: Family): number {
  const { kind, lineStep, isHalf, rungs, center } = family
  if (kind === 'two_way' || kind === 'three_way' || kind === 'both_score') return 0
  const target = kind === 'spread' ? -mean : mean
  if (family.isFixed) {
    if (!Number.isNaN(center) && Math.abs(target) < 0.4) return center
    return target < 0 ? -1.5 : 1.5
  }
  // A line moves when it is clearly wrong, not at every breath.
  if (!Number.isNaN(center) && Math.abs(target - center) <= 0.7 * lineStep) {
    if (kind !== 'total' || lowestLine(center) > scored) return center
  }
  const rounded = isHalf
    ? Math.floor(target / lineStep) * lineStep + lineStep / 2
    : Math.round(target / lineStep) * lineStep
  if (kind === 'spread') return rounded + 0
  let above = rounded
  while (lowestLine(above) < scored + 0.5) above += lineStep
  return above

  function lowestLine(middle: number) {
    return middle - ((rungs - 1) >> 1) * lineStep
  }
}

/** Selections that the last call changed. */
let changes = 0
export const lastChanges = () => changes

/**
 * Prices a family from a belief.
 * @param stated receives the rungs that changed; null for a silent pricing (a snapshot follows)
 */
export function reprice(
  listing: Listing,
  family: Family,
  version: number,
  at: number,
  stated: FeedMarket[] | null,
) {
  changes = 0
  family.version = version
  readBelief(listing, family, offsetOf(version))
  const center = centerFor(family)
  if (center !== family.center) moveLadder(listing, family, center, stated)
  const sideCount = family.sides.length
  const { steps, leans } = family
  for (let rung = 0; rung < family.rungs; rung++) {
    computeFair(family, family.lines[rung]!)
    computeSteps(listing.book, sideCount, leans[rung]!)
    if (applySteps(family, rung, at)) stated?.push(marketOf(listing, family, rung, false))
  }
  // The array is only read up to here; a shrunk ladder cannot occur, rungs are constant.
  if (steps.length !== family.rungs * sideCount) throw new Error('a rung without prices')
}

/** Stores `wanted` as the rung's prices and counts what changed. */
function applySteps(family: Family, rung: number, at: number): boolean {
  const sideCount = family.sides.length
  const { steps } = family
  let changed = 0
  for (let side = 0; side < sideCount; side++) {
    const index = rung * sideCount + side
    if (steps[index] === wanted[side]) continue
    steps[index] = wanted[side]!
    changed++
  }
  if (changed === 0) return false
  family.changedAt[rung] = at
  changes += changed
  return true
}

/** Moves the ladder; rungs that stay keep their price, those that go are stated as removed. */
function moveLadder(listing: Listing, family: Family, center: number, stated: FeedMarket[] | null) {
  const sideCount = family.sides.length
  const before = family.lines.slice()
  const steps = family.steps.slice()
  const leans = family.leans.slice()
  const changedAt = family.changedAt.slice()
  family.center = center
  for (let rung = 0; rung < family.rungs; rung++) family.lines[rung] = lineOf(family, rung)
  for (let old = 0; old < before.length; old++) {
    if (family.lines.includes(before[old]!)) continue
    changes += sideCount
    stated?.push(removalOf(listing, family, before[old]!))
  }
  for (let rung = 0; rung < family.rungs; rung++) {
    const old = before.indexOf(family.lines[rung]!)
    for (let side = 0; side < sideCount; side++) {
      family.steps[rung * sideCount + side] = old < 0 ? -1 : steps[old * sideCount + side]!
    }
    family.leans[rung] = old < 0 ? 0 : leans[old]!
    family.changedAt[rung] = old < 0 ? 0 : changedAt[old]!
  }
}

/**
 * Moves one rung by a step, as money comes in: longer on one side, shorter on the other. It needs
 * no belief, so it costs next to nothing; a step that would spoil the margin is not taken.
 */
export function nudge(
  listing: Listing,
  family: Family,
  rung: number,
  at: number,
  random: Random,
  stated: FeedMarket[] | null,
) {
  changes = 0
  const { wander } = listing.book
  const lean = family.leans[rung]!
  // Prices drift back to the model rather than away from it.
  const isUp = random.chance(lean === 0 ? 0.5 : lean > 0 ? 0.3 : 0.7)
  const first = lean >= wander ? -1 : lean <= -wander ? 1 : isUp ? 1 : -1
  if (!step(listing.book, family, rung, first)) {
    const isAllowed = Math.abs(lean - first) <= wander
    if (!isAllowed || !step(listing.book, family, rung, -first)) return
  }
  if (applySteps(family, rung, at)) stated?.push(marketOf(listing, family, rung, false))
}

/** Sets `wanted` to the rung's prices one step on; false when the book would not quote them. */
function step(book: BookProfile, family: Family, rung: number, direction: number): boolean {
  const { implied } = book.grid
  const sideCount = family.sides.length
  let sum = 0
  for (let side = 0; side < sideCount; side++) {
    const by = side === 0 ? direction : side === sideCount - 1 ? -direction : 0
    const to = family.steps[rung * sideCount + side]! + by
    if (to < 0 || to >= implied.length) return false
    wanted[side] = to
    sum += implied[to]!
  }
  if (sum < 1 + 0.5 * book.margin || sum > 1.015 + 1.6 * book.margin) return false
  family.leans[rung] = family.leans[rung]! + direction
  return true
}

/** A typing error: one side at a price about a quarter too long, until the next repricing. */
export function fatFinger(
  listing: Listing,
  family: Family,
  rung: number,
  side: number,
  at: number,
): FeedMarket {
  const { grid } = listing.book
  const index = rung * family.sides.length + side
  const tooLong = nearestStep(grid, grid.implied[family.steps[index]!]! / 1.25)
  family.steps[index] = Math.min(grid.prices.length - 1, tooLong)
  family.changedAt[rung] = at
  return marketOf(listing, family, rung, false)
}

/** What the book says of one rung. */
export function marketOf(
  listing: Listing,
  family: Family,
  rung: number,
  isSuspended: boolean,
): FeedMarket {
  const { kind, prop, sides } = family
  const sideCount = sides.length
  const line = family.lines[rung]!
  const selections: FeedSelection[] = []
  for (let side = 0; side < sideCount; side++) {
    selections.push(selectionOf(listing, family, rung, side, isSuspended))
  }
  return {
    marketType: family.marketType,
    line: kind === 'total' || kind === 'team_total' || kind === 'prop' ? line : null,
    playerName: prop === null ? null : prop.player,
    statCategory: prop === null ? null : prop.statCategory,
    externalId: marketIdOf(listing, family, line),
    maxBet: family.maxBet,
    suspended: isSuspended,
    selections,
  }
}

function selectionOf(
  listing: Listing,
  family: Family,
  rung: number,
  side: number,
  isSuspended: boolean,
): FeedSelection {
  const { book } = listing
  const line = family.lines[rung]!
  const { tickets } = family
  return {
    selection: labelOf(listing, family, side),
    selectionType: family.sides[side]!,
    line: family.kind === 'spread' ? signed(line, side) : null,
    price: book.grid.prices[family.steps[rung * family.sides.length + side]!]!,
    externalId: null,
    removed: false,
    suspended: isSuspended,
    maxBet: null,
    changedAt: book.statesChanges && family.changedAt[rung]! > 0 ? family.changedAt[rung]! : null,
    publicBetPct: tickets === null ? null : side === 0 ? tickets : 1 - tickets,
    deepLink: null,
  }
}

/** The line from the second side's view; never the number -0. */
const signed = (line: number, side: number) => (side === 0 || line === 0 ? line : -line)

function labelOf(listing: Listing, family: Family, side: number): string | null {
  if (!listing.book.namesSelections) return null
  if (family.kind === 'two_way' || family.kind === 'three_way' || family.kind === 'spread') {
    const type = family.sides[side]
    return type === 'home' ? listing.homeName : type === 'away' ? listing.awayName : null
  }
  return null
}

function marketIdOf(listing: Listing, family: Family, line: number): string | null {
  const { idStyle } = listing.book
  return idStyle === 'digits' || idStyle === 'hex' ? `${family.code}.${line}` : null
}

const removed = {
  selection: null,
  price: null,
  externalId: null,
  removed: true,
  suspended: false,
  maxBet: null,
  changedAt: null,
  publicBetPct: null,
  deepLink: null,
} as const

/** What the book says when it takes a line off. */
export function removalOf(listing: Listing, family: Family, line: number): FeedMarket {
  const { kind, prop, sides } = family
  const isSpread = kind === 'spread'
  return {
    marketType: family.marketType,
    line: kind === 'total' || kind === 'team_total' || kind === 'prop' ? line : null,
    playerName: prop === null ? null : prop.player,
    statCategory: prop === null ? null : prop.statCategory,
    externalId: marketIdOf(listing, family, line),
    maxBet: null,
    suspended: false,
    selections: sides.map((selectionType, side) => ({
      ...removed,
      selectionType,
      line: isSpread ? signed(line, side) : null,
    })),
  }
}

/** Everything the book offers on the game now. */
export function allMarkets(listing: Listing): FeedMarket[] {
  const markets: FeedMarket[] = []
  const isSuspended = listing.state === 'suspended'
  for (const family of listing.families) {
    if (family.isWithdrawn) continue
    for (let rung = 0; rung < family.rungs; rung++) {
      markets.push(marketOf(listing, family, rung, isSuspended || family.isSuspended))
    }
  }
  return markets
}

/** Selections on offer. */
export function countSelections(listing: Listing): number {
  let count = 0
  for (const { rungs, sides, isWithdrawn } of listing.families) {
    if (!isWithdrawn) count += rungs * sides.length
  }
  return count
}
