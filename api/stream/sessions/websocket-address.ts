/**
 * Reads the address of a WebSocket. Malformed parameters are reported and ignored. If one would have narrowed the
 * query, nothing is sent until a frame replaces it.
 */

import { invariant } from '../../../pipeline/invariant.ts'
import { aliasesOf, createQueryReader, type Query } from '../../../schemas/http/query.ts'
import { websocketQuery } from '../../../schemas/stream/parameters.ts'
import type { Start } from '../delivery/channel.ts'
import { fromSnapshot } from '../delivery/client.ts'
import type { PositionTokens } from '../timeline/positions.ts'

type AddressQuery = Query<typeof websocketQuery>

export interface Address {
  readonly query: AddressQuery
  /** Problems by parameter. A map, because a client may name a parameter `__proto__`. */
  readonly problems: ReadonlyMap<string, string>
  /** Whether a problem may concern a parameter that narrows the query. */
  readonly hasFaultyFilter: boolean
  readonly start: Start
}

const read = createQueryReader(websocketQuery, ['api_key'])

/** Reads the valid parameters, and collects problems with the others. */
export function readAddress(raw: string, tokens: Pick<PositionTokens, 'parse'>): Address {
  const first = read(raw)
  if (first.ok) return withStart(first.query, new Map(), false, tokens)
  const problems = new Map(Object.entries(first.problems))
  for (const name of first.unknown) problems.set(name.slice(0, 60), 'is an unknown parameter')
  const valid = new Set(
    Object.entries(websocketQuery).flatMap(([name, parameter]) =>
      name in first.problems ? [] : [name, ...aliasesOf(parameter)],
    ),
  )
  const params = [...new URLSearchParams(raw)].filter(([spelling]) => valid.has(spelling))
  const again = read(new URLSearchParams(params).toString())
  invariant(again.ok, 'an address without its faults is read')
  const hasFaultyFilter = [...problems.keys()].some((name) => !neverNarrowing.has(name))
  return withStart(again.query, problems, hasFaultyFilter, tokens)
}

/** Without these parameters the client gets the same rows, or more of them. */
const neverNarrowing: ReadonlySet<string> = new Set<keyof AddressQuery>([
  'resume',
  'from_seq',
  'resume_from',
  'proof',
  'heartbeat_seconds',
  'state',
])

function withStart(
  query: AddressQuery,
  problems: Address['problems'],
  hasFaultyFilter: boolean,
  tokens: Pick<PositionTokens, 'parse'>,
): Address {
  const { resume_from, resume, from_seq } = query
  const address = { query, problems, hasFaultyFilter }
  if (resume_from !== undefined) {
    const position = tokens.parse(resume_from)
    if (position) return { ...address, start: { from: 'position', position } }
    const all = new Map([['resume_from', 'must be a position from a stream'], ...problems])
    return { ...address, problems: all, start: fromSnapshot }
  }
  // A malformed number must not mean "from now on".
  if (!resume || problems.has('from_seq')) return { ...address, start: fromSnapshot }
  const start: Start =
    from_seq === undefined ? { from: 'now' } : { from: 'sequence', globalSeq: from_seq }
  return { ...address, start }
}
