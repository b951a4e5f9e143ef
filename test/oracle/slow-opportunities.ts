/**
 * The opportunities on a board recomputed the plain way: from all rows of a ladder, with no line or best price kept up.
 * Written from the rules of the table alone, so that a mistake in the real one is not made twice; the pure rules are
 * shared.
 */

import {
  arbitrageProfit,
  highestArbitrageProfit,
  impliedTotal,
} from '../../pipeline/rules/odds/arbitrage.ts'
import type { Chain, Chains } from '../../pipeline/rules/odds/chains.ts'
import { devig } from '../../pipeline/rules/odds/devig.ts'
import { type Fees, noFees, priceAfterFee } from '../../pipeline/rules/odds/fees.ts'
import { usableMs } from '../../pipeline/rules/odds/freshness.ts'
import {
  areApart,
  judgeApart,
  ladderVerdict,
  type Rung,
} from '../../pipeline/rules/odds/ladder-guard.ts'
import type { OutcomeSet } from '../../pipeline/rules/odds/outcome-sets.ts'
import { createPhantomGuard, verdict } from '../../pipeline/rules/odds/phantom-guard.ts'
import { type CanBe, possibleResults } from '../../pipeline/rules/odds/possible-results.ts'
import { isHandicap, middleKind, outcomesOf } from '../../pipeline/rules/odds/questions.ts'
import { middleOutlook } from '../../pipeline/rules/odds/results.ts'
import type { EventRow } from '../../schemas/event.ts'
import type { OddsRow } from '../../schemas/odds.ts'
import {
  type OpportunityIdentity,
  type OpportunityRow,
  opportunityId,
  visibilityOf,
} from '../../schemas/opportunity.ts'
import { sightingKey } from '../../schemas/sighting.ts'
import { byRow, createMemory } from './memory.ts'
import type { FoldedBoard } from './real-board.ts'
import { turnedSigns } from './slow-turned-signs.ts'

/** A row without its age, which a single board cannot tell. */
export type ExpectedOpportunity = Omit<OpportunityRow, 'detectedAt' | 'detected'>

export interface SlowOpportunities {
  readonly rows: ReadonlyMap<string, ExpectedOpportunity>
  /** Number of places on lines that the phantom guard withheld from a sportsbook. */
  readonly withheldCount: number
  /** Prices of sportsbooks with recent sightings and a source that is up, on any event. */
  readonly heard: ReadonlySet<OddsRow>
  /** Prices of sportsbooks that can be bet on now, apart from the phantom guard. */
  readonly usable: ReadonlySet<OddsRow>
  readonly withheld: ReadonlySet<OddsRow>
}

/** One line with the offers that the phantom guard withholds, and what is found on it alone. */
interface OfLine {
  readonly line: Line
  readonly withheld: readonly Offer[]
  readonly found: readonly ExpectedOpportunity[]
}

type Board = Pick<FoldedBoard, 'events' | 'sightings' | 'odds' | 'sportsbookStatus'>

const visibilities = [0, 1, 2] as const
type VisibilityOfTier = (typeof visibilities)[number]
const bits = [1, 2, 4] as const

/** One sportsbook's offer on one line. */
interface Offer {
  readonly sportsbook: string
  readonly isSuspected: boolean
  /** In the order of the line's outcomes. */
  readonly rows: readonly (OddsRow | undefined)[]
}

/** One outcome at one sportsbook. */
interface Quote {
  readonly row: OddsRow
  /** The price after its sportsbook's fee, if fees count. */
  readonly net: number
  readonly isSuspected: boolean
  /** The lowest visibility that sees its sportsbook. */
  readonly visibility: VisibilityOfTier
}

/** One set of outcomes at one line, without the sportsbooks that the phantom guard withholds. */
interface Line {
  /** The home side's line, where the sides' lines have opposite signs. */
  readonly line: number | null
  readonly answers: OutcomeSet
  readonly offers: readonly Offer[]
  /** The offers of references. */
  readonly measures: readonly Offer[]
  /** Quotes by visibility and index of the outcome, the best price first. */
  readonly quotes: readonly (readonly (readonly Quote[])[])[]
}

/** The part of `SlowOpportunities` that one ladder has. */
interface OfLadder {
  readonly found: readonly ExpectedOpportunity[]
  readonly withheldCount: number
  readonly usable: readonly OddsRow[]
  readonly withheld: ReadonlySet<OddsRow>
}

