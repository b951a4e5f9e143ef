/**
 * How many alerts an account may have: none, or its tier's number. If it has more, the oldest run.
 */

import type { AlertRow } from '../../schemas/alert.ts'
import type { Tier } from '../../schemas/reference/tier-books.ts'
import { theyDo, tierRights, tiers } from '../access/tiers.ts'
import { ApiError } from '../errors.ts'

const tiersWithAlerts = tiers.filter((tier) => tierRights[tier].alerts > 0)

/** @throws ApiError tier_restricted for a tier without alerts */
export function requireAlerts(tier: Tier) {
  if (tierRights[tier].alerts > 0) return
  const [required = null] = tiersWithAlerts
  throw new ApiError(
    'tier_restricted',
    `The ${tier} tier does not include alerts: ${theyDo(tiersWithAlerts)}.`,
    { tier, required_tier: required },
  )
}

/**
 * Returns why alerts wait, by their id: those beyond the number of their account's tier. An account
 * has an alert until it deletes it, so paused and blocked ones count.
 * @param oldestFirst the alerts, oldest first
 * @param tierOf the tier of an alert's account; undefined without the account
 */
export function beyondLimit(
  oldestFirst: Iterable<AlertRow>,
  tierOf: (alert: AlertRow) => Tier | undefined,
): Map<string, string> {
  const beyond = new Map<string, string>()
  const counts = new Map<string, number>()
  for (const alert of oldestFirst) {
    const tier = tierOf(alert)
    // Without the right to any alert, each is blocked for that reason.
    if (tier === undefined || tierRights[tier].alerts === 0) continue
    const count = (counts.get(alert.accountId) ?? 0) + 1
    counts.set(alert.accountId, count)
    if (count > tierRights[tier].alerts) beyond.set(alert.id, reasonIn(tier))
  }
  return beyond
}

const reasonIn = (tier: Tier) =>
  `The ${tier} tier includes ${tierRights[tier].alerts} alerts, and the account has as many older ones; this one waits until one of them is deleted.`
