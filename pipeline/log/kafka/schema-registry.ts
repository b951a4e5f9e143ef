/**
 * A schema registry that speaks Confluent's REST API: Confluent's own, Apicurio, Karapace, Redpanda. These are the
 * six calls that the log needs; `codec.ts` decides what happens without a registry.
 *
 * The calls are ours, because `@kafkajs/confluent-schema-registry` 3.9 reports a refused connection as status 400 and
 * the 404 of any web server as a missing schema: the first ends a start that should wait, and the
 * second lets us register schemas over those of stored records. It also lacks `takesAnything` and
 * `setPolicy`, and its `register` needs a policy and sets it if there is none. Tests compare our
 * bytes with its bytes.
 */

import pRetry, { AbortError } from 'p-retry'
import { z } from 'zod'
import type { RegistryAuth, Tls } from '../../settings/kafka-settings.ts'
import { LogUnavailableError } from '../log.ts'
import { securedFetch } from './secured-fetch.ts'

/** The settings for the connection to a registry. */
export interface RegistryAccess {
  /** Base address; a user and a password in it are used for the login. */
  readonly registryUrl: string
  readonly registryAuth?: RegistryAuth | null
  readonly registryTls?: Tls | null
}

/** Thrown when the registry refuses a request. */
export class RegistryRefusedError extends Error {
  override readonly name = 'RegistryRefusedError'
  readonly status: number
  constructor(request: string, status: number, reason: string) {
    super(`schema registry: ${request}: ${status} ${reason}`)
    this.status = status
  }
}

/**
 * A schema registry. All calls throw LogUnavailableError when no registry responds at the address, and
 * RegistryRefusedError when it refuses.
 */
export interface SchemaRegistry {
  /**
   * Returns the id of this schema of a subject, or null; changes nothing and needs no right to write.
   * @param patienceMs how long to retry while no registry responds
   */
  find(subject: string, schema: object, patienceMs?: number): Promise<number | null>
  /** Returns whether it has a schema of the subject. */
  isKnown(subject: string): Promise<boolean>
  /** @returns its id */
  register(subject: string, schema: object): Promise<number>
  /** Returns a schema by its id, or null. */
  schema(id: number): Promise<object | null>
  /**
   * Returns whether the registry accepts any new schema of the subject. It is tested with a schema
   * that every policy refuses, because policies differ: NONE on a subject means no check in
   * Confluent's registry, but the policy of all subjects in Apicurio.
   */
  takesAnything(subject: string): Promise<boolean>
  setPolicy(subject: string, policy: string): Promise<void>
}

/** A registry that has just started, on a busy machine, is slow with its first responses. */
const answerTimeoutMs = 15_000
/** How long a request is retried if the caller can do without it. */
const usualPatienceMs = 5_000
/** The same if the caller cannot: a registry may be restarting. */
export const startPatienceMs = 15_000
const contentType = 'application/vnd.schemaregistry.v1+json'

const idAnswer = z.object({ id: z.number().int() })
const versionsAnswer = z.array(z.number().int())
const schemaAnswer = z.object({ schema: z.string() })
const compatibilityAnswer = z.object({ is_compatible: z.boolean() })
const refusal = z.object({ message: z.string() })
/** The codes of a missing subject, version or schema. Other web servers send 404 too, some with `error_code` 404. */
const notFound = z.object({ error_code: z.number().int().min(40401).max(40499) })

