/**
 * A schema registry that speaks Confluent's REST API: Confluent's own, Apicurio, Karapace, Redpanda. Only
 * what the log needs of it. Nothing here decides what to do without one: `codec.ts` does.
 */

import pRetry, { AbortError } from 'p-retry'
import { z } from 'zod'
import type { RegistryAuth, Tls } from '../../settings/kafka-settings.ts'
import { LogUnavailableError } from '../log.ts'
import { securedFetch } from './secured-fetch.ts'

export interface RegistryAccess {
  /** Base address; a user and a password in it are sent as such. */
  readonly url: string
  readonly auth: RegistryAuth | null
  readonly tls: Tls | null
}

/** The registry has answered, and refused. */
export class RegistryRefusedError extends Error {
  override readonly name = 'RegistryRefusedError'
  readonly status: number
  constructor(what: string, status: number, said: string) {
    super(`schema registry: ${what}: ${status} ${said}`)
    this.status = status
  }
}

/**
 * All throw LogUnavailableError when it does not answer, or what answers is no registry; RegistryRefusedError
 * when it refuses.
 */
export interface SchemaRegistry {
  /** The id of this schema of a subject, or null; changes nothing and needs no right to write. */
  find(subject: string, schema: object): Promise<number | null>
  /** Whether it has any schema of the subject. */
  isKnown(subject: string): Promise<boolean>
  /** @returns its id */
  register(subject: string, schema: object): Promise<number>
  /** A schema by its id, or null. */
  schema(id: number): Promise<object | null>
  /**
   * Whether a new schema of the subject is held to nothing. Asked with a schema that no policy lets pass:
   * what a registry tells of its policy is not to be compared, since NONE of a subject means nothing is
   * checked in Confluent's, and in Apicurio that the policy of all subjects applies.
   */
  takesAnything(subject: string): Promise<boolean>
  setPolicy(subject: string, policy: string): Promise<void>
}

const answerTimeoutMs = 5_000
const contentType = 'application/vnd.schemaregistry.v1+json'

const idAnswer = z.object({ id: z.number().int() })
const versionsAnswer = z.array(z.number().int())
const schemaAnswer = z.object({ schema: z.string() })
const compatibilityAnswer = z.object({ is_compatible: z.boolean() })
const refusal = z.object({ message: z.string() })
/** Of a subject, a version or a schema. Other web servers answer 404 too, some with `error_code` 404. */
const notThere = z.object({ error_code: z.number().int().min(40401).max(40499) })

export function openRegistry(access: RegistryAccess): SchemaRegistry {
  const { root, auth } = splitAddress(access)
  const send = securedFetch(access)
  const headers = {
    accept: `${contentType}, application/json`,
    'content-type': contentType,
    ...(auth && { authorization: authorization(auth) }),
  }

  /** The answer, or null where there is no such thing. */
  async function ask<T>(method: string, path: string, shape: z.ZodType<T>, body?: object) {
    const what = `${method} ${path}`
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
        if (notThere.safeParse(jsonIn(text)).success) return null
        throw new Error(`no schema registry answers there (404 ${saidIn(text)})`)
      }
      const refused = new RegistryRefusedError(what, response.status, saidIn(text))
      throw mayPass(refused) ? refused : new AbortError(refused)
    }
    try {
      return await pRetry(once, { retries: 5, minTimeout: 100, factor: 2, maxRetryTime: 5_000 })
    } catch (error) {
      if (error instanceof RegistryRefusedError && !mayPass(error)) throw error
      const { message, cause } = error as Error
      const reason = message === 'fetch failed' ? (cause as Error | undefined)?.message : message
      throw new LogUnavailableError(`schema registry: ${what}: ${reason}`, { cause: error })
    }
  }

  async function expect<T>(method: string, path: string, shape: z.ZodType<T>, body?: object) {
    const answer = await ask(method, path, shape, body)
    if (answer === null) throw new RegistryRefusedError(`${method} ${path}`, 404, 'not there')
    return answer
  }

  const subjectPath = (subject: string) => `/subjects/${encodeURIComponent(subject)}`
  const asAvro = (schema: object) => ({ schema: JSON.stringify(schema), schemaType: 'AVRO' })

  return {
    async find(subject, schema) {
      const answer = await ask('POST', subjectPath(subject), idAnswer, asAvro(schema))
      return answer?.id ?? null
    },
    async isKnown(subject) {
      const versions = await ask('GET', `${subjectPath(subject)}/versions`, versionsAnswer)
      return versions !== null && versions.length > 0
    },
    async register(subject, schema) {
      const path = `${subjectPath(subject)}/versions`
      return (await expect('POST', path, idAnswer, asAvro(schema))).id
    },
    async schema(id) {
      const answer = await ask('GET', `/schemas/ids/${id}`, schemaAnswer)
      return answer && (JSON.parse(answer.schema) as object)
    },
    async takesAnything(subject) {
      const path = `/compatibility${subjectPath(subject)}/versions/latest`
      const answer = await ask('POST', path, compatibilityAnswer, asAvro(likeNoRow))
      return answer?.is_compatible ?? false
    },
    async setPolicy(subject, policy) {
      const path = `/config/${encodeURIComponent(subject)}`
      await expect('PUT', path, z.unknown(), { compatibility: policy })
    },
  }
}

/** A proxy in front of a registry that starts says 502 or 503, and too much of us 429. */
const mayPass = ({ status }: RegistryRefusedError) => status >= 500 || status === 429

/** Our rows are records, and no reader of a record reads this, nor the other way. */
const likeNoRow = { type: 'fixed', name: 'LikeNoRow', size: 1 }

/** fetch takes no user and password in an address. */
function splitAddress({ url, auth }: RegistryAccess) {
  const address = new URL(url)
  const [username, password] = [address.username, address.password].map(decodeURIComponent)
  address.username = ''
  address.password = ''
  const root = address.href.replace(/\/$/, '')
  return { root, auth: auth ?? (username ? { username, password: password ?? '' } : null) }
}

function authorization(auth: RegistryAuth): string {
  if ('token' in auth) return `Bearer ${auth.token}`
  return `Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString('base64')}`
}

function saidIn(text: string): string {
  const said = refusal.safeParse(jsonIn(text))
  return said.success ? said.data.message : text.slice(0, 200)
}

/** Undefined for what is no JSON. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
