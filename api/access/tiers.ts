/** The rights of each tier: the only table of these numbers (interface 5 and 8, supplements 1.11 and 5.12). */

import type { AccountRow, AddOn } from '../../schemas/account.ts'
import {
  type Family,
  familyNames,
  familyOf,
  lowestTierOf,
  opportunityKinds,
  wordsOf,
} from '../../schemas/opportunity.ts'
import { type Tier, tierBooks } from '../../schemas/reference/tier-books.ts'
import { ApiError } from '../errors.ts'

export const tiers: readonly Tier[] = ['free', 'hobby', 'pro', 'sharp', 'enterprise']

/**
 * The features of an account, beyond odds, events and its own account. Families of opportunities are included from
 * the tier that `schemas/opportunity.ts` names.
 */
export interface Features extends Readonly<Record<Family, boolean>> {
  readonly deep_links: boolean
  readonly futures: boolean
  readonly splits: boolean
  /** Whether it has the closing lines of the last two days. */
  readonly closing_line: boolean
  /** Whether it has closing-line value and the history of closing lines. */
  readonly closing_lines: boolean
  readonly streaming: boolean
  readonly game_state: boolean
}

export interface TierRights {
  readonly tier: Tier
  readonly requestsPerMinute: number
  /** Processing time of requests (ms per minute), see `work-budget.ts`. */
  readonly workMsPerMinute: number
  /** The delay of all data (seconds). */
  readonly delaySeconds: number
  /** The sportsbooks it sees; null for all. */
  readonly sportsbooks: ReadonlySet<string> | null
  /** Most events of one `POST /odds/batch`. */
  readonly batchEvents: number
  readonly keysPerAccount: number
  /** Most bets that an account may store. */
  readonly bets: number
  /** Most alerts that an account may have. */
  readonly alerts: number
  /** Most streams of a key at once, if the account may stream. */
  readonly streams: number
  /** Features without add-ons. */
  readonly features: Features
}

export const freeDelaySeconds = 60

/** Requests a minute from one address without a key, for public lists. */
export const publicRequestsPerMinute = 10

/** WebSocket upgrades a minute from one address without a key. The key then comes in a frame. */
export const keylessUpgradesPerMinute = 120

/** Refused keys and tokens a minute from one address that get a specific error. Further ones get 429. */
export const refusedPerMinute = 300

/** Requests a minute from one address for the large documents that describe the service. */
export const documentsPerMinute = 60

/** Most streams at once during a trial. */
const trialStreams = 1

/** Returns the families of opportunities of a tier. */
function familiesOf(tier: Tier): Readonly<Record<Family, boolean>> {
  const rank = tiers.indexOf(tier)
  return Object.fromEntries(
    opportunityKinds.map((kind) => [familyOf(kind), tiers.indexOf(lowestTierOf(kind)) <= rank]),
  ) as Record<Family, boolean>
}

const free: TierRights = {
  tier: 'free',
  requestsPerMinute: 12,
  workMsPerMinute: 2_400,
  delaySeconds: freeDelaySeconds,
  sportsbooks: tierBooks.free,
  batchEvents: 10,
  keysPerAccount: 1,
  bets: 0,
  alerts: 0,
  streams: 0,
  features: {
    ...familiesOf('free'),
    deep_links: false,
    futures: false,
    splits: false,
    closing_line: false,
    closing_lines: false,
    streaming: false,
    game_state: false,
  },
}

const hobby: TierRights = {
  ...free,
  tier: 'hobby',
  requestsPerMinute: 120,
  workMsPerMinute: 4_000,
  delaySeconds: 0,
  sportsbooks: tierBooks.hobby,
  alerts: 10,
  streams: 10,
  features: { ...free.features, ...familiesOf('hobby'), deep_links: true },
}

const pro: TierRights = {
  ...hobby,
  tier: 'pro',
  requestsPerMinute: 300,
  workMsPerMinute: 6_000,
  sportsbooks: tierBooks.pro,
  alerts: 25,
  batchEvents: 50,
  features: {
    ...hobby.features,
    ...familiesOf('pro'),
    futures: true,
    splits: true,
    closing_line: true,
  },
}

const sharp: TierRights = {
  ...pro,
  tier: 'sharp',
  requestsPerMinute: 1_000,
  workMsPerMinute: 10_000,
  sportsbooks: tierBooks.sharp,
  keysPerAccount: 2,
  bets: 10_000,
  alerts: 50,
  features: { ...pro.features, closing_lines: true },
}

