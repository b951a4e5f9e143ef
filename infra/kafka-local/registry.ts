/**
 * The schema registry: Apicurio Registry, through its Confluent-compatible REST API. It stores schemas in an H2 file
 * and needs no broker.
 */

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { endProcess, type Jvm, shortLived, startJvm, waitUntilReady } from './jvm.ts'

const startTimeoutMs = 600_000

export type RegistryOptions = {
  java: string
  jar: string
  dataDir: string
  port: number
  detached: boolean
}

/** Returns the base URL of Confluent's API on a registry. */
export function confluentApiUrl(host: string, port: number): string {
  return `http://${host}:${port}/apis/ccompat/v7`
}

/** Starts the registry on its stored schemas, and waits until it responds. */
export async function startRegistry(options: RegistryOptions): Promise<Jvm> {
  const { java, jar, dataDir, port, detached } = options
  await mkdir(dataDir, { recursive: true })
  const registry = await startJvm({
    java,
    args: [
      '-Xmx256m',
      ...shortLived,
      // The default pool of 20 connections would take most of the start. The maximum stays high: registering a
      // schema takes two connections, and all schemas of a log are registered at once.
      '-Dquarkus.datasource.jdbc.initial-size=1',
      '-Dquarkus.datasource.jdbc.min-size=1',
      '-Dquarkus.datasource.jdbc.max-size=100',
      // In seconds. The default of five is too short on a busy machine.
      '-Dquarkus.datasource.jdbc.acquisition-timeout=60',
      '-jar',
      jar,
    ],
    env: {
      QUARKUS_HTTP_HOST: '127.0.0.1',
      QUARKUS_HTTP_PORT: String(port),
      REGISTRY_DATASOURCE_URL: `jdbc:h2:file:${join(dataDir, 'registry', 'registry')}`,
    },
    dataDir,
    logFile: join(dataDir, 'registry.log'),
    detached,
  })
  const url = confluentApiUrl('127.0.0.1', port)
  try {
    const isReady = async () =>
      (await registryAnswers(url)) && (await requireBackwardCompatibility(url))
    await waitUntilReady('registry', registry, isReady, startTimeoutMs)
  } catch (error) {
    await endProcess(registry.pid)
    throw error
  }
  return registry
}

export async function registryAnswers(url: string): Promise<boolean> {
  const response = await fetch(`${url}/subjects`).catch(() => null)
  await response?.body?.cancel()
  return response?.ok ?? false
}

/**
 * Sets the compatibility to BACKWARD, Confluent's default; Apicurio's is NONE.
 * @returns false if the registry failed, as it may while others register their schemas
 */
export async function requireBackwardCompatibility(url: string): Promise<boolean> {
  const response = await fetch(`${url}/config`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ compatibility: 'BACKWARD' }),
  })
  await response.body?.cancel()
  const { ok, status } = response
  if (!ok && status < 500) throw new Error(`the registry refused its compatibility: ${status}`)
  return ok
}
