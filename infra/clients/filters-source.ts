/** Generates what the clients take from the service's parameters of streams: filters, and what is no filter. */

import { z } from 'zod'
import { streamFilters } from '../../schemas/stream/filters.ts'
import { sseQuery, websocketQuery } from '../../schemas/stream/parameters.ts'

/** Filters that the client leaves out: it always stores whole rows, and chooses families by channels. */
const leftOut = new Set(['fields', 'kinds'])

/** Parameters that both clients set by themselves, in order. `state`, that of the links, is the caller's. */
export const ownParameters: readonly string[] = Object.keys({ ...sseQuery, ...websocketQuery })
  .filter((name) => name !== 'state' && (leftOut.has(name) || !streamFilters.has(name)))
  .toSorted()

/** @returns the source of `StreamFilters`, of the filters' names in frames, and of the parameters that are no filters */
export function filtersSource(): string {
  const framed = [...streamFilters].flatMap(([name, { frame }]) =>
    frame && !leftOut.has(name) ? [{ name, frame }] : [],
  )
  const members = framed.map(
    ({ name, frame }) =>
      `  /** ${frame.description} */\n  readonly ${name}?: ${typeOf(frame.value.shown)}\n`,
  )
  const names = framed.map(({ name, frame }) => `  ${name}: '${frame.name}',\n`)
  return `/** Generated from the service's table of filters by \`npm run generate\`. */

/** Which rows to receive. A filter that is absent allows all; an empty list or text is a TypeError. Ids are those of the service's lists. */
export interface StreamFilters {
${members.join('')}}

/** The name of each filter in a frame. */
export const frameNames: Readonly<Record<keyof StreamFilters, string>> = {
${names.join('')}}

/** Parameters of a stream that the client sets. */
export const ownParameters: readonly string[] = [
${ownParameters.map((name) => `  '${name}',\n`).join('')}]
`
}

function typeOf(schema: z.ZodType): string {
  const { type, anyOf = [] } = z.toJSONSchema(schema)
  const [first] = [type, ...anyOf.map((one) => one.type)]
    .flat()
    .filter((one) => one && one !== 'null')
  return first === 'array' ? 'readonly string[]' : String(first)
}
