/**
 * Whether a topic was deleted or changed while the log is open: records are lost then, or none can be written, and the
 * next start would be refused. Brokers do not report this, so the topics are checked now and then.
 * A topic counts as deleted if two checks in a row miss it, because a broker that has just started
 * may not know all topics.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { TopicFault } from '../log.ts'
import type { KafkaLogger } from './connection.ts'
import { absentTopic, goneTopic, type TopicDifference } from './topic-plan.ts'

const lookEveryMs = 60_000

const isMissing = ({ setting }: TopicDifference) => setting === goneTopic || setting === absentTopic

/**
 * @param look checks how the topics differ from the plan now
 * @param signal ends the checks
 * @returns the differences in the last successful check that would refuse a start
 */
export function watchTopics(
  look: () => Promise<readonly TopicDifference[]>,
  logger: KafkaLogger,
  signal: AbortSignal,
  everyMs = lookEveryMs,
): () => readonly TopicFault[] {
  let faults: ReadonlyMap<string, TopicDifference> = new Map()
  let missingBefore: ReadonlySet<string> = new Set()

  async function lookOnce() {
    const refused = (await look()).filter(({ gravity }) => gravity === 'refused')
    const believed = refused.filter((one) => !isMissing(one) || missingBefore.has(one.topic))
    missingBefore = new Set(refused.filter(isMissing).map(({ topic }) => topic))
    const found = new Map(believed.map((one) => [`${one.setting} of ${one.topic}`, one]))
    for (const [id, { topic, setting, is, wanted, why }] of found) {
      if (faults.has(id)) continue
      logger.warn({ topic, setting, is, wanted, why }, 'a topic in use was deleted or changed')
    }
    for (const [id, { topic, setting, why }] of faults) {
      if (found.has(id)) continue
      logger.warn({ topic, setting, why }, 'a topic is as wanted again; what it lost is not back')
    }
    faults = found
  }

  async function keepLooking() {
    while (!signal.aborted) {
      await delay(everyMs, undefined, { signal, ref: false }).catch(() => {})
      if (signal.aborted) return
      await lookOnce().catch((err: Error) => logger.debug({ err }, 'topics were not checked'))
    }
  }

  void keepLooking()
  return () => [...faults.values()]
}