export function openRegistry(access: RegistryAccess): SchemaRegistry {
  const { root, auth } = splitAddress(access)
  const send = securedFetch({ tls: access.registryTls ?? null })
  const headers = {
    accept: `${contentType}, application/json`,
    'content-type': contentType,
    ...(auth && { authorization: authorization(auth) }),
  }

  /** Returns null for a subject, version or schema that does not exist. */
  async function request<T>(
    method: string,
    path: string,
    shape: z.ZodType<T>,
    body?: object,
    patienceMs = usualPatienceMs,
  ) {
    const name = `${method} ${path}`
    const once = async () => {
      const response = await send(`${root}${path}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(answerTimeoutMs),
      })
      const text = await response.text()
      if (response.ok) return shape.parse(JSON.parse(text))
      if (response.status === 404) {
        if (notFound.safeParse(jsonIn(text)).success) return null
        throw new Error(`no schema registry answers there (404 ${reasonIn(text)})`)
      }
      const refused = new RegistryRefusedError(name, response.status, reasonIn(text))
      throw mayPass(refused) ? refused : new AbortError(refused)
    }
    try {
      return await pRetry(once, {
        ...{ retries: 100, minTimeout: 100, factor: 2, maxTimeout: 2_000 },
        maxRetryTime: patienceMs,
      })
    } catch (error) {
      if (error instanceof RegistryRefusedError && !mayPass(error)) throw error
      const { message, cause } = error as Error
      const reason = message === 'fetch failed' ? (cause as Error | undefined)?.message : message
      throw new LogUnavailableError(`schema registry: ${name}: ${reason}`, { cause: error })
    }
  }

  async function requireAnswer<T>(
    method: string,
    path: string,
    shape: z.ZodType<T>,
    body?: object,
  ) {
    const answer = await request(method, path, shape, body)
    if (answer === null) throw new RegistryRefusedError(`${method} ${path}`, 404, 'not found')
    return answer
  }

  const subjectPath = (subject: string) => `/subjects/${encodeURIComponent(subject)}`
  const asAvro = (schema: object) => ({ schema: JSON.stringify(schema), schemaType: 'AVRO' })

  return {
    async find(subject, schema, patienceMs) {
      const path = subjectPath(subject)
      const answer = await request('POST', path, idAnswer, asAvro(schema), patienceMs)
      return answer?.id ?? null
    },
    async isKnown(subject) {
      const versions = await request('GET', `${subjectPath(subject)}/versions`, versionsAnswer)
      return versions !== null && versions.length > 0
    },
    async register(subject, schema) {
      const path = `${subjectPath(subject)}/versions`
      return (await requireAnswer('POST', path, idAnswer, asAvro(schema))).id
    },
    async schema(id) {
      const answer = await request('GET', `/schemas/ids/${id}`, schemaAnswer)
      return answer && (JSON.parse(answer.schema) as object)
    },
    async takesAnything(subject) {
      const path = `/compatibility${subjectPath(subject)}/versions/latest`
      const answer = await request('POST', path, compatibilityAnswer, asAvro(likeNoRow))
      return answer?.is_compatible ?? false
    },
    async setPolicy(subject, policy) {
      const path = `/config/${encodeURIComponent(subject)}`
      await requireAnswer('PUT', path, z.unknown(), { compatibility: policy })
    },
  }
}

/**
 * Returns whether a refusal is temporary: a proxy of a starting registry sends 502 or 503; 429
 * limits our rate.
 */
const mayPass = ({ status }: RegistryRefusedError) => status >= 500 || status === 429

/** A schema that no reader of our rows (Avro records) can read, nor the reverse. */
const likeNoRow = { type: 'fixed', name: 'LikeNoRow', size: 1 }

/** Takes user and password out of the address, because fetch does not accept them. */
function splitAddress({ registryUrl, registryAuth }: RegistryAccess) {
  const address = new URL(registryUrl)
  const [username, password] = [address.username, address.password].map(decodeURIComponent)
  address.username = ''
  address.password = ''
  const root = address.href.replace(/\/$/, '')
  return { root, auth: registryAuth ?? (username ? { username, password: password ?? '' } : null) }
}

function authorization(auth: RegistryAuth): string {
  if ('token' in auth) return `Bearer ${auth.token}`
  return `Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString('base64')}`
}

function reasonIn(text: string): string {
  const refused = refusal.safeParse(jsonIn(text))
  return refused.success ? refused.data.message : text.slice(0, 200)
}

/** Returns undefined for text that is not JSON. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
