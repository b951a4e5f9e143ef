/** Provides the Kafka tests with a broker and schema registry, once for the whole run. */

import type { TestProject } from 'vitest/node'
import { shortLived } from '../infra/kafka-local/jvm.ts'
import { resolveKafka } from '../infra/kafka-local/kafka-local.ts'

/** The addresses, or the reason why there are none. */
export type KafkaForTests =
  | { readonly brokers: readonly string[]; readonly registryUrl: string }
  | { readonly reason: string }

declare module 'vitest' {
  export interface ProvidedContext {
    kafka: KafkaForTests
  }
}

export default async function setup(project: TestProject) {
  const source = await resolveKafka(shortLived)
  if (source.kind === 'none') {
    project.provide('kafka', { reason: source.reason })
    return
  }
  const { brokers, registryUrl, stop } = await source.start()
  project.provide('kafka', { brokers: brokers.split(','), registryUrl })
  return stop
}