/** Returns the opportunities of a board that is looked at once; see `createSlowOpportunities`. */
export function slowOpportunities(
  board: Board,
  now: number,
  chain: Chains,
  fees: Fees = noFees,
  among: ReadonlySet<string> | null = null,
  references: ReadonlySet<string> = new Set(),
): SlowOpportunities {
  return createSlowOpportunities(chain, fees, among, references)(board, now)
}

/**
 * Returns a function of a board and the time of its newest tick (0 for none) that computes its opportunities. A ladder is
 * computed again unless everything that it follows from is as at the call before.
 * @param chain what +EV is measured against
 * @param fees the fees that count
 * @param among a chosen set of sportsbooks, in place of those of the tiers
 * @param references sportsbooks that only serve as references and take no bets
 */
export function createSlowOpportunities(
  chain: Chains,
  fees: Fees = noFees,
  among: ReadonlySet<string> | null = null,
  references: ReadonlySet<string> = new Set(),
): (board: Board, now: number) => SlowOpportunities {
  const ofLadders = createMemory<OfLadder>()
  const ofLines = createMemory<OfLine>()

  return (board, now) => {
    const rows = new Map<string, ExpectedOpportunity>()
    let withheldCount = 0
    const allUsable = new Set<OddsRow>()
    const allWithheld = new Set<OddsRow>()

    function list(found: ExpectedOpportunity) {
      const same = rows.get(found.id)
      if (same && (same.isSuspected !== found.isSuspected || `${same.legs}` !== `${found.legs}`)) {
        throw new Error(`two opportunities by the name of ${found.id}`)
      }
      rows.set(found.id, same ? { ...same, scopes: same.scopes | found.scopes } : found)
    }

    const prices = [...board.odds.values()]
    /** Prices of sportsbooks with recent sightings and a source that is up, on any event. */
    const heardOf = new Set<OddsRow>()
    const isDown = ({ sportsbook }: OddsRow) =>
      board.sportsbookStatus.get(sportsbook)?.status === 'down'
    for (const [key, ofOffer] of groupBy(prices, offerKey)) {
      const sighting = board.sightings.get(key)
      const seenAt = sighting?.hasGivenPrices ? sighting.lastSeenAt : 0
      const lastSeenAt = Math.max(seenAt, ...ofOffer.map(({ observedAt }) => observedAt))
      const isRecent = now - lastSeenAt <= usableMs(sighting?.isLive ?? false)
      if (isRecent && !isDown(ofOffer[0] as OddsRow)) for (const row of ofOffer) heardOf.add(row)
    }

    function isOpen(row: OddsRow, event: EventRow): boolean {
      if (event.status !== 'upcoming' && event.status !== 'live') return false
      const hasStarted = event.isLive || event.startsAt <= now
      return row.isLive || !hasStarted
    }

    for (const [key, ladder] of groupBy(prices, ladderKey)) {
      const event = board.events.get((ladder[0] as OddsRow).eventId)
      if (!event) continue
      // The rows of a ladder are all in play, or all from before.
      const isTrading = isOpen(ladder[0] as OddsRow, event)
      const areHeard = ladder.map((row) => heardOf.has(row))
      const of = ofLadders(key, [event, isTrading, ...ladder, ...areHeard], () =>
        ofLadder(key, ladder, event, isTrading, (row) => heardOf.has(row)),
      )
      withheldCount += of.withheldCount
      for (const row of of.usable) allUsable.add(row)
      for (const row of of.withheld) allWithheld.add(row)
      for (const one of of.found) list(one)
    }
    return { rows, withheldCount, heard: heardOf, usable: allUsable, withheld: allWithheld }
  }

  function ofLadder(
    key: string,
    ladder: readonly OddsRow[],
    event: EventRow,
    isTrading: boolean,
    isHeard: (row: OddsRow) => boolean,
  ): OfLadder {
    const found: ExpectedOpportunity[] = []
    const allWithheld = new Set<OddsRow>()
    let withheldCount = 0
    const bets = (rows: readonly OddsRow[], answers: OutcomeSet) =>
      rows.filter((row) => !references.has(row.sportsbook) && answers.includes(row.selectionType))
    const active = uncontested(ladder).filter((row) => row.isActive)
    const heard = active.filter(isHeard)
    // Those not seen for a while, or whose sources are down, are judged beside all, and judge none that may be bet on.
    const isUnheard = (row: OddsRow) => !isHeard(row)
    const ownChain =
      'usual' in chain
        ? (chain.own.get(event.league) ?? chain.own.get(event.sport) ?? chain.usual)
        : chain
    const sets = outcomesOf((ladder[0] as OddsRow).marketType, event.sport)
    const areApart = areBetsApart(ladder[0] as OddsRow, event)
    const turnedOn = (onLine: readonly OddsRow[], all: readonly OddsRow[], answers: OutcomeSet) =>
      areApart ? [] : turnedSigns(bets(onLine, answers), bets(all, answers), event.sport)
    const judgedOn = (onLine: readonly OddsRow[], answers: OutcomeSet, turned: readonly string[]) =>
      judged(onLine, answers, fees, among, references, turned, areApart)
    for (const answers of sets ?? []) {
      const lines: Line[] = []
      for (const onLine of groupBy(active, (row) => String(homeLine(row))).values()) {
        if (!onLine.some(isUnheard)) continue
        const { withheld } = judgedOn(onLine, answers, turnedOn(onLine, active, answers))
        for (const row of withheld.flatMap(({ rows }) => rows)) {
          if (row && isUnheard(row)) allWithheld.add(row)
        }
      }
      for (const onLine of groupBy(heard, (row) => String(homeLine(row))).values()) {
        const turned = turnedOn(onLine, heard, answers)
        const at = `${key} ${answers} ${homeLine(onLine[0] as OddsRow)}`
        const of = ofLines(at, [event, turned.join(), ...onLine], () => {
          const { line, withheld } = judgedOn(onLine, answers, turned)
          return { line, withheld, found: [...onOneLine(line, event, ownChain, fees)] }
        })
        withheldCount += of.withheld.length
        for (const row of of.withheld.flatMap(({ rows }) => rows)) if (row) allWithheld.add(row)
        if (!isTrading || areApart) continue
        lines.push(of.line)
        found.push(...of.found)
      }
      for (const lower of lines) {
        for (const higher of lines) found.push(...onTwoLines(lower, higher, lines, event))
      }
    }
    return { found, withheldCount, usable: isTrading ? heard : [], withheld: allWithheld }
  }
}

