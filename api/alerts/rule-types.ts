/** All types of alert rules. A new type needs a module and an entry here. */

import { isoTime } from '../../pipeline/text/iso-time.ts'
import type { AlertRow, RuleType } from '../../schemas/alert.ts'
import type { AlertMessage } from '../../schemas/http/alerts.ts'
import { requireAlerts } from './alert-limit.ts'
import { aboutRule, type MessageParts } from './alert-messages.ts'
import { moveRule } from './move-rule.ts'
import { opportunityRule } from './opportunity-rule.ts'
import { priceRule } from './price-rule.ts'
import type { AlertRights, CompiledAlert, RuleDefinition, TypeOfRule } from './rule-type.ts'
import { sourceRule } from './source-rule.ts'

const typesOfRules = {
  opportunity: opportunityRule,
  price: priceRule,
  move: moveRule,
  source: sourceRule,
} as const satisfies { readonly [Type in RuleType]: object }

/** Returns a type by name. The cast is needed because the compiler cannot match `compile` with its finder's rules. */
export const typeOfRule = (type: RuleType) => typesOfRules[type] as unknown as TypeOfRule<RuleType>

/** @throws ApiError as `TypeOfRule.compile`, and tier_restricted for a tier without alerts */
export function compileAlert(alert: RuleDefinition, rights: AlertRights): CompiledAlert {
  const compiled = typeOfRule(alert.type).compile(alert, rights)
  requireAlerts(rights.scope.tier)
  return compiled
}

/** Returns a message that tests whether the target can be reached. */
export const testMessage = (alert: AlertRow, parts: MessageParts): AlertMessage => ({
  type: 'alert.test',
  timestamp: isoTime(parts.clock()),
  data: {
    ...aboutRule(alert, typeOfRule(alert.type).paths(alert), parts),
    title: `Test of the alert "${alert.name}"`,
  },
})

/** Returns JSON filters as a query string. */
export function queryOf(filters: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filters)) query.set(name, String(value))
  return query.toString().replaceAll('%2C', ',')
}
