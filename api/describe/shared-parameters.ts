/** Shares parameters of many operations in the OpenAPI document by reference. */

import { refTo } from './openapi-schemas.ts'

export interface DescribedOperation {
  parameters?: object[]
  readonly [member: string]: unknown
}

/** Fewest operations for which a parameter is shared. */
const fewest = 3

/**
 * Replaces parameters that are identical in several operations by references. If a name has several definitions, the
 * most common has the plain reference and the others are numbered: `Limit`, `Limit2`.
 * @returns the shared parameters by the names of their references
 */
export function shareParameters(
  paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>,
): Record<string, object> {
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  const counts = new Map<string, number>()
  for (const { parameters = [] } of operations) {
    for (const parameter of parameters) {
      const text = JSON.stringify(parameter)
      counts.set(text, (counts.get(text) ?? 0) + 1)
    }
  }
  const shared = new Map<string, string>()
  const definitions = new Map<string, number>()
  for (const [text, count] of [...counts].sort(([, a], [, b]) => b - a)) {
    const parameter: { readonly name?: string } = JSON.parse(text)
    if (count < fewest || parameter.name === undefined) continue
    const name = componentName(parameter.name)
    const number = (definitions.get(name) ?? 0) + 1
    definitions.set(name, number)
    shared.set(text, number === 1 ? name : `${name}${number}`)
  }
  for (const operation of operations) {
    if (!operation.parameters) continue
    operation.parameters = operation.parameters.map((parameter) => {
      const name = shared.get(JSON.stringify(parameter))
      return name === undefined ? parameter : refTo('parameters', name)
    })
  }
  return Object.fromEntries([...shared].map(([text, name]) => [name, JSON.parse(text)]))
}

/** Returns the component's name: `MinOdds` of `min_odds`, `EventId` of `eventId`. */
const componentName = (name: string) =>
  name
    .split('_')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')
