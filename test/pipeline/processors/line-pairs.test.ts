/** Which lines of a ladder are paired, on ladders of any length and however they came to be. */

import { expect, it } from 'vitest'
import { createRandom } from '../../../pipeline/feeds/simulator/random.ts'
import type { Append } from '../../../pipeline/log/log.ts'
import {
  createLinePairs,
  type LinePair,
  mostNeighbours,
  type PairedLine,
} from '../../../pipeline/processors/opportunities/line-pairs.ts'
import { opportunities } from '../../../pipeline/processors/opportunities/opportunities.ts'
import { noFees } from '../../../pipeline/rules/odds/fees.ts'
import type { EventRow } from '../../../schemas/event.ts'
import type { OddsRow } from '../../../schemas/odds.ts'
import { topics } from '../../../schemas/topics.ts'
import { testSeed } from '../../seed.ts'

interface Rung extends PairedLine<LinePair<Rung>> {}

/** Returns as many lines in steps of a hundredth, each once for home's total and once for away's. */
function ladderOf(length: number): readonly Rung[] {
  const shape = { middles: 'total', types: [['over'], ['under']] }
  const event = { row: { sport: 'basketball' } }
  const ladder = { shape, event, marketType: 'team_total' }
  return Array.from({ length: 2 * length }, (_, i) => {
    const rung = { ladder, group: i % 2, line: 0.01 * (i >> 1), pairs: null }
    return rung as unknown as Rung
  })
}

const named = ({ lower, higher }: Pick<LinePair<Rung>, 'lower' | 'higher'>) =>
  `${lower.group}: ${lower.line} ${higher.line}`

it('pairs each line with its nearest on the same question, whatever came and went before', () => {
  const length = mostNeighbours + 30
  const random = createRandom(testSeed)
  const rungs = ladderOf(length)
  const known = new Set<LinePair<Rung>>()
  const pairs = createLinePairs<Rung, LinePair<Rung>>((pair) => {
    known.add(pair)
    return pair
  })
  for (const rung of rungs) pairs.enter(rung)
  for (let round = 0; round < 4; round++) {
    for (let turn = 0; turn < 300; turn++) {
      const rung = random.pick(rungs)
      if (rung.pairs) pairs.leave(rung)
      else pairs.enter(rung)
    }
    const ended = pairs.takeEnded()
    expect(ended.filter((pair) => !known.delete(pair))).toEqual([])
    expect(pairs.takeClosedUp().filter((pair) => !known.has(pair))).toEqual([])
    const expected = [0, 1].flatMap((group) => {
      const lines = rungs.filter((one) => one.group === group && one.pairs)
      return lines.flatMap((lower, i) =>
        lines.slice(i + 1, i + 1 + mostNeighbours).map((higher) => named({ lower, higher })),
      )
    })
    expect([...known].map(named).sort()).toEqual(expected.sort())
    const ofLines = rungs.flatMap((rung) => (rung.pairs ?? []).map(named))
    expect(ofLines.sort()).toEqual([...expected, ...expected].sort())
  }
})

it('makes no pairs among lines that leave together', () => {
  const rungs = ladderOf(3 * mostNeighbours)
  let made = 0
  const pairs = createLinePairs<Rung, LinePair<Rung>>((pair) => {
    made++
    return pair
  })
  for (const rung of rungs) pairs.enter(rung)
  const stay = rungs.filter(({ line }) => Math.round(100 * line!) % 10 === 0)
  const go = rungs.filter((rung) => !stay.includes(rung))
  for (const rung of go) rung.quoted = 0
  made = 0
  for (const rung of go) pairs.leave(rung)
  const left = [0, 1].flatMap((group) => {
    const lines = stay.filter((one) => one.group === group)
    return lines.flatMap((lower, i) => lines.slice(i + 1).map((higher) => named({ lower, higher })))
  })
  expect(pairs.takeClosedUp()).toHaveLength(made)
  expect([...new Set(stay.flatMap((rung) => (rung.pairs ?? []).map(named)))].sort()).toEqual(
    left.sort(),
  )
  // Those within reach before were pairs already.
  const reach = mostNeighbours / 10
  expect(made).toBe(left.length - 2 * (stay.length / 2 - reach / 2 - 0.5) * reach)
})

