/** What comes before its event waits for it, and no longer than its own row is there. */

import { expect, it } from 'vitest'
import { createBoardView } from '../../../../pipeline/views/board/board-view.ts'
import { createEarlyRecords } from '../../../../pipeline/views/board/early-records.ts'
import { sightingKey } from '../../../../schemas/sighting.ts'
import { type Topic, topics } from '../../../../schemas/topics.ts'
import { baseTime, game, knicks, quote, sighting } from '../../../api/small-board.ts'

const record = <Row>(topic: Topic<Row>, key: string, value: Row | null) => ({
  ...{ topic: topic as Topic, partition: 0, offset: 0, key, value },
})
const seen = (sportsbook: string, at: number, value = sighting(knicks, sportsbook, at)) =>
  record(topics.sightings, sightingKey(knicks, sportsbook), value)
const unseen = (sportsbook: string) =>
  record(topics.sightings, sightingKey(knicks, sportsbook), null)
const price = (sportsbook: string, value: number) => {
  const row = quote(knicks, { sportsbook, price: value })
  return record(topics.odds, String(row.id), row)
}

it('is taken in order of arrival, the newest of each row', () => {
  const early = createEarlyRecords()
  const [first, second, third] = [
    seen('draftkings', baseTime),
    price('draftkings', 2),
    seen('draftkings', baseTime + 1),
  ]
  for (const one of [first, second, third]) early.wait(knicks, one)
  expect(early.take(knicks)).toEqual([second, third])
  expect(early.take(knicks)).toEqual([])
})

it('is dropped with its row', () => {
  const early = createEarlyRecords()
  const [one, two] = [seen('draftkings', baseTime), price('draftkings', 2)]
  early.wait(knicks, one)
  early.wait(knicks, two)
  early.withdraw({ ...two, value: null })
  expect(early.take(knicks)).toEqual([one])
  early.wait(knicks, one)
  early.withdraw(unseen('draftkings'))
  early.withdraw(unseen('draftkings'))
  expect(early.take(knicks)).toEqual([])
})

it('puts no sportsbook on an event whose sighting of it is gone', () => {
  const board = createBoardView()
  const position = { epoch: 'e', offsets: {} }
  board.apply([seen('draftkings', baseTime), seen('fanduel', baseTime)], position, baseTime)
  board.apply([unseen('draftkings')], position, baseTime)
  board.apply([record(topics.events, knicks, game(knicks))], position, baseTime)
  expect([...board.find(knicks)!.offers.keys()]).toEqual(['fanduel'])
})