/** Returns the key of a ladder. Only a player's name contains blanks. */
export const ladderKey = byRow(
  ({ eventId, marketType, playerName, isLive }: OddsRow) =>
    `${eventId} ${marketType} ${isLive} ${playerName === null ? '' : `of ${playerName}`}`,
)

const offerKey = byRow(({ eventId, sportsbook }: OddsRow) => sightingKey(eventId, sportsbook))

export function homeLine({ line, selectionType, marketType }: OddsRow): number | null {
  const isTurned = selectionType === 'away' && isHandicap(marketType)
  return isTurned && line !== null ? 0 - line : line
}

/**
 * Returns whether the same line may be another bet at each sportsbook: a handicap of soccer in play
 * counts the goals from the bet on at some, and the whole game at others.
 */
const areBetsApart = ({ marketType, isLive }: OddsRow, { sport }: EventRow) =>
  sport === 'soccer' && isLive && middleKind(marketType) === 'margin'

/** Returns the rows without a second label for their outcome. Of two labels, neither is known to be right. */
function uncontested(ladder: readonly OddsRow[]): OddsRow[] {
  const places = groupBy(ladder, (row) => `${row.sportsbook} ${row.selectionType} ${homeLine(row)}`)
  return [...places.values()].filter((rows) => rows.length === 1).flat()
}

const judgeLine = createPhantomGuard()

