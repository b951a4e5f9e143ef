/** The types of rules. A new one is a module, and a line here. */

import { isoTime } from '../../pipeline/text/iso-time.ts'
import type { AlertRow, RuleType } from '../../schemas/alert.ts'
import type { AlertMessage } from '../../schemas/http/alerts.ts'
import { aboutRule, type MessageParts } from './alert-messages.ts'
import { moveRule } from './move-rule.ts'
import { opportunityRule } from './opportunity-rule.ts'
import { priceRule } from './price-rule.ts'
import type { AlertRights, Asked, CompiledAlert, TypeOfRule } from './rule-type.ts'
import { sourceRule } from './source-rule.ts'

const typesOfRules = {
  opportunity: opportunityRule,
  price: priceRule,
  move: moveRule,
  source: sourceRule,
} as const satisfies { readonly [Type in RuleType]: object }

/** The type by its name; the compiler does not know that what it compiles is what its finder takes. */
export const typeOfRule = (type: RuleType) => typesOfRules[type] as unknown as TypeOfRule<RuleType>

/** @throws ApiError as `TypeOfRule.compile` */
export const compileAlert = (alert: Asked, rights: AlertRights): CompiledAlert =>
  typeOfRule(alert.type).compile(alert, rights)

/** A message that shows whether the target is reached. */
export const testMessage = (alert: AlertRow, parts: MessageParts): AlertMessage => ({
  type: 'alert.test',
  timestamp: isoTime(parts.clock()),
  data: {
    ...aboutRule(alert, typeOfRule(alert.type).paths(alert), parts),
    title: `Test of the alert "${alert.name}"`,
  },
})

/** The address form of filters as JSON has them. */
export function queryOf(filters: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filters)) query.set(name, String(value))
  return query.toString().replaceAll('%2C', ',')
}
