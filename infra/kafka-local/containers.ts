/**
 * The same broker and registry as containers, for a machine with a Docker engine. Loaded only there, because
 * testcontainers is a development dependency. Its reaper removes the containers of a run that died.
 */

import { GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers'
import { nodeSettings } from './broker.ts'
import { findFreePort } from './jvm.ts'
import type { LocalKafka } from './local-kafka.ts'
import { confluentApiUrl, requireBackwardCompatibility } from './registry.ts'

// The versions of pom.xml.
const brokerImage = 'apache/kafka:4.4.0'
const registryImage = 'apicurio/apicurio-registry-mem:2.6.13.Final'
const startTimeoutMs = 180_000

export async function startContainers(): Promise<LocalKafka> {
  const runtime = await getContainerRuntimeClient()
  const { host } = runtime.info.containerRuntime
  // The broker gives its clients its address, so the outer port must be known before it starts.
  const brokerPort = await findFreePort()
  const broker = new GenericContainer(brokerImage)
    .withExposedPorts({ container: 9092, host: brokerPort })
    .withEnvironment(brokerEnvironment(host, brokerPort))
    .withWaitStrategy(Wait.forLogMessage(/Kafka Server started/))
    .withStartupTimeout(startTimeoutMs)
  const registry = new GenericContainer(registryImage)
    .withExposedPorts(8080)
    .withWaitStrategy(Wait.forHttp('/apis/ccompat/v7/subjects', 8080))
    .withStartupTimeout(startTimeoutMs)

  const [startedBroker, startedRegistry] = await Promise.all([broker.start(), registry.start()])
  const registryUrl = confluentApiUrl(host, startedRegistry.getMappedPort(8080))
  if (!(await requireBackwardCompatibility(registryUrl))) {
    throw new Error('the registry failed to set its compatibility')
  }
  return {
    brokers: `${host}:${brokerPort}`,
    registryUrl,
    async stop() {
      await Promise.all([startedBroker.stop(), startedRegistry.stop()])
    },
  }
}

/** The image reads a setting `a.b.c` from KAFKA_A_B_C. */
function brokerEnvironment(host: string, port: number): Record<string, string> {
  const settings = {
    ...nodeSettings(1),
    'node.id': '1',
    listeners: 'PLAINTEXT://0.0.0.0:9092,CONTROLLER://127.0.0.1:9093',
    'advertised.listeners': `PLAINTEXT://${host}:${port}`,
    'controller.quorum.voters': '1@127.0.0.1:9093',
  }
  const entries = Object.entries(settings)
  return Object.fromEntries(
    entries.map(([name, value]) => [`KAFKA_${name.toUpperCase().replaceAll('.', '_')}`, value]),
  )
}