function judged(
  onLine: readonly OddsRow[],
  answers: OutcomeSet,
  fees: Fees,
  among: ReadonlySet<string> | null,
  references: ReadonlySet<string>,
  turned: readonly string[],
  areApart: boolean,
) {
  const answering = onLine.filter(({ selectionType }) => answers.includes(selectionType))
  const everyBook = [...groupBy(answering, ({ sportsbook }) => sportsbook)]
  const byBook = everyBook.filter(([sportsbook]) => !references.has(sportsbook))
  const byAnswer = (rows: readonly OddsRow[]) =>
    answers.map((outcome) => rows.find(({ selectionType }) => selectionType === outcome))
  const measures = everyBook
    .filter(([sportsbook]) => references.has(sportsbook))
    .map(([sportsbook, rows]) => ({ sportsbook, rows: byAnswer(rows), isSuspected: false }))
  // Those with the sign turned judge nobody.
  const judging = byBook.filter(([sportsbook]) => !turned.includes(sportsbook))
  const quoted = judging.map(([, rows]) => byAnswer(rows))
  const verdictsOn = (some: typeof quoted): number[] => {
    const verdicts = new Uint8Array(some.length)
    const about = {
      outcomes: answers.length,
      books: some.length,
      prices: Float64Array.from(some.flat().map((row) => row?.price ?? 0)),
      isLive: (onLine[0] as OddsRow).isLive,
      isComparable: true,
    }
    if (some.length > 0) judgeLine(about, verdicts)
    return [...verdicts]
  }
  const verdicts = areApart ? quoted.flatMap((own) => verdictsOn([own])) : verdictsOn(quoted)
  const offers = byBook.map(([sportsbook, rows]): Offer & { readonly code: number } => {
    const at = judging.findIndex(([name]) => name === sportsbook)
    const code = at < 0 ? verdict.swapped : (verdicts[at] as number)
    return { sportsbook, rows: byAnswer(rows), code, isSuspected: code === verdict.suspected }
  })
  const kept = offers.filter(({ code }) => code <= verdict.suspected)
  const betAt = among ? kept.filter(({ sportsbook }) => among.has(sportsbook)) : kept
  const all = answers.map((_, outcome) => quotesOf(betAt, outcome, fees))
  const quotes = visibilities.map((visibility) =>
    all.map((ofOutcome) => ofOutcome.filter((quote) => quote.visibility <= visibility)),
  )
  const line: Line = {
    ...{ line: homeLine(onLine[0] as OddsRow), answers, quotes },
    ...{ offers: kept, measures },
  }
  return { line, withheld: offers.filter((offer) => !kept.includes(offer)) }
}

export function netOf({ sportsbook, price }: OddsRow, fees: Fees): number {
  const fee = fees.get(sportsbook)
  return fee ? priceAfterFee(price, fee) : price
}

/** Returns an outcome's quotes, the best price first; among equals by name. */
function quotesOf(offers: readonly Offer[], outcome: number, fees: Fees): Quote[] {
  const quotes = offers.flatMap(({ sportsbook, rows, isSuspected }): Quote[] => {
    const row = rows[outcome]
    return row
      ? [{ row, net: netOf(row, fees), isSuspected, visibility: visibilityOf(sportsbook) }]
      : []
  })
  return quotes.sort((a, b) => b.net - a.net || (a.row.sportsbook < b.row.sportsbook ? -1 : 1))
}

/**
 * Returns the best quote of each list, not all at one sportsbook: if they would be, the list whose
 * second-best costs least gives way.
 */
function bestOf(lists: readonly (readonly Quote[])[]): Quote[] | null {
  const best = lists.flatMap((quotes) => quotes.slice(0, 1))
  if (best.length < lists.length) return null
  if (best.some(({ row }) => row.sportsbook !== best[0]?.row.sportsbook)) return best
  const others = lists.flatMap(([first, second], at) => {
    if (!first || !second) return []
    return [{ at, second, cost: 1 / second.net - 1 / first.net }]
  })
  const least = Math.min(...others.map(({ cost }) => cost))
  const cheapest = others.find(({ cost }) => cost === least)
  return cheapest ? best.map((quote, at) => (at === cheapest.at ? cheapest.second : quote)) : null
}

function* onOneLine(line: Line, event: EventRow, chain: Chain, fees: Fees) {
  for (const visibility of visibilities) yield* bestCombination(line, event, visibility)
  yield* positiveValues(line, event, chain, fees)
}

function* bestCombination(line: Line, event: EventRow, visibility: VisibilityOfTier) {
  const legs = bestOf(line.quotes[visibility] as readonly (readonly Quote[])[])
  if (!legs) return
  const total = impliedTotal(legs.map(({ net }) => net))
  if (arbitrageProfit(total) > highestArbitrageProfit) return
  const more = { reference: [], scopes: bits[visibility] }
  if (1 / total - 1 >= 0.00005) yield opportunity('arbitrage', event, legs, more)
  if (total <= 1.1 && visibility > 0) yield opportunity('low_hold', event, legs, more)
}

