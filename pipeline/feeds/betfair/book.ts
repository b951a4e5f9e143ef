/**
 * The market books of a Betfair Exchange subscription, built from stream messages: an image
 * replaces a market, any other change affects only its fields, and size 0 removes a price. `parse.ts`
 * interprets the markets.
 */

import { z } from 'zod'
import { isStakeable } from '../kit/contract.ts'

const level = z.tuple([z.number(), z.number()])
const position = z.tuple([z.number(), z.number(), z.number()])
const definitionSchema = z.object({
  status: z.string(),
  inPlay: z.boolean(),
  marketType: z.string(),
  bettingType: z.string().nullish(),
  eventId: z.string(),
  eventTypeId: z.string(),
  marketTime: z.string(),
  openDate: z.string().nullish(),
  runners: z.array(
    z.object({
      id: z.number(),
      hc: z.number().nullish(),
      status: z.string(),
      name: z.string().nullish(),
    }),
  ),
})
const runnerChangeSchema = z.object({
  id: z.number(),
  hc: z.number().nullish(),
  atb: z.array(level).nullish(),
  batb: z.array(position).nullish(),
  bdatb: z.array(position).nullish(),
  atl: z.array(level).nullish(),
  batl: z.array(position).nullish(),
  bdatl: z.array(position).nullish(),
})
const marketChangeSchema = z.object({
  id: z.string(),
  img: z.boolean().nullish(),
  marketDefinition: definitionSchema.nullish(),
  rc: z.array(runnerChangeSchema).nullish(),
})
export const changeMessageSchema = z.object({
  op: z.literal('mcm'),
  pt: z.number().int(),
  clk: z.string().nullish(),
  initialClk: z.string().nullish(),
  ct: z.string().nullish(),
  /** `SEG_START`, `SEG`, `SEG_END` of a message in parts; absent when it is whole. */
  segmentType: z.string().nullish(),
  /**
   * The time for which changes are held back and merged; the first message of a subscription states it. It is
   * more than requested if the application key is a delayed one.
   */
  conflateMs: z.number().int().min(0).nullish(),
  /** Null or absent while the stream is up to date; 503 while it is behind the exchange. */
  status: z.number().nullish(),
  mc: z.array(marketChangeSchema).nullish(),
})

export type ChangeMessage = z.infer<typeof changeMessageSchema>
export type MarketDefinition = z.infer<typeof definitionSchema>
type MarketChange = z.infer<typeof marketChangeSchema>
type RunnerChange = z.infer<typeof runnerChangeSchema>

/** Price and size (in the account's currency), by price, or by position, 0 the best. */
type Ladder = ReadonlyMap<number, readonly [price: number, size: number]>

export interface RunnerBook {
  readonly id: number
  readonly hc: number
  /** Available to back: by price, by position, and by position with virtual bets. */
  readonly atb: Ladder
  readonly batb: Ladder
  readonly bdatb: Ladder
  /** The same for lays. */
  readonly atl: Ladder
  readonly batl: Ladder
  readonly bdatl: Ladder
}

export interface MarketBook {
  readonly id: string
  /** Null until an image or a definition has come. */
  readonly definition: MarketDefinition | null
  /** By `runnerKey`. */
  readonly runners: ReadonlyMap<string, RunnerBook>
}

/** Returns the key of a runner; there is one runner per handicap. */
export const runnerKey = (id: number, hc: number | null | undefined) => `${id}:${hc ?? 0}`

/** Returns the market after a change; the given market is not modified. */
function foldMarket(before: MarketBook | undefined, change: MarketChange): MarketBook {
  const base = change.img === true ? undefined : before
  const runners = new Map(base?.runners)
  for (const runner of change.rc ?? []) {
    const key = runnerKey(runner.id, runner.hc)
    runners.set(key, foldRunner(runners.get(key), runner))
  }
  return { id: change.id, definition: change.marketDefinition ?? base?.definition ?? null, runners }
}

