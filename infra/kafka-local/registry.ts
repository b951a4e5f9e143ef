/**
 * The schema registry: Apicurio Registry, a real one, of which only the part that speaks Confluent's
 * REST API is used. It keeps its schemas in an H2 file and needs no broker.
 */

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { endProcess, type Jvm, startJvm, waitUntilReady } from './jvm.ts'

const startTimeoutMs = 600_000

export type RegistryOptions = {
  java: string
  jar: string
  dataDir: string
  port: number
  detached: boolean
}

/** Where a registry on that port serves Confluent's API. */
export function confluentApiUrl(host: string, port: number): string {
  return `http://${host}:${port}/apis/ccompat/v7`
}

/** Starts the registry on the schemas it left; it answers. */
export async function startRegistry(options: RegistryOptions): Promise<Jvm> {
  const { java, jar, dataDir, port, detached } = options
  await mkdir(dataDir, { recursive: true })
  const registry = await startJvm({
    java,
    args: [
      '-Xmx256m',
      '-XX:+UseSerialGC',
      '-XX:TieredStopAtLevel=1',
      // A pool that begins with 20 connections to a file nobody else opens would be most of the start. Its most
      // stays: a schema that is registered takes two at a time, and of a log all are registered at once.
      '-Dquarkus.datasource.jdbc.initial-size=1',
      '-Dquarkus.datasource.jdbc.min-size=1',
      '-Dquarkus.datasource.jdbc.max-size=100',
      // In seconds. It waits five and ends, which is too few beside other work.
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
    await waitUntilReady('registry', registry, () => registryAnswers(url), startTimeoutMs)
    await requireBackwardCompatibility(url)
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

/** Confluent's registry starts with BACKWARD for every subject, Apicurio with NONE: be the former. */
export async function requireBackwardCompatibility(url: string): Promise<void> {
  const response = await fetch(`${url}/config`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ compatibility: 'BACKWARD' }),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`the registry refused its compatibility: ${response.status}`)
}
