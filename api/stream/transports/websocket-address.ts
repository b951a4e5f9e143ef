/**
 * What the address of a WebSocket asks for. What is malformed in it does not count, and is told. Where
 * it would narrow what is sent, nothing is sent before a frame says it better.
 */

import { invariant } from '../../../pipeline/invariant.ts'
import { createQueryReader, type Query } from '../../../schemas/http/query.ts'
import { websocketQuery } from '../../../schemas/stream/parameters.ts'
import type { Start } from '../channel.ts'
import { fromSnapshot } from '../member.ts'
import { parsePosition } from '../positions.ts'

type AddressQuery = Query<typeof websocketQuery>

export interface Address {
  readonly query: AddressQuery
  /** What is wrong with it, by parameter. */
  readonly problems: Readonly<Record<string, string>>
  /** Whether that is, or may be, something that narrows what is sent. */
  readonly hasFaultyFilter: boolean
}

const read = createQueryReader(websocketQuery, ['api_key'])

/** The address without what is malformed or not known in it, and what is wrong with that. */
export function readAddress(raw: string): Address {
  const first = read(raw)
  if (first.ok) return withPosition(first.query, {}, false)
  const params = new URLSearchParams(raw)
  const problems: Record<string, string> = { ...first.problems }
  for (const name of first.unknown) {
    params.delete(name)
    problems[name.slice(0, 60)] = 'is no parameter'
  }
  for (const name of Object.keys(first.problems)) {
    for (const spelling of spellingsOf(name)) params.delete(spelling)
  }
  const again = read(params.toString())
  invariant(again.ok, 'an address without its faults is read')
  const hasFaultyFilter = Object.keys(problems).some((name) => !asksForNoLess.has(name))
  return withPosition(again.query, problems, hasFaultyFilter)
}

/** Without these the client is told the same rows, or more of those it has had. */
const asksForNoLess: ReadonlySet<string> = new Set<keyof AddressQuery>([
  'resume',
  'from_seq',
  'resume_from',
  'proof',
  'heartbeat_seconds',
  'state',
])

function withPosition(
  query: AddressQuery,
  problems: Address['problems'],
  hasFaultyFilter: boolean,
): Address {
  if (query.resume_from === undefined || parsePosition(query.resume_from)) {
    return { query, problems, hasFaultyFilter }
  }
  const all = { resume_from: 'is no position a stream has given', ...problems }
  return { query, problems: all, hasFaultyFilter }
}

const spellingsOf = (name: string) => [
  name,
  ...((
    websocketQuery as Readonly<
      Record<string, { meta(): { 'x-aliases'?: readonly string[] } | undefined }>
    >
  )[name]?.meta()?.['x-aliases'] ?? []),
]

/** From where the client goes on. */
export function startOf({ query, problems }: Address): Start {
  const { resume_from, resume, from_seq } = query
  if (resume_from !== undefined) {
    const position = parsePosition(resume_from)
    return position ? { from: 'position', position } : fromSnapshot
  }
  // A number that cannot be read is not taken as "from now on".
  if (!resume || 'from_seq' in problems) return fromSnapshot
  return from_seq === undefined ? { from: 'now' } : { from: 'sequence', globalSeq: from_seq }
}
