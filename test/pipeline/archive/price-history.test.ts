import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { movements } from '../../../pipeline/archive/movements.ts'
import { pastEvents, pastPrices } from '../../../pipeline/archive/past-board.ts'
import {
  always,
  archivedPrice,
  changesOf,
  changesOfPrice,
  pricesOfEvent,
} from '../../../pipeline/archive/price-history.ts'
import { simulateHistory } from '../../oracle/simulated-history.ts'
import {
  changelogOf,
  changesIn,
  type FilledArchive,
  fillArchive,
  testLimits,
} from './filled-archive.ts'

const history = simulateHistory({
  seed: 5,
  events: 12,
  changesPerSecond: 40,
  books: ['pinnacle', 'draftkings', 'betmgm', 'bovada', 'kalshi'],
  repeated: 0.02,
  overtaken: 0,
})
const changelog = changelogOf(history.records)
const changes = changesIn(changelog)

describe('x', () => {
  let filled: FilledArchive
  beforeAll(async () => {
    filled = await fillArchive(changelog)
  }, 120_000)
  afterAll(() => filled.close())
  it('runs', async () => {
    const { archive } = filled
    const one = changes[0]!
    const ask = (s: any) => archive.query<any>(s.statement, s.parameters, testLimits)
    console.log(changes.length)
    console.log(await ask(archivedPrice(String(one.oddsId))))
    console.log((await ask(changesOfPrice(one.eventId, String(one.oddsId), always))).slice(0, 5))
    const all = { only: undefined, hidden: [] }
    console.log(
      (
        await ask(
          pricesOfEvent({ eventId: one.eventId, sportsbooks: all, marketTypes: undefined })!,
        )
      ).slice(0, 2),
    )
    const at = Date.parse('2026-05-02T18:01:00.500Z')
    const q = { at, eventIds: undefined, leagues: [one.league], sports: undefined }
    console.log((await ask(pastEvents(q))).slice(0, 1))
    console.log((await ask(pastPrices(q, 100))).slice(0, 1))
    const c = {
      period: always,
      sportsbooks: all,
      eventIds: undefined,
      leagues: undefined,
      sports: undefined,
      marketTypes: undefined,
    }
    console.log((await ask(changesOf(c, true)!)).slice(0, 2))
    console.log(
      (
        await ask(
          movements(
            { ...c, leastSportsbooks: 2, seconds: 60, leastMove: 0.005, isLive: undefined },
            { limit: 2, offset: 0 },
          )!,
        )
      ).slice(0, 5),
    )
  }, 60_000)
})
