/**
 * Which requests the brokers know. A broker closes the connection on one that it does not know, and others share that
 * connection. kafkajs knows the versions of its own requests, by the first broker that it reached; those that this
 * folder encodes have one fixed version each.
 */

import type { Cluster, Kafka } from 'kafkajs'
import { LogSetupError } from '../log.ts'
import { brokerOf, clusterOf, disconnect, type LowLevelBroker, type Request } from './internals.ts'

/** A request, and the version of Kafka whose brokers know it first. */
interface Needed extends Pick<Request<unknown>, 'apiKey' | 'apiVersion' | 'apiName'> {
  readonly since: string
}

/** The requests of ours that nothing works without. */
const needed: readonly Needed[] = [
  { apiKey: 0, apiVersion: 7, apiName: 'Produce', since: '2.1' },
  { apiKey: 1, apiVersion: 10, apiName: 'Fetch', since: '2.1' },
  { apiKey: 9, apiVersion: 7, apiName: 'OffsetFetch', since: '2.5' },
  { apiKey: 24, apiVersion: 1, apiName: 'AddPartitionsToTxn', since: '2.0' },
]

type Ranges = Awaited<ReturnType<LowLevelBroker['apiVersions']>>

/** Returns what a broker says about itself: whether it is too old for a request, or too new. */
function fitOf(ranges: Ranges, { apiKey, apiVersion }: Pick<Needed, 'apiKey' | 'apiVersion'>) {
  const range = ranges[apiKey]
  if (range === undefined || range.maxVersion < apiVersion) return 'older'
  return range.minVersion > apiVersion ? 'newer' : 'knows'
}

/** Returns whether a broker knows a request. */
export async function knows(broker: LowLevelBroker, request: Request<unknown>): Promise<boolean> {
  return fitOf(await broker.apiVersions(), request) === 'knows'
}

/** Returns what a broker lacks, and what to do; null if it knows all that is needed. */
export function lackOf(ranges: Ranges): string | null {
  for (const request of needed) {
    const fit = fitOf(ranges, request)
    const name = `${request.apiName} ${request.apiVersion}`
    if (fit === 'older') {
      return `does not know the request ${name}, which brokers have since Kafka ${request.since}: upgrade the brokers`
    }
    if (fit === 'newer') return `no longer knows the request ${name}: upgrade this service`
  }
  return null
}

/**
 * Asks every broker of the cluster which requests it knows. One that does not respond is left out.
 * @throws LogSetupError naming a broker that lacks one; kafkajs's error if there is no connection
 */
export async function requireVersions(kafka: Kafka): Promise<void> {
  const cluster = clusterOf(kafka)
  try {
    await cluster.connect()
    await cluster.refreshMetadata()
    await requireVersionsIn(cluster)
  } finally {
    await disconnect(cluster)
  }
}

/** @throws LogSetupError */
export async function requireVersionsIn(cluster: Cluster): Promise<void> {
  const asked = cluster.getNodeIds().map(async (node) => {
    const broker = await brokerOf(cluster, String(node))
    const lack = lackOf(await broker.apiVersions())
    return lack === null ? [] : [`broker ${node} ${lack}`]
  })
  const told = await Promise.allSettled(asked)
  const lacks = told.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  if (lacks[0] !== undefined) throw new LogSetupError(lacks[0])
}
