/** `tail` of opportunities: a line a change, also of those that a break hides. */

import { expect, test, vi } from 'vitest'
import type { Client } from '../../../api/clients/typescript/src/index.ts'
import { type Family, families } from '../../../api/clients/typescript/src/stream/held-rows.ts'
import { tail } from '../../../api/command-line/tail.ts'
import { streamedKinds } from '../../../schemas/stream/events.ts'

interface Sent {
  readonly name: string
  readonly body: object
}

/** Returns the lines that are printed for the messages of a stream. */
async function printed(channel: Family, messages: readonly Sent[], json = false) {
  let text = ''
  const client = {
    get: async () => ({}),
    async *messages() {
      yield* messages
    },
  } as unknown as Client
  const written = vi.spyOn(process.stdout, 'write').mockImplementation((part) => {
    text += part
    return true
  })
  try {
    const options = { channel, league: [], market: [], json }
    await tail(client, options, (_, plain) => plain, new AbortController().signal)
  } finally {
    written.mockRestore()
  }
  return text.split('\n').slice(0, -1)
}

const exampleIn = (family: Family) =>
  streamedKinds.find((kind) => kind.family === family)!.examples[0] as { readonly id: string }
const complete = { name: 'snapshot:complete', body: {} }
const snapshot = (items: readonly object[], part: object = { chunk: 1, offset: 0 }) => ({
  name: 'snapshot',
  body: { arbitrage: items, ...part },
})

const lines: Readonly<Record<Family, string>> = {
  ev: 'ev:detected  Chicago Bulls @ New York Knicks  total_points  228.5  4.07 %  draftkings Over 228.5 -104',
  arbitrage:
    'arb:detected  Chicago Bulls @ New York Knicks  moneyline  0.98 %  caesars Chicago Bulls +172  draftkings New York Knicks -165',
  middles:
    'middles:detected  Chicago Bulls @ New York Knicks  total_points  2.94 %  fanduel Over 226.5 -110  caesars Under 229.5 -105',
  low_hold:
    'low_hold:detected  Chicago Bulls @ New York Knicks  total_points  228.5  0.73 %  betmgm,draftkings Over 228.5 -104  fanduel Under 228.5 +101',
}

test.each(families)('the line of %s says what it is worth, and its bets', async (family) => {
  const prefix = streamedKinds.find((kind) => kind.family === family)!.prefix
  const item = exampleIn(family)
  const messages = [
    complete,
    { name: `${prefix}:detected`, body: [item] },
    { name: `${prefix}:expired`, body: { expired: [item.id, 'unknown'] } },
  ]
  expect(await printed(family, messages)).toEqual([
    lines[family],
    lines[family].replace('detected', 'expired'),
    `${prefix}:expired  unknown`,
  ])
  expect((await printed(family, messages, true)).map((line) => JSON.parse(line))).toEqual([
    { type: `${prefix}:detected`, id: item.id, row: item },
    { type: `${prefix}:expired`, id: item.id, row: null },
    { type: `${prefix}:expired`, id: 'unknown', row: null },
  ])
})

test('what a break hides is told when the stream is whole again', async () => {
  const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map((id) => ({
    ...exampleIn('arbitrage'),
    id,
  })) as [object, object, object, object, object]
  const told = await printed(
    'arbitrage',
    [
      snapshot([a]),
      complete,
      { name: 'arb:detected', body: [b, c] },
      // The connection is lost, and once more in the middle of the next snapshot.
      { name: 'connected', body: {} },
      snapshot([c, e]),
      { name: 'connected', body: {} },
      snapshot([c]),
      snapshot([d], { chunk: 2, offset: 1 }),
      complete,
      { name: 'arb:expired', body: { expired: ['c'] } },
    ],
    true,
  )
  expect(told.map((line) => JSON.parse(line)).map(({ type, id }) => `${type} ${id}`)).toEqual([
    'arb:detected b',
    'arb:detected c',
    'arb:expired a',
    'arb:expired b',
    'arb:detected d',
    'arb:expired c',
  ])
})
