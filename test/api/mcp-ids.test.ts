import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { idAtEnds } from '../../api/mcp/id-at-ends.ts'

const idOf = (body: unknown, indent?: number) =>
  idAtEnds(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body, null, indent)))

const params = { name: 'get_odds', arguments: { q: 'x'.repeat(9_000), id: 'of the arguments' } }
const about = { jsonrpc: '2.0', method: 'tools/call' }

describe('the id of a long message', () => {
  test.each([7, -1, 0, 'x', 'ein "é"', '', '0'])('is %j before its parameters or after', (id) => {
    for (const indent of [0, 2]) {
      expect(idOf({ ...about, id, params }, indent)).toBe(id)
      expect(idOf({ id, ...about, params }, indent)).toBe(id)
      expect(idOf({ method: 'tools/call', params, jsonrpc: '2.0', id }, indent)).toBe(id)
      expect(idOf({ params, id, ...about }, indent)).toBe(id)
    }
  })

  test.each([
    ['a batch', JSON.stringify([{ ...about, id: 1, params }])],
    ['no id', JSON.stringify({ ...about, params })],
    ['an id of the parameters alone', JSON.stringify({ ...about, params: { ...params, id: 5 } })],
    ['an id of the arguments alone', JSON.stringify({ params: { arguments: params } })],
    ['no id that JSON-RPC has', JSON.stringify({ id: 1.5, params })],
    ['null', JSON.stringify({ params, id: null })],
    ['one in a text', JSON.stringify({ ...about, params: `${'x'.repeat(9_000)},"id":5}` })],
    ['one between long members', JSON.stringify({ params, id: 5, others: params })],
    ['a number of no form', `{"id":007,"params":"${'x'.repeat(9_000)}"}`],
    ['no JSON', '},"id":'],
    ['nothing', ''],
  ])('is unknown for %s', (_, body) => {
    expect(idOf(body)).toBeUndefined()
  })

  it('is the message’s own whatever it is made of, or unknown', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('id', 'a', ',"id":1'), fc.jsonValue()), (one) => {
        const own = (one as { id?: unknown }).id
        const found = idOf({ ...one })
        return found === undefined || found === own
      }),
      { numRuns: 5_000 },
    )
  })
})
