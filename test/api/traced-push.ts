/** A push with an id, and the lines about it in the text logs of processes. */

import { expect } from 'vitest'
import type { Service } from '../service.ts'
import { ingestToken, oddsRecord } from './service-in-process.ts'

/** The log messages about a push, in order. */
export const lifeOfPush = [
  'push read',
  'push on the log',
  'push decided',
  'push committed',
  'push on the board',
  'push told to streams',
]

/** @param id the sender's id: a header and its value */
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

export interface TraceLine {
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

/** Returns the lines of all logs that name the trace. */
export function linesOf(trace: string, services: readonly Service[]): TraceLine[] {
  return services
    .flatMap((service) => service.output().split('\n'))
    .filter((line) => line.includes(trace))
    .map((line) => JSON.parse(line) as TraceLine)
}

/** Steps that follow one another, whichever process logs them first. */
const inOrder = [
  ['push read', 'push on the log'],
  ['push read', 'push decided', 'push committed'],
  ['push decided', 'push on the board', 'push told to streams'],
]

/**
 * Checks that the logs have every step of a push.
 * @param leastWrites least writes to sockets in the tick that names it
 */
export async function expectWholeLife(
  trace: string,
  services: readonly Service[],
  leastWrites = 1,
) {
  const lines = () => linesOf(trace, services)
  await expect.poll(() => lines().map(({ msg }) => msg)).toContain('push told to streams')
  await expect.poll(() => lines().length).toBe(lifeOfPush.length)
  const byName = (name: string) => lines().find(({ msg }) => msg === name)!
  expect(
    lines()
      .map(({ msg }) => msg)
      .toSorted(),
  ).toEqual(lifeOfPush.toSorted())
  for (const steps of inOrder) {
    const times = steps.map((step) => byName(step).time)
    expect(times, steps.join(', ')).toEqual(times.toSorted())
  }
  expect(byName('push on the log')).toMatchObject({ records: 2, rejected: 1 })
  const place = { topic: 'feed.odds', records: 2, partition: expect.any(Number) }
  const committed = byName('push committed')
  expect(committed).toMatchObject({ ...place, part: 'pipeline' })
  expect(committed.lastOffset! - committed.firstOffset!).toBeGreaterThanOrEqual(1)
  const { partition, firstOffset, lastOffset } = committed
  expect(byName('push decided')).toMatchObject({ partition, firstOffset, lastOffset })
  expect(byName('push on the board')).toMatchObject({ partition, firstOffset, lastOffset })
  const { streams, writes } = byName('push told to streams')
  expect(streams).toBe(1)
  expect(writes).toBeGreaterThanOrEqual(leastWrites)
}
