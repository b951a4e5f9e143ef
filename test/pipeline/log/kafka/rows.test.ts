/** Rows of made-up records; `kafka-log.kafka.test.ts` tests them with a registry. */

import { expect, it } from 'vitest'
import type { Codec } from '../../../../pipeline/log/kafka/codec.ts'
import { createRows } from '../../../../pipeline/log/kafka/rows.ts'
import { topics } from '../../../../schemas/topics.ts'

const codec: Partial<Codec> = {
  async prepare() {},
  decode(value) {
    if (`${value}` === 'nonsense') throw new Error('no row')
    return `${value}`
  },
}

it('an undecodable record is left out, reported and counted, as often as it is read', async () => {
  let now = 0
  const told: string[] = []
  const rows = createRows({
    codecOf: () => codec as Codec,
    registry: { asks() {}, answered() {}, failed() {}, gone() {} },
    patientUntil: new AbortController().signal,
    onPoison: ({ key }, { message }) => void told.push(`${key}: ${message}`),
    now: () => now,
  })
  const raw = ['fine', 'nonsense', 'fine'].map((text, offset) => ({
    offset,
    key: String(offset),
    value: Buffer.from(text),
  }))
  expect(rows.undecodable()).toEqual({ counts: new Map(), last: null })
  const decoded = await rows.decode(topics.odds, 0, raw)
  expect(decoded.map(({ key }) => key)).toEqual(['0', '2'])
  now = 500
  await rows.decode(topics.feedOdds, 0, raw)
  await rows.decode(topics.odds, 0, raw)
  now = 2_000
  expect(told).toEqual(['1: no row', '1: no row', '1: no row'])
  expect(rows.undecodable()).toEqual({
    counts: new Map([
      [topics.odds.name, 2],
      [topics.feedOdds.name, 1],
    ]),
    last: { topic: topics.odds.name, agoMs: 1_500 },
  })
})
