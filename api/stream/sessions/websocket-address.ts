/**
 * What the address of a WebSocket asks for. What is malformed in it does not count, and is told. Where
 * it would narrow what is sent, nothing is sent before a frame says it better.
 */

import { invariant } from '../../../pipeline/invariant.ts'
import { createQueryReader, type Query } from '../../../schemas/http/query.ts'
import { websocketQuery } from '../../../schemas/stream/parameters.ts'
import type { Start } from '../delivery/channel.ts'
import { fromSnapshot } from '../delivery/client.ts'
import type { PositionTokens } from '../timeline/positions.ts'

type AddressQuery = Query<typeof websocketQuery>

export interface Address {
  readonly query: AddressQuery
  /** What is wrong with it, by parameter. */
  readonly problems: Readonly<Record<string, string>>
  /** Whether that is, or may be, something that narrows what is sent. */
  readonly hasFaultyFilter: boolean
  /** From where the client goes on. */
  readonly start: Start
}

const read = createQueryReader(websocketQuery, ['api_key'])

/** The address without what is malformed or not known in it, and what is wrong with that. */
export function readAddress(raw: string, tokens: Pick<PositionTokens, 'parse'>): Address {
  const first = read(raw)
  if (first.ok) return withStart(first.query, {}, false, tokens)
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
  const hasFaultyFilter = Object.keys(problems).some((name) => !neverNarrowing.has(name))
  return withStart(again.query, problems, hasFaultyFilter, tokens)
}

/** Without these the client is told the same rows, or more of those it has had. */
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
    const all = { resume_from: 'is no position a stream has given', ...problems }
    return { ...address, problems: all, start: fromSnapshot }
  }
  // A number that cannot be read is not taken as "from now on".
  if (!resume || 'from_seq' in problems) return { ...address, start: fromSnapshot }
  const start: Start =
    from_seq === undefined ? { from: 'now' } : { from: 'sequence', globalSeq: from_seq }
  return { ...address, start }
}

const spellingsOf = (name: string) => [
  name,
  ...((
    websocketQuery as Readonly<
      Record<string, { meta(): { 'x-aliases'?: readonly string[] } | undefined }>
    >
  )[name]?.meta()?.['x-aliases'] ?? []),
]