// ---- in the table of opportunities

const at = Date.parse('2026-11-20T12:00:00Z')
const event: EventRow = {
  ...{ id: 'game', sport: 'basketball', league: 'nba', homeTeam: 'A', awayTeam: 'B' },
  ...{ startsAt: at + 3_600_000, status: 'upcoming', isLive: false, flipped: false },
  updatedAt: at,
} as EventRow

function openTable() {
  const state = opportunities(['pinnacle'], noFees, false).create(new Map())
  const rows = new Map<string, string>()
  const ids = new Map<string, number>()
  const change = (topic: { readonly name: string }, key: string, value: object | null) =>
    state.change({ topic: topic as never, partitionKey: 0, key, value })
  change(topics.events, event.id, event)
  for (const sportsbook of ['draftkings', 'fanduel']) {
    const sighting = { eventId: event.id, sportsbook, lastSeenAt: at, isLive: false }
    change(topics.sightings, sportsbook, { ...sighting, hasGivenPrices: true })
  }
  state.observe({
    ...{ topic: topics.feedOdds as never, partition: 0, offset: 0, key: 'tick' },
    value: { type: 'tick', observedAt: at },
  })

  /** @param prices over and under; none withdraws them */
  function say(sportsbook: string, line: number, ...prices: readonly number[]) {
    for (const [side, selectionType] of ['over', 'under'].entries()) {
      const name = `${sportsbook} ${line} ${selectionType}`
      const id = ids.get(name) ?? ids.size + 1
      ids.set(name, id)
      const price = prices[side]
      const row: Partial<OddsRow> = {
        ...{ id, eventId: event.id, sportsbook, marketType: 'total_points', line },
        ...{ selection: selectionType, selectionType, playerName: null, isLive: false },
        ...{ isActive: true, observedAt: at },
      }
      change(topics.odds, String(id), price === undefined ? null : { ...row, price })
    }
  }

  return {
    say,
    /** Ends a commit. @returns the kinds of rows */
    commit() {
      const changes: readonly Append[] = state.flush()
      for (const { topic, key, value } of changes) {
        if (topic.name !== topics.opportunities.name) continue
        if (value) rows.set(key, (value as { readonly kind: string }).kind)
        else rows.delete(key)
      }
      return [...rows.values()]
    },
  }
}

type Table = ReturnType<typeof openTable>
const main = ({ say }: Table) => {
  say('draftkings', 220.5, 1.95, 1.87)
  say('fanduel', 223.5, 1.87, 1.95)
}
/** Alternate lines, most of them below the main one. */
const alternates = Array.from({ length: mostNeighbours + 5 }, (_, i) => 172.75 + i / 2)
const list = ({ say }: Table) => {
  for (const line of alternates) say('draftkings', line, 1.2, 4)
}

it('finds a middle on a ladder of many lines, whichever came first', () => {
  for (const orders of [
    [main, list],
    [list, main],
  ]) {
    const table = openTable()
    for (const push of orders) {
      push(table)
      table.commit()
    }
    expect(table.commit()).toEqual(['middle'])
    const atOnce = openTable()
    for (const push of orders) push(atOnce)
    expect(atOnce.commit()).toEqual(['middle'])
  }
})

it('ends the middle when too many lines come between, and has it again when they go', () => {
  const table = openTable()
  main(table)
  expect(table.commit()).toEqual(['middle'])
  const between = Array.from({ length: mostNeighbours }, (_, i) => 220.51 + i / 100)
  for (const line of between) table.say('draftkings', line, 1.2, 4)
  expect(table.commit()).toEqual([])
  table.say('draftkings', between[7]!)
  expect(table.commit()).toEqual(['middle'])
})
