/** What the address of a WebSocket asks for. What is malformed in it does not count, and is told. */

import { invariant } from '../../../pipeline/invariant.ts'
import { createQueryReader, type Query } from '../../../schemas/http/query.ts'
import { websocketQuery } from '../../../schemas/stream/parameters.ts'
import type { Start } from '../channel.ts'
import { fromSnapshot } from '../member.ts'
import type { PositionTokens } from '../positions.ts'

type AddressQuery = Query<typeof websocketQuery>

export interface Address {
  readonly query: AddressQuery
  /** What is wrong with it, by parameter. */
  readonly problems: Readonly<Record<string, string>>
  /** From where the client goes on. */
  readonly start: Start
}

const read = createQueryReader(websocketQuery, ['api_key'])

/** The address without what is malformed or not known in it, and what is wrong with that. */
export function readAddress(raw: string, tokens: Pick<PositionTokens, 'parse'>): Address {
  const first = read(raw)
  if (first.ok) return withStart(first.query, {}, tokens)
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
  return withStart(again.query, problems, tokens)
}

function withStart(
  query: AddressQuery,
  problems: Address['problems'],
  tokens: Pick<PositionTokens, 'parse'>,
): Address {
  const { resume_from, resume, from_seq } = query
  if (resume_from !== undefined) {
    const position = tokens.parse(resume_from)
    if (position) return { query, problems, start: { from: 'position', position } }
    const resumeProblem = { resume_from: 'is no position a stream has given' }
    return { query, problems: { ...resumeProblem, ...problems }, start: fromSnapshot }
  }
  // A number that cannot be read is not taken as "from now on".
  if (!resume || 'from_seq' in problems) return { query, problems, start: fromSnapshot }
  const start: Start =
    from_seq === undefined ? { from: 'now' } : { from: 'sequence', globalSeq: from_seq }
  return { query, problems, start }
}

const spellingsOf = (name: string) => [
  name,
  ...((
    websocketQuery as Readonly<
      Record<string, { meta(): { 'x-aliases'?: readonly string[] } | undefined }>
    >
  )[name]?.meta()?.['x-aliases'] ?? []),
]
