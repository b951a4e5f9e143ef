/**
 * One game at one sportsbook: its markets and its statements about them. Their prices are in pricing.ts.
 */

import type { FeedEvent, FeedMarket, FeedSelection } from '../../../schemas/feed-record.ts'
import { mainMarketType } from '../../../schemas/reference/markets.ts'
import type { BookProfile } from './books.ts'
import type { Game, PlayerProp } from './game.ts'
import { isMatchPlay } from './match-play.ts'
import type { Participant } from './participants.ts'
import { nearestStep } from './price-grid.ts'
import { type Random, trait } from './random.ts'

type Kind = 'two_way' | 'three_way' | 'spread' | 'total' | 'team_total' | 'both_score' | 'prop'

/** One market type of a listing (or one player's statistic) with all its lines. */
export interface Family {
  readonly kind: Kind
  readonly marketType: string
  /** Selection types, with this sportsbook's sides. */
  readonly sides: readonly string[]
  readonly prop: PlayerProp | null
  /** For a team total: +1 the true home side, -1 the away side. */
  readonly teamSign: number
  /** The share of the game that the market covers. */
  readonly share: number
  readonly rungs: number
  /** Lines are whole multiples of this, or half-way between when `isHalf`. */
  readonly lineStep: number
  readonly isHalf: boolean
  readonly isFixed: boolean
  /** The lowest line, and the highest. */
  readonly lowestLine: number
  readonly highestLine: number
  readonly maxBet: number | null
  readonly tickets: number | null
  readonly code: string
  bias: number
  center: number
  /** The belief on which the prices are based; -1 for none. */
  version: number
  readonly lines: number[]
  /** Grid steps, by rung and side. */
  readonly steps: number[]
  /** By rung, how many steps the first side is above the model. */
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
  /** Whether the book has the sides swapped. */
  readonly isSwapped: boolean
  event: FeedEvent
  families: Family[]
  state: 'unlisted' | 'open' | 'suspended' | 'withdrawn' | 'gone'
  observedAt: number
  snapshotAt: number
  /** The newest belief on which it has based prices. */
  heard: number
  /** The factor of the book's usual delay for the next news. */
  slowness: number
  isFollowing: boolean
  /** Whether its next observation is on the agenda. */
  isObserved: boolean
  wantsSnapshot: boolean
  /** Its place in the list of listings that may move; -1 if it is in none. */
  slot: number
}

const homeAway: readonly string[] = ['home', 'away']
const homeDrawAway: readonly string[] = ['home', 'draw', 'away']
const overUnder: readonly string[] = ['over', 'under']
const yesNo: readonly string[] = ['yes', 'no']
const homeOverUnder: readonly string[] = ['home_over', 'home_under']
const awayOverUnder: readonly string[] = ['away_over', 'away_under']

/** Returns a sportsbook's spelling of a side: most use the usual name, but each has habits. */
export function spell(participant: Participant, book: BookProfile): string {
  const { key, names } = participant
  if (names.length > 1 && trait(`${book.id}|${key}`, 5) < 0.3) {
    const at = 1 + Math.floor(trait(`${book.id}|${key}`, 6) * (names.length - 1))
    return names[at] ?? names[0]!
  }
  return names[0]!
}

function externalIdOf(game: Game, book: BookProfile, bookAt: number): string {
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
  // A few start times are off by minutes, a few listings have the sides swapped.
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
    heard: -1,
    slowness: 1,
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

/** Returns the error of the book's own opinion, in probability; trading makes it small. */
const biasOf = ({ id, isExchange }: BookProfile) =>
  id === 'pinnacle' ? 0 : isExchange ? 0.003 : 0.0065

/** Returns the markets that the book has on the game at this stage, not priced yet. */
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
      lowestLine: 0.5,
      highestLine: Number.POSITIVE_INFINITY,
      maxBet: limit * (kind === 'prop' ? 1500 : isLive ? 5000 : 25_000) || null,
      tickets: null,
      code: `${listing.externalId}.${families.length}`,
      bias: biasOf(book) * random.normal(),
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
  // A set or a map decides many lines at once, so sportsbooks only have the winner in play.
  const isUntimed = isMatchPlay(model.play)
  if (model.spreadStep !== null && !(isLive && isUntimed)) {
    const isFixed = model.spreadFixed
    const step = isFixed ? 1 : lineStep
    // A fixed ladder is symmetric, and goes from -1.5 straight to 1.5.
    const { mostMargin } = model
    const reachable = mostMargin === null ? Number.POSITIVE_INFINITY : 2 * mostMargin - 3
    open('spread', mainMarketType(sport, 'spread'), homeAway, {
      rungs: Math.min(reachable, capped(model.marginSd, step)),
      lineStep: step,
      isHalf: isFixed || isHalf,
      isFixed,
    })
  }
  const isCounted = !isUntimed && model.play !== 'drift'
  if (model.totalStep !== null && (!isLive || isCounted)) {
    const step = isCounted ? lineStep : 1
    const lowestLine = model.leastTotal + 0.5
    const highestLine = (model.mostTotal ?? Number.POSITIVE_INFINITY) - 0.5
    open('total', mainMarketType(sport, 'total'), overUnder, {
      lowestLine,
      highestLine,
      rungs: Math.min(
        Math.floor((highestLine - lowestLine) / step) + 1,
        model.totalSd < 1.3 ? 1 : capped(model.totalSd, step),
      ),
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

/** Makes a typing error: one side at a price about a quarter too long, until the next repricing. */
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

/** Returns the book's market of one rung. */
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
    maxBet: book.isExchange ? depthOf(listing, family, rung, side) : null,
    changedAt: book.statesChanges && family.changedAt[rung]! > 0 ? family.changedAt[rung]! : null,
    publicBetPct: tickets === null ? null : side === 0 ? tickets : 1 - tickets,
    deepLink: null,
  }
}

/**
 * Returns the stake that an exchange takes at a price, in dollars: little on most prices, much on
 * some. It is computed from the price, so it changes with it and need not be stored.
 */
function depthOf({ game, bookAt, event }: Listing, family: Family, rung: number, side: number) {
  const most = family.kind === 'prop' ? 500 : event.isLive ? 2_000 : 8_000
  const index = rung * family.sides.length + side
  let hash = Math.imul(game.number ^ (bookAt << 20), 0x85ebca6b)
  hash = Math.imul(hash ^ (family.steps[index]! * 64 + index), 0xc2b2ae35)
  const share = ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32
  return Math.round(most * (0.01 + 0.99 * share * share))
}

/** Returns the line from the second side's view; never the number -0. */
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

/** Returns the book's market that removes a line. */
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

/** Returns everything the book offers on the game now. */
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

/** Counts the selections on offer. */
export function countSelections(listing: Listing): number {
  let count = 0
  for (const { rungs, sides, isWithdrawn } of listing.families) {
    if (!isWithdrawn) count += rungs * sides.length
  }
  return count
}
