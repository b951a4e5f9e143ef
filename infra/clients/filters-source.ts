/** What streams are narrowed by, as TypeScript, from the service's own table of filters. */

import { z } from 'zod'
import { streamFilters } from '../../schemas/stream/filters.ts'

/** The client holds whole rows, and its channels name the families. */
const leftOut = new Set(['fields', 'kinds'])

/** @returns the source of `StreamFilters`, and of what each is called in frames */
export function filtersSource(): string {
  const framed = [...streamFilters].flatMap(([name, { frame }]) =>
    frame && !leftOut.has(name) ? [{ name, frame }] : [],
  )
  const members = framed.map(
    ({ name, frame }) =>
      `  /** ${frame.description} */\n  readonly ${name}?: ${typeOf(frame.value.told)}\n`,
  )
  const names = framed.map(({ name, frame }) => `  ${name}: '${frame.name}',\n`)
  return `/** Generated from the service's table of filters by \`npm run generate\`. */

/** Which rows; a member that is not given, or is empty, allows all. Ids as the service's lists show them. */
export interface StreamFilters {
${members.join('')}}

/** What each is called in a frame. */
export const frameNames: Readonly<Record<keyof StreamFilters, string>> = {
${names.join('')}}
`
}

function typeOf(schema: z.ZodType): string {
  const { type, anyOf = [] } = z.toJSONSchema(schema)
  const [first] = [type, ...anyOf.map((one) => one.type)]
    .flat()
    .filter((one) => one && one !== 'null')
  return first === 'array' ? 'readonly string[]' : String(first)
}