/** Goes down the chain for each set by itself, because a blend has only the sportsbooks that its readers see. */
function* positiveValues(line: Line, event: EventRow, chain: Chain, fees: Fees) {
  const complete = [...line.offers, ...line.measures].filter(
    ({ rows }) => !rows.includes(undefined),
  )
  const offerOf = (name: string) => complete.find(({ sportsbook }) => sportsbook === name)
  for (const visibility of [1, 2] as const) {
    for (const anchor of chain) {
      if (anchor === 'consensus') {
        yield* consensusValues(line, event, fees, visibility)
        break
      }
      if (typeof anchor === 'string') {
        const offer = offerOf(anchor)
        if (!offer) continue
        const fair = marketOf(offer)
        if (fair) yield* valuesBy([{ offer, fair, weight: 1 }], line, event, fees, visibility)
        break
      }
      const parts = anchor.flatMap(({ sportsbook, weight }) => {
        const offer = visibilityOf(sportsbook) <= visibility ? offerOf(sportsbook) : undefined
        const fair = offer && marketOf(offer)
        return fair ? [{ offer, fair, weight }] : []
      })
      if (parts.length < 2) continue
      yield* valuesBy(parts, line, event, fees, visibility)
      break
    }
  }
}

interface Part {
  readonly offer: Offer
  readonly fair: { readonly probabilities: readonly number[] }
  readonly weight: number
}

function marketOf({ rows }: Offer) {
  const fair = devig(rows.map((row) => row!.price))
  return fair && fair.overround <= 0.1 ? fair : null
}

/** Yields the +EV of one set by one sportsbook, or by several together. */
function* valuesBy(
  parts: readonly Part[],
  line: Line,
  event: EventRow,
  fees: Fees,
  visibility: VisibilityOfTier,
) {
  const names = parts.map(({ offer }) => offer.sportsbook)
  const weights = parts.map(({ weight }) => weight)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const isDoubted = parts.some(({ offer }) => offer.isSuspected)
  const highest = Math.max(...names.map(visibilityOf))
  const isBlended = parts.length > 1
  for (const { sportsbook, rows, isSuspected } of line.offers) {
    if (names.includes(sportsbook) || visibilityOf(sportsbook) > visibility) continue
    for (const [outcome, row] of rows.entries()) {
      if (!row) continue
      const net = netOf(row, fees)
      // The mean of its values by each of them.
      const values = parts.map(
        ({ fair, weight }) => weight * (net * (fair.probabilities[outcome] as number) - 1),
      )
      const ev = values.reduce((sum, value) => sum + value, 0) / total
      if (!(ev >= 0.00005 && ev <= 0.25)) continue
      const leg = {
        row,
        net,
        isSuspected: isSuspected || isDoubted,
        visibility: visibilityOf(sportsbook),
      }
      yield opportunity('ev', event, [leg], {
        reference: parts.flatMap(({ offer }) => offer.rows.map((of) => of!.id)),
        scopes: bits[visibility],
        measureVisibility: isBlended && highest > 1 ? 2 : 0,
        measure: isBlended ? { method: 'power', weights } : null,
      })
    }
  }
}

/** Yields the +EV of one set by the consensus of others. */
function* consensusValues(
  { offers }: Line,
  event: EventRow,
  fees: Fees,
  visibility: VisibilityOfTier,
) {
  const markets = offers.flatMap(({ sportsbook, rows }) => {
    const fair = rows.includes(undefined) ? null : devig(rows.map((row) => row!.price))
    return fair && fair.overround <= 0.1 ? [{ sportsbook, rows, fair }] : []
  })
  markets.sort((a, b) => (a.sportsbook < b.sportsbook ? -1 : 1))
  for (const { sportsbook, rows, isSuspected } of offers) {
    if (visibility < visibilityOf(sportsbook)) continue
    const others = markets.filter(
      (market) => market.sportsbook !== sportsbook && visibilityOf(market.sportsbook) <= visibility,
    )
    if (others.length < 3) continue
    const middles = rows.map((_, outcome) =>
      middleOf(others.map(({ fair }) => fair.probabilities[outcome]!)),
    )
    const sum = middles.reduce((total, one) => total + one, 0)
    for (const [outcome, row] of rows.entries()) {
      if (!row) continue
      const net = netOf(row, fees)
      const ev = (net * middles[outcome]!) / sum - 1
      if (!(ev >= 0.02 && ev <= 0.25)) continue
      const highest = Math.max(...others.map((other) => visibilityOf(other.sportsbook)))
      yield opportunity('ev', event, [{ row, net, isSuspected, visibility }], {
        reference: others.flatMap((other) => other.rows.map((of) => of!.id)),
        scopes: bits[visibility],
        measureVisibility: highest > 1 ? 2 : 0,
      })
    }
  }
}