function foldRunner(before: RunnerBook | undefined, change: RunnerChange): RunnerBook {
  return {
    id: change.id,
    hc: change.hc ?? 0,
    atb: foldLadder(before?.atb, change.atb),
    batb: foldLadder(before?.batb, change.batb),
    bdatb: foldLadder(before?.bdatb, change.bdatb),
    atl: foldLadder(before?.atl, change.atl),
    batl: foldLadder(before?.batl, change.batl),
    bdatl: foldLadder(before?.bdatl, change.bdatl),
  }
}

const noLevels: Ladder = new Map()

/** @param changes the price and size of each level, after its position if it has one */
function foldLadder(
  before: Ladder = noLevels,
  changes?: readonly z.infer<typeof level | typeof position>[] | null,
): Ladder {
  if (!changes || changes.length === 0) return before
  const ladder = new Map(before)
  for (const change of changes) {
    const [price, size] = change.slice(-2) as [number, number]
    if (size === 0) ladder.delete(change[0])
    else ladder.set(change[0], [price, size])
  }
  return ladder
}

/** The effect of one message. */
export interface Folded {
  /** Markets that changed, in the order of the message. */
  readonly changed: readonly string[]
  /**
   * Whether the whole subscription was sent again: markets that it does not name are not in it any
   * more.
   */
  readonly isImage: boolean
}

/** The place at which a subscription resumes. */
interface Tokens {
  readonly initialClk: string | null
  readonly clk: string | null
}

const noTokens: Tokens = { initialClk: null, clk: null }

/** Creates the book of one subscription: its markets, and the tokens to resume it. */
export function createBetfairBook() {
  const markets = new Map<string, MarketBook>()
  /** The tokens of the last complete message. */
  let tokens = noTokens
  /** The tokens of the message that is being read, which is complete with its last segment. */
  let read = noTokens
  let isImageHalfRead = false

  return {
    apply(message: ChangeMessage): Folded {
      const { segmentType } = message
      const isFirst = !segmentType || segmentType === 'SEG_START'
      const isLast = !segmentType || segmentType === 'SEG_END'
      read = {
        initialClk: message.initialClk ?? read.initialClk,
        clk: message.clk ?? read.clk,
      }
      if (isLast) tokens = read
      const isImage = message.ct === 'SUB_IMAGE'
      if (isImage) isImageHalfRead = !isLast
      // A long image comes in segments; only the first one clears the table.
      if (isImage && isFirst) markets.clear()
      const changed = new Set<string>()
      for (const change of message.mc ?? []) {
        markets.set(change.id, foldMarket(markets.get(change.id), change))
        changed.add(change.id)
      }
      return { changed: [...changed], isImage }
    },
    /** Drops markets that are over; the stream sends nothing more about them. */
    forget(ids: readonly string[]) {
      for (const id of ids) markets.delete(id)
    },
    markets: (): ReadonlyMap<string, MarketBook> => markets,
    /** Returns the tokens; null until a subscription is confirmed and its image is complete. */
    resumeTokens() {
      const { initialClk, clk } = tokens
      return isImageHalfRead || initialClk === null || clk === null ? null : { initialClk, clk }
    },
    /** Drops tokens that the server has refused: the next subscription starts with an image. */
    forgetTokens() {
      tokens = noTokens
      read = noTokens
    },
  }
}

/** Returns the best price at which enough can be backed on a runner to count; null if there is none. */
export function bestBack({ atb, batb, bdatb }: RunnerBook): number | null {
  const prices = stakeablePrices(atb, batb, bdatb)
  return prices.length > 0 ? Math.max(...prices) : null
}

/** Returns the best price at which enough can be laid on a runner to count; null if there is none. */
export function bestLay({ atl, batl, bdatl }: RunnerBook): number | null {
  const prices = stakeablePrices(atl, batl, bdatl)
  return prices.length > 0 ? Math.min(...prices) : null
}

/** Returns the prices of the fullest ladder that has come. */
function stakeablePrices(all: Ladder, real: Ladder, withVirtual: Ladder): number[] {
  const levels = [all, real].find(({ size }) => size > 0) ?? withVirtual
  return [...levels.values()].flatMap(([price, size]) => (isStakeable(size) ? [price] : []))
}