const enterprise: TierRights = {
  ...sharp,
  tier: 'enterprise',
  requestsPerMinute: 10_000,
  workMsPerMinute: 20_000,
  sportsbooks: tierBooks.enterprise,
  batchEvents: 100,
  keysPerAccount: 100,
  bets: 100_000,
  alerts: 1_000,
  streams: 50,
  features: { ...sharp.features, streaming: true, game_state: true },
}

export const tierRights: Readonly<Record<Tier, TierRights>> = {
  free,
  hobby,
  pro,
  sharp,
  enterprise,
}

/** Returns the features that are families of opportunities. */
export const familyFeatures = (features: Features) =>
  Object.fromEntries(familyNames.map((family) => [family, features[family]]))

/** The rights of an account at one time. */
export interface RightsNow {
  readonly features: Features
  /** Add-ons in force. The free tier has none. */
  readonly addOns: readonly AddOn[]
  readonly maxStreams: number
  /** Whether it may stream only because of its trial. Then a key's own number of streams does not raise the limit. */
  readonly isStreamingByTrial: boolean
  /** When these rights change without any action (epoch ms), as a trial ends; Infinity for never. */
  readonly changesAt: number
}

/** Returns the rights of an account: those of its tier, its add-ons and its streaming trial. */
export function rightsNow(
  { tier, addOns: booked, trialEndsAt }: Pick<AccountRow, 'tier' | 'addOns' | 'trialEndsAt'>,
  now: number,
): RightsNow {
  const { features, streams } = tierRights[tier]
  const addOns = tier === 'free' ? [] : booked
  const isTrying = tier !== 'free' && trialEndsAt !== null && now < trialEndsAt
  const mayStream = features.streaming || addOns.includes('streaming')
  return {
    features: {
      ...features,
      streaming: mayStream || isTrying,
      game_state: features.game_state || addOns.includes('game_state'),
    },
    addOns,
    maxStreams: mayStream ? streams : isTrying ? trialStreams : 0,
    isStreamingByTrial: isTrying && !mayStream,
    changesAt: isTrying ? trialEndsAt : Number.POSITIVE_INFINITY,
  }
}

/** A feature that a route requires, and the error code without it. */
export interface RequiredFeature {
  readonly feature: keyof Features
  readonly otherwise: 'feature_required' | 'tier_restricted'
  /** The add-on that includes it, if any. */
  readonly addOn?: AddOn
}

/** @throws ApiError with the route's code, for a caller without the required feature */
export function requireFeature(
  { requires }: { readonly requires?: RequiredFeature },
  { tier, features }: { readonly tier: Tier; readonly features: Features },
) {
  if (!requires || features[requires.feature]) return
  const { feature, addOn, otherwise } = requires
  throw new ApiError(otherwise, ...lackOfFeatures(tier, [feature], addOn))
}

/**
 * Returns message and details of the error for a tier without these features.
 * @param addOn one that includes them all
 */
export function lackOfFeatures(
  tier: Tier,
  features: readonly (keyof Features)[],
  addOn?: AddOn,
): readonly [message: string, details: Readonly<Record<string, unknown>>] {
  const [required = null] = tiersWith(features)
  const details = {
    ...{ tier, required_tier: required },
    ...(addOn !== undefined && { addon: addOn }),
  }
  return [lackOf(tier, features, addOn), details]
}

/** Names of features for messages. */
const featureNames: Readonly<Record<keyof Features, string>> = {
  ...(Object.fromEntries(
    opportunityKinds.map((kind) => [familyOf(kind), wordsOf(kind)]),
  ) as Readonly<Record<Family, string>>),
  deep_links: 'links to sportsbooks',
  futures: 'futures',
  splits: 'shares of bets and money',
  closing_line: 'closing lines',
  closing_lines: 'history (past prices, movements, closing lines by day, CLV, bets of your own)',
  streaming: 'streams',
  game_state: 'states of games',
}

const tiersWith = (features: readonly (keyof Features)[]) =>
  tiers.filter((tier) => features.every((feature) => tierRights[tier].features[feature]))

const together = new Intl.ListFormat('en')

/**
 * Returns the message for a caller without these features: its tier, the features, the tiers that have them.
 * @param addOn one that includes them too
 */
export function lackOf(tier: Tier, features: readonly (keyof Features)[], addOn?: AddOn): string {
  const having = tiersWith(features)
  const others = addOn === undefined ? '' : `, and any paid tier with the add-on ${addOn}`
  const what = together.format(features.map((feature) => featureNames[feature]))
  return `The ${tier} tier does not include ${what}: ${theyDo(having)}${others}.`
}

/** Returns text such as `pro, sharp, and enterprise do`. */
export const theyDo = (having: readonly Tier[]) =>
  `${together.format(having)} ${having.length === 1 ? 'does' : 'do'}`
