/**
 * Compares the prices of a statement with those of an event that it may belong to: the main lines that both have,
 * question by question.
 */

import type { OddsRecord } from '../../../schemas/feed-record.ts'
import { mainMarketType } from '../../../schemas/reference/markets.ts'
import {
  type Compared,
  judgeAgreement,
  type PriceAgreement,
} from '../../rules/names/price-agreement.ts'
import { devig } from '../../rules/odds/devig.ts'
import { usableMs } from '../../rules/odds/freshness.ts'
import { flipLine, flipSelectionType, homeLine, outcomesOf } from '../../rules/odds/questions.ts'
import { typeWithDraw } from '../../rules/odds/three-ways.ts'
import type { EventEntry, Offer } from './offer.ts'

/**
 * Returns the current price of a sportsbook for an outcome, with home and away as in its event; NaN
 * for none. A statement gets into the table of prices after its event is found, so the current one
 * is not included.
 */
export type PriceOf = (
  offer: Offer,
  outcome: {
    readonly marketType: string
    readonly selectionType: string
    readonly line: number | null
  },
) => number

/**
 * Returns how well the main prices of a statement agree with those of the other sportsbooks on an event.
 * @param swapped whether the statement has home and away the other way round than the event
 */
export function compareWithEvent(
  record: OddsRecord,
  event: EventEntry,
  swapped: boolean,
  priceOf: PriceOf,
): PriceAgreement {
  const { sportsbook, observedAt } = record
  const offers = [...event.offers.values()].filter(
    (offer) =>
      offer.sportsbook !== sportsbook &&
      !offer.isLive &&
      Math.abs(observedAt - offer.lastSeenAt) <= usableMs(false),
  )
  const compared: Compared[] = []
  const { sport } = event.row
  for (const { marketType: stated, rung, prices } of mainQuestions(record, swapped)) {
    const marketType = (prices.has('draw') && typeWithDraw(stated, sport)) || stated
    const outcomes = completeOutcomes(marketType, sport)
    const ours = outcomes && devig(outcomes.map((outcome) => prices.get(outcome) ?? Number.NaN))
    if (!outcomes || !ours) continue
    const theirs = meanProbabilities(offers, outcomes, (offer, selectionType) =>
      priceOf(offer, {
        marketType,
        selectionType,
        line: homeLine(marketType, selectionType, rung),
      }),
    )
    if (theirs) compared.push({ ours: ours.probabilities, theirs })
  }
  return judgeAgreement(compared)
}

interface ComparedQuestion {
  readonly marketType: string
  /** The rung's line, by the home side. */
  readonly rung: number | null
  /** Prices by selection type, with home and away as in the event. */
  readonly prices: Map<string, number>
}

const kinds = ['moneyline', 'spread', 'total'] as const

/** Returns the statement's prices of main markets, by question and rung. */
function mainQuestions(
  { event, markets }: OddsRecord,
  swapped: boolean,
): Iterable<ComparedQuestion> {
  const mainTypes = kinds.map((kind) => mainMarketType(event.sport, kind))
  const questions = new Map<string, ComparedQuestion>()
  for (const { marketType, playerName, suspended, line: marketLine, selections } of markets) {
    if (playerName !== null || suspended || !mainTypes.includes(marketType)) continue
    for (const stated of selections) {
      const { price, line: ownLine, removed } = stated
      if (price === null || removed || stated.suspended) continue
      const statedLine = ownLine ?? marketLine
      const type = stated.selectionType
      const line = swapped ? flipLine(type, statedLine, marketType) : statedLine
      const selectionType = swapped ? flipSelectionType(type, marketType) : type
      const rung = homeLine(marketType, selectionType, line)
      const key = `${marketType}|${rung}`
      const question = questions.get(key) ?? { marketType, rung, prices: new Map() }
      question.prices.set(selectionType, price)
      questions.set(key, question)
    }
  }
  return questions.values()
}

/** Returns the outcomes that complete the question; undefined if they are ambiguous or unknown. */
function completeOutcomes(marketType: string, sport: string) {
  const sets = outcomesOf(marketType, sport)
  return sets?.length === 1 ? sets[0] : undefined
}

/** Returns the mean no-vig probabilities of the offers; null if none prices all outcomes. */
function meanProbabilities(
  offers: readonly Offer[],
  outcomes: readonly string[],
  priceOf: (offer: Offer, selectionType: string) => number,
): readonly number[] | null {
  const sums = outcomes.map(() => 0)
  let count = 0
  for (const offer of offers) {
    const prices = outcomes.map((outcome) => priceOf(offer, outcome))
    const fair = devig(prices)
    if (!fair) continue
    count++
    for (const [at, probability] of fair.probabilities.entries())
      sums[at] = (sums[at] as number) + probability
  }
  return count === 0 ? null : sums.map((sum) => sum / count)
}
