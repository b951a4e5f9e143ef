/**
 * Turns the outcomes that a parser reads one by one into the markets of its record: one market per question and line,
 * one selection per outcome, and no selection twice. Every parser promises that a price is either a selection or a
 * skip with a reason, and never two selections.
 */

import { type StatedAttributes, statedMembers } from '../../../schemas/attributes.ts'
import type { FeedMarket, FeedSelection } from '../../../schemas/feed-record.ts'
import { addTo } from '../../../schemas/grouping.ts'
import { selectionText } from '../../../schemas/ids.ts'
import { exactLine } from '../../../schemas/line-precision.ts'
import { playerKeyOf } from '../../rules/names/player-names.ts'
import { americanToDecimal, isPrice } from '../../rules/odds/odds.ts'
import { teamOf } from '../../rules/odds/outcome-sets.ts'
import { homeLine, isHandicap } from '../../rules/odds/questions.ts'
import { selectionLabel } from '../../rules/odds/selections.ts'
import type { Skip } from '../feed.ts'

/** One priced outcome as a sportsbook states it; fields as in `FeedMarket` and `FeedSelection`. */
export interface StatedOutcome extends StatedAttributes<'selection'> {
  /** The sportsbook's id of the market it belongs to; null when its payload has none. */
  readonly marketId: string | null
  readonly marketType: string
  readonly playerName: string | null
  readonly statCategory: string | null
  readonly selectionType: string
  readonly selection: string | null
  /** The line, signed from this outcome's own side; null when the question has no lines. */
  readonly line: number | null
  readonly price: number | null
  readonly externalId: string | null
  readonly suspended: boolean
  /** Whether the record removes it explicitly; it has no price then. */
  readonly removed?: boolean
  readonly changedAt?: number | null
}

const attributes = statedMembers('selection')

/** Adds the attributes to an object; null for those that are not stated. */
function withAttributes<Of extends object>(stated: StatedAttributes<'selection'>, of: Of): Of {
  const values = of as Partial<Record<string, unknown>>
  for (const { name } of attributes) values[name] = stated[name] ?? null
  return of
}

/** An outcome as a parser reads it; fields that the source does not state are absent. */
export interface Offered extends Partial<Omit<StatedOutcome, 'price' | 'line'>> {
  readonly selectionType: string
  /** The line from its own side; ignored where the market has no lines. */
  readonly line?: number | null
  /** Decimal odds; null where none are stated, `bad` for a value that cannot be odds. */
  readonly price: number | null | 'bad'
}

/** Returns an outcome of a question, in one shape for all sources. */
export const toOutcome = (
  question: Pick<StatedOutcome, 'marketId' | 'marketType' | 'playerName' | 'statCategory'>,
  line: number | null,
  price: number | null,
  stated: Offered,
): StatedOutcome =>
  withAttributes(stated, {
    marketId: question.marketId,
    marketType: question.marketType,
    playerName: stated.playerName ?? question.playerName,
    statCategory: stated.statCategory ?? question.statCategory,
    selectionType: stated.selectionType,
    selection: stated.selection ?? null,
    line,
    price,
    externalId: null,
    suspended: stated.suspended === true,
    removed: stated.removed === true,
    changedAt: stated.changedAt ?? null,
  })

/** Values for fields that a source leaves out of an outcome. */
export const unstated = {
  marketId: null,
  playerName: null,
  statCategory: null,
  selection: null,
  line: null,
  externalId: null,
  suspended: false,
} as const satisfies Partial<StatedOutcome>

/**
 * Returns the markets of one event, in the order of their first outcomes. A question may come
 * twice: as the main line, and as a rung of the alternates that offers only one side. Then the
 * market that offers both sides is kept, else the first; the copy is a skip.
 */
export function toMarkets(stated: readonly StatedOutcome[]): {
  markets: FeedMarket[]
  repeated: Skip[]
} {
  const outcomes = stated.map(atExactLine)
  const groups = new Map<string, StatedOutcome[]>()
  for (const outcome of outcomes) {
    const { marketId, marketType, playerName, selectionType, line } = outcome
    const rung = homeLine(marketType, selectionType, line)
    const team = teamOf(selectionType)
    addTo(groups, `${marketId}\n${marketType}\n${playerName}\n${team}\n${rung}`, outcome)
  }

  const byKey = new Map<string, StatedOutcome>()
  const bothSidesFirst = [...groups.values()].sort(
    (a, b) => Number(b.length > 1) - Number(a.length > 1),
  )
  const pricedFirst = bothSidesFirst.flat().sort((a, b) => rankOf(a) - rankOf(b))
  for (const outcome of pricedFirst) {
    const key = outcomeKey(outcome)
    if (!byKey.has(key)) byKey.set(key, outcome)
  }
  const kept = new Set(byKey.values())

  const repeated = outcomes
    .filter((outcome) => !kept.has(outcome) && outcome.price !== null)
    .map((outcome) => ({ reason: 'duplicate_selection', detail: describe(outcome) }))
  const markets = [...groups.values()]
    .map((group) => group.filter((outcome) => kept.has(outcome)))
    .filter((group) => group.length > 0)
    .map(toMarket)
  return { markets, repeated }
}

