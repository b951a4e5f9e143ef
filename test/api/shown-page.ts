/** The view of an event's page at an address, from the prices that the service has. */

import { ladderOf } from '../../api/web/client/data/ladder.ts'
import { kindOf } from '../../api/web/client/data/market-kinds.ts'
import { createPriceStore } from '../../api/web/client/data/price-store.ts'
import { askedFor, noSubject, settled } from '../../api/web/client/data/subject.ts'
import { askedIn } from '../../api/web/question-path.ts'
import type { Market } from '../../api/web/wire.ts'
import type { SimulatedService } from './simulated-service.ts'

/**
 * Returns the market, and the best prices of one question at one line.
 * @param address with or without the address of the service
 */
export async function shownAt(service: SimulatedService, key: string, address: string) {
  const { pathname, searchParams } = new URL(address, 'http://service.example')
  const id = decodeURIComponent(/^\/events\/([^/]+)$/.exec(pathname)![1]!)
  const { body } = await service.get(`/odds?event=${id}&limit=200`, key)
  const store = createPriceStore()
  store.snapshot(body.data)
  store.endSnapshot()
  const { market, question, line } = settled(askedFor(askedIn(searchParams), noSubject), store)
  const kinds = await marketKinds(service, key)
  const shown = store.questions.get(question!)!
  const rungs = ladderOf(shown, kindOf(shown, kinds, 'basketball'), () => true)
  const rung = rungs.find((one) => one.line === (line ?? null))
  return { market, prices: rung?.sides.map(({ best }) => best?.price) }
}

/** Returns the markets as the pages know them. */
export async function marketKinds(service: SimulatedService, key: string) {
  const { body } = await service.get('/markets?limit=500', key)
  return new Map((body.data as readonly Market[]).map((one) => [one.id, one]))
}