/** Returns the median. */
export function middleOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const lower = sorted[Math.floor((sorted.length - 1) / 2)]!
  return (lower + sorted[Math.ceil((sorted.length - 1) / 2)]!) / 2
}

function* onTwoLines(lower: Line, higher: Line, lines: readonly Line[], event: EventRow) {
  if (lower.line === null || higher.line === null || lower.answers.length !== 2) return
  if (!(higher.line > lower.line)) return
  const marketType = lower.offers[0]?.rows.find((row) => row)?.marketType
  if (marketType === undefined) return
  const kind = middleKind(marketType)
  if (kind === null) return
  const isTotal = kind === 'total'
  const low = isTotal ? lower.line : -higher.line
  const high = isTotal ? higher.line : -lower.line
  const { sport, league } = event
  const outlook = middleOutlook({ marketType, sport, league, low, high })
  // Both bets would win more often than not, so one line is wrong.
  if (outlook && outlook.probability > 0.5) return
  const isMiddle = outlook !== null && higher.line - lower.line >= 0.5
  // Where no result lies between that the sport allows, as level in the NBA, nothing is gained.
  const canGain = isMiddle && outlook.between.some(({ probability }) => probability > 0)
  const [first, second] = isTotal ? [lower, higher] : [higher, lower]
  const isAlone = [lower, higher].some((line) => sportsbooksOn(line) === 1)
  for (const visibility of visibilities) {
    const sides = [first.quotes[visibility]?.[0], second.quotes[visibility]?.[1]]
    const legs = bestOf(sides as (readonly Quote[])[])
    if (!legs || legs.reduce((sum, { net }) => sum + 1 / net, 0) > 1.1) continue
    const [over, under] = legs as [Quote, Quote]
    // Otherwise the bet that wins alone does not pay for the other.
    const isSure = 1 / over.net + 1 / under.net < 1
    const canBe = possibleResults(marketType, event)
    const profit = isSure ? certainProfit(low, high, over.net, under.net, canBe) : 0
    if (profit > highestArbitrageProfit) continue
    const verdict = isMiddle
      ? onTwo(first, second, legs, outlook.probability, { lines, kind, event })
      : ladderVerdict.fine
    if (verdict === ladderVerdict.withheld) continue
    for (const kind of ['arbitrage', 'middle'] as const) {
      if (kind === 'arbitrage' ? profit < 0.00005 : !canGain || visibility === 0) continue
      const found = opportunity(kind, event, legs, { reference: [], scopes: bits[visibility] })
      yield isAlone || verdict === ladderVerdict.apart ? { ...found, isSuspected: true } : found
    }
  }
}

/** Returns the ladder guard's verdict, with one rung of each sportsbook that is no leg. */
function onTwo(
  first: Line,
  second: Line,
  legs: readonly Quote[],
  chance: number,
  { lines, kind, event }: { lines: readonly Line[]; kind: 'margin' | 'total'; event: EventRow },
): number {
  const rungOf = (line: Line, sportsbook: string): Rung => {
    const rows = line.offers.find((offer) => offer.sportsbook === sportsbook)?.rows ?? []
    const [over, under] = rows.map((row) => row?.price)
    const alone = over ? 1 / over : 1 - 1 / (under as number)
    const fair = over && under ? under / (over + under) : alone
    return { line: line.line as number, fair }
  }
  const books = legs.map(({ row }) => row.sportsbook)
  const { marketType, playerName, isLive } = (legs[0] as Quote).row
  const ladder = { marketType, sport: event.sport, kind, isPlayers: playerName !== null, isLive }
  const [one, other] = [rungOf(first, books[0] as string), rungOf(second, books[1] as string)]
  if (!areApart(ladder, chance, one, other)) return ladderVerdict.fine
  const complete = lines
    .filter(({ line }) => line !== null)
    .flatMap((line) =>
      line.offers
        .filter(({ rows, sportsbook }) => !rows.includes(undefined) && !books.includes(sportsbook))
        .map(({ sportsbook }) => ({ sportsbook, rung: rungOf(line, sportsbook) })),
    )
    .sort((a, b) => a.rung.line - b.rung.line)
  const witnesses = [...groupBy(complete, ({ sportsbook }) => sportsbook).values()].map(
    (rungs) =>
      rungs.reduce((best, next) =>
        Math.abs(next.rung.fair - 0.5) < Math.abs(best.rung.fair - 0.5) ? next : best,
      ).rung,
  )
  return judgeApart(ladder, one, other, witnesses)
}