function atExactLine(stated: StatedOutcome): StatedOutcome {
  const line = stated.line === null ? null : exactLine(stated.line)
  return line === stated.line ? stated : { ...stated, line }
}

/**
 * Returns the identity of an outcome of one sportsbook on one event. The board uses the same: any
 * spelling of a player and any label of a side give one identity.
 */
export function outcomeKey(outcome: {
  readonly marketType: string
  readonly playerName: string | null
  readonly line: number | null
  readonly selectionType: string
  readonly selection: string | null
}): string {
  const { marketType, line, selectionType } = outcome
  const playerName = outcome.playerName === null ? null : playerKeyOf(outcome.playerName)
  const label = selectionLabel(selectionType, marketType, outcome.selection, playerName, noSides)
  return selectionText(marketType, line, playerName, selectionType, label)
}

/** Empty names, because an identity does not contain the names of the sides. */
const noSides = { frameHome: '', frameAway: '' }

/** Returns one skip per price, so that skips and selections together count every price of a payload. */
export const skipEach = (reason: string, details: readonly string[]): Skip[] =>
  details.map((detail) => ({ reason, detail }))

/** Describes an outcome in a few words, for a skip. */
export const describe = ({
  marketType,
  playerName,
  selectionType,
  selection,
  line,
}: StatedOutcome) =>
  [marketType, playerName, selection ?? selectionType, line]
    .filter((word) => word != null)
    .join(' ')

/** Returns decimal odds of American ones, or null when the number cannot be American odds. */
export const priceOfAmerican = (american: number): number | null =>
  Number.isInteger(american) && Math.abs(american) >= 100
    ? priceOfDecimal(americanToDecimal(american))
    : null

/** Returns decimal odds unchanged, or null when the number cannot be decimal odds. */
export const priceOfDecimal = (decimal: number): number | null =>
  isPrice(decimal) ? decimal : null

/** Returns decimal odds of a contract that pays 1 and has this cost, or null when it cannot be one. */
export const priceOfContract = (cost: number): number | null =>
  cost > 0 && cost < 1 ? priceOfDecimal(1 / cost) : null

/** Returns the cost of contracts, rounded down to whole cents so that the stake is available. */
export const stakeOf = (contracts: number, cost: number): number =>
  Math.floor(100 * contracts * cost + 1e-6) / 100

/**
 * Parses an amount or a price as exchanges write them: a decimal in a text, also `.48` as in
 * Polymarket's reference, or a number; else null.
 */
export function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  return typeof value === 'string' && /^-?(?:\d+(?:\.\d+)?|\.\d+)$/.test(value)
    ? Number(value)
    : null
}

const isGone = ({ removed }: StatedOutcome) => removed === true

/** Returns the rank among copies of an outcome; the lowest is kept: priced, suspended, removed. */
const rankOf = (outcome: StatedOutcome) => (isGone(outcome) ? 2 : outcome.price === null ? 1 : 0)

function toMarket(outcomes: readonly StatedOutcome[]): FeedMarket {
  const first = outcomes[0] as StatedOutcome
  const ownLines = isHandicap(first.marketType)
  return {
    marketType: first.marketType,
    line: ownLines ? null : first.line,
    playerName: first.playerName,
    statCategory: first.statCategory,
    externalId: first.marketId,
    maxBet: null,
    suspended:
      outcomes.some(({ suspended }) => suspended) &&
      outcomes.every((outcome) => outcome.suspended || isGone(outcome)),
    selections: outcomes.map((outcome) => toSelection(outcome, ownLines)),
  }
}

function toSelection(outcome: StatedOutcome, ownLines: boolean): FeedSelection {
  return withAttributes(outcome, {
    selection: outcome.selection,
    selectionType: outcome.selectionType,
    line: ownLines ? outcome.line : null,
    price: outcome.price,
    removed: isGone(outcome),
    suspended: outcome.suspended,
    changedAt: outcome.changedAt ?? null,
  })
}
