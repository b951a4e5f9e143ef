/** A push with an id, and what the text logs of processes tell of it. */

import { expect } from 'vitest'
import type { Service } from '../service.ts'
import { ingestToken, oddsRecord } from './service-in-process.ts'

/** What is told of a push, in the order of its life. */
export const lifeOfPush = [
  'push read',
  'push on the log',
  'push decided',
  'push committed',
  'push on the board',
  'push told to streams',
]

/** @param id of its sender: a header and its value */
export async function pushTraced(service: Service, id: Readonly<Record<string, string>>) {
  const prices = ['pinnacle', 'draftkings'].map((sportsbook) =>
    JSON.stringify(
      oddsRecord(Date.now(), {
        sportsbook,
        startsAt: new Date(Date.now() + 86_400_000).toISOString(),
      }),
    ),
  )
  const answer = await fetch(`${service.address}/ingest`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${ingestToken}`,
      'Content-Type': 'application/x-ndjson',
      ...id,
    },
    body: [...prices, '{}'].join('\n'),
  })
  expect(answer.status).toBe(202)
}

export interface Told {
  readonly time: number
  readonly msg: string
  readonly trace: string
  readonly part: string
  readonly partition?: number
  readonly topic?: string
  readonly firstOffset?: number
  readonly lastOffset?: number
  readonly records?: number
  readonly rejected?: number
  readonly streams?: number
  readonly writes?: number
}

/** What a grep for it over the logs finds. */
export function toldOf(trace: string, services: readonly Service[]): Told[] {
  return services
    .flatMap((service) => service.output().split('\n'))
    .filter((line) => line.includes(trace))
    .map((line) => JSON.parse(line) as Told)
}

/** Steps that come one after the other, whichever process tells them first. */
const inOrder = [
  ['push read', 'push on the log'],
  ['push read', 'push decided', 'push committed'],
  ['push decided', 'push on the board', 'push told to streams'],
]

/**
 * Holds what is told of a push to its whole life.
 * @param leastWrites to sockets, in the tick that tells of it
 */
export async function expectWholeLife(
  trace: string,
  services: readonly Service[],
  leastWrites = 1,
) {
  const told = () => toldOf(trace, services)
  await expect.poll(() => told().map(({ msg }) => msg)).toContain('push told to streams')
  await expect.poll(() => told().length).toBe(lifeOfPush.length)
  const byName = (name: string) => told().find(({ msg }) => msg === name)!
  expect(
    told()
      .map(({ msg }) => msg)
      .toSorted(),
  ).toEqual(lifeOfPush.toSorted())
  for (const steps of inOrder) {
    const times = steps.map((step) => byName(step).time)
    expect(times, steps.join(', ')).toEqual(times.toSorted())
  }
  expect(byName('push on the log')).toMatchObject({ records: 2, rejected: 1 })
  const place = { topic: 'feed.odds', records: 2, partition: expect.any(Number) }
  const settled = byName('push committed')
  expect(settled).toMatchObject({ ...place, part: 'pipeline' })
  expect(settled.lastOffset! - settled.firstOffset!).toBeGreaterThanOrEqual(1)
  const { partition, firstOffset, lastOffset } = settled
  expect(byName('push decided')).toMatchObject({ partition, firstOffset, lastOffset })
  expect(byName('push on the board')).toMatchObject({ partition, firstOffset, lastOffset })
  const { streams, writes } = byName('push told to streams')
  expect(streams).toBe(1)
  expect(writes).toBeGreaterThanOrEqual(leastWrites)
}