/**
 * Returns the gain of over `low` and under `high` at the worst result, each settled by hand. The share
 * of the stake is found by trial: the worst result pays less the further the share is from the best.
 */
export function certainProfit(
  low: number,
  high: number,
  over: number,
  under: number,
  canBe: CanBe,
): number {
  const key = `${low} ${high} ${over} ${under} ${canBe(0)} ${canBe(-1)}`
  const known = certainProfits.get(key) ?? findCertainProfit(low, high, over, under, canBe)
  certainProfits.set(key, known)
  return known
}

const certainProfits = new Map<string, number>()

function findCertainProfit(
  low: number,
  high: number,
  over: number,
  under: number,
  canBe: CanBe,
): number {
  const paid = (line: number, price: number, result: number, sign: 1 | -1) => {
    const halves = line * 2 === Math.round(line * 2) ? [line, line] : [line - 0.25, line + 0.25]
    const each = halves.map((half) =>
      result === half ? 1 : sign * (result - half) > 0 ? price : 0,
    )
    return ((each[0] as number) + (each[1] as number)) / 2
  }
  const worst = (share: number) => {
    let least = Number.POSITIVE_INFINITY
    // Results further away, or far inside, settle no differently.
    for (const around of [low, high]) {
      for (let result = Math.floor(around) - 2; result <= around + 2.5; result++) {
        if (!canBe(result)) continue
        const all = share * paid(low, over, result, 1) + (1 - share) * paid(high, under, result, -1)
        least = Math.min(least, all - 1)
      }
    }
    return least
  }
  let [from, to] = [0, 1]
  for (let step = 0; step < 100; step++) {
    const third = (to - from) / 3
    if (worst(from + third) < worst(to - third)) from += third
    else to -= third
  }
  const found = worst((from + to) / 2)
  const alone = arbitrageProfit(1 / over + 1 / under)
  return Math.abs(found - alone) < 1e-9 ? alone : found
}

const sportsbooksOn = ({ offers }: Line) =>
  offers.filter(({ rows }) => rows.some((row) => row !== undefined)).length

function opportunity(
  kind: OpportunityIdentity['kind'],
  event: EventRow,
  legs: readonly Quote[],
  {
    measureVisibility = 0,
    measure = null,
    ...more
  }: Pick<OpportunityRow, 'reference' | 'scopes'> & {
    readonly measureVisibility?: 0 | 2
    readonly measure?: OpportunityRow['measure']
  },
): ExpectedOpportunity {
  const { eventId, marketType, playerName, isLive, line } = (legs[0] as Quote).row
  const id = opportunityId({
    kind,
    eventId,
    marketType,
    line: isOnTwoLines(legs) ? legs.map(({ row }) => row.line).join('/') : line,
    playerName,
    isLive,
    legs: legs.map(({ row }) => [row.sportsbook, row.selectionType] as const),
    measureVisibility,
  })
  return {
    id,
    kind,
    eventId,
    league: event.league,
    legs: legs.map(({ row }) => row.id),
    ...more,
    measure,
    isSuspected: legs.some(({ isSuspected }) => isSuspected),
  }
}

const isOnTwoLines = ([first, second, third]: readonly Quote[]) =>
  !third && second !== undefined && homeLine(first!.row) !== homeLine(second.row)

export function groupBy<Value>(values: readonly Value[], keyOf: (value: Value) => string) {
  const groups = new Map<string, Value[]>()
  for (const value of values) {
    const key = keyOf(value)
    const group = groups.get(key)
    if (group) group.push(value)
    else groups.set(key, [value])
  }
  return groups
}
