/**
 * Access to the running service: its address, the key or admin token, and requests. Secrets come from the environment
 * or a file, never from an argument, because other users of the machine can see arguments.
 */

import { type Environment, variableOf } from '../../pipeline/settings/config.ts'
import { readNamedFile } from '../../pipeline/settings/named-file.ts'
import { causeText } from '../../pipeline/text/cause-text.ts'
import { type Client, createClient, OverroundError } from '../clients/typescript/src/index.ts'
import { UsageError } from './exit-codes.ts'

export interface ServiceOptions {
  readonly url?: string
  readonly keyFile?: string
  readonly tokenFile?: string
}

const sandboxKey = 'sk_test_sandbox_sharp'
const loopbacks = new Set(['127.0.0.1', 'localhost', '[::1]'])
const longestAnswerMs = 30_000

/** Hosts that make a service listen on every address, loopback included. */
const everywhere = new Set([undefined, '0.0.0.0', '::'])

/** Returns the base address, such as `http://127.0.0.1:3000/api/v1`. */
function addressOf({ url }: ServiceOptions, environment: Environment): string {
  const host = variableOf(environment, 'OVERROUND_HOST')
  const port = variableOf(environment, 'OVERROUND_PORT') ?? '3000'
  const name = everywhere.has(host) ? '127.0.0.1' : host!.includes(':') ? `[${host}]` : host
  const address = url ?? variableOf(environment, 'OVERROUND_URL') ?? `http://${name}:${port}`
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    throw new UsageError(`--url must be an address such as http://127.0.0.1:3000 (got ${address})`)
  }
  return `${address.replace(/\/+$/, '').replace(/\/api\/v1$/, '')}/api/v1`
}

/** Returns the address of the service with these settings; null for a pipeline without a known port. */
export function ownAddressOf(options: ServiceOptions, environment: Environment): string | null {
  if (environment.OVERROUND_ROLE !== 'pipeline') return addressOf(options, environment)
  const port = variableOf(environment, 'OVERROUND_HEALTH_PORT')
  const isNamed = (options.url ?? variableOf(environment, 'OVERROUND_URL')) !== undefined
  if ((port === undefined || port === '0') && !isNamed) return null
  return addressOf(options, { ...environment, OVERROUND_PORT: port })
}

export interface ServiceAccess {
  /** Such as `http://127.0.0.1:3000/api/v1`. */
  readonly base: string
  readonly key: string
}

/**
 * Returns the address, and the configured key or the test key for a service on this machine.
 * @param keyVariables variables that may hold the key, the first one that is set counts
 * @throws UsageError without a key, for an invalid address, and for a file that cannot be read
 */
export function serviceAccess(
  options: ServiceOptions,
  environment: Environment,
  keyVariables: readonly string[] = ['OVERROUND_KEY'],
): ServiceAccess {
  const base = addressOf(options, environment)
  const ofVariable = keyVariables
    .map((name) => variableOf(environment, name))
    .find((value) => value !== undefined)
  const explicitKey = secret(options.keyFile, ofVariable)
  const key = explicitKey ?? (loopbacks.has(new URL(base).hostname) ? sandboxKey : undefined)
  if (key === undefined) {
    throw new UsageError('This needs a key: set OVERROUND_KEY, or name a file with --key-file.')
  }
  return { base, key }
}

/** Opens a client for the service. @throws UsageError as `serviceAccess` */
export const openClient = (options: ServiceOptions, environment: Environment): Client =>
  createClient({ ...serviceAccess(options, environment), retries: 1 })

export interface Admin {
  request<Data>(method: string, path: string, body?: object): Promise<Data>
}

/** Opens the operator's routes with the admin token. */
export function openAdmin(options: ServiceOptions, environment: Environment): Admin {
  const base = addressOf(options, environment)
  const token = secret(options.tokenFile, variableOf(environment, 'OVERROUND_ADMIN_TOKEN'))
  if (token === undefined) {
    throw new UsageError(
      'This needs the admin token: set OVERROUND_ADMIN_TOKEN to that of the service, or name a file with --token-file.',
    )
  }
  return {
    async request(method, path, body) {
      const response = await reached(`${base}${path}`, {
        method,
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        redirect: 'error',
        ...(body && { body: JSON.stringify(body) }),
      })
      return dataOf(response)
    },
  }
}

/** The body of `/health` of an API or a pipeline. */
export interface HealthBody {
  readonly status: string
  readonly timestamp: string
  /** Only a pipeline states it. */
  readonly role?: string
  readonly checks: Readonly<Record<string, { readonly status: string; readonly message?: string }>>
  readonly sources?: Readonly<Record<string, number>>
}

const healthStatuses: ReadonlySet<unknown> = new Set(['ok', 'degraded', 'down'])

/**
 * Reads the body of `/health` with the checks of `/readyz`. Neither needs a key, and a 503 has a body too.
 * @throws OverroundError unreachable, or not_overround if another program responds
 */
export async function readHealth(base: string): Promise<HealthBody> {
  const [health, readiness] = await Promise.all(
    ['/health', '/readyz'].map(async (path) => {
      const response = await reached(`${base}${path}`, {})
      return (await response.json().catch(() => null)) as Partial<HealthBody> | null
    }),
  )
  if (!isHealth(health)) {
    throw new OverroundError({
      status: 0,
      code: 'not_overround',
      message: `Another program responds at ${base}.`,
      retryAfterMs: null,
      requestId: null,
      details: {},
    })
  }
  return { ...health, checks: { ...readiness?.checks, ...health.checks } }
}

const isHealth = (body: Partial<HealthBody> | null | undefined): body is HealthBody =>
  healthStatuses.has(body?.status) &&
  Number.isFinite(Date.parse(body?.timestamp ?? '')) &&
  typeof body?.checks === 'object'

/** @throws OverroundError unreachable, which says why */
async function reached(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, signal: AbortSignal.timeout(longestAnswerMs) })
  } catch (cause) {
    throw unreachable(url, init.method ?? 'GET', cause)
  }
}

async function dataOf<Data>(response: Response): Promise<Data> {
  const body = (await response.json().catch(() => ({}))) as {
    readonly data?: Data
    readonly error?: { readonly code: string; readonly message: string }
  }
  if (response.ok && body.data !== undefined) return body.data
  const { code = 'no_json', message = response.statusText } = body.error ?? {}
  throw new OverroundError({
    status: response.status,
    code,
    message,
    retryAfterMs: null,
    requestId: response.headers.get('x-request-id'),
    details: {},
  })
}

function unreachable(url: string, method: string, cause: unknown): OverroundError {
  const { origin } = new URL(url)
  const why = causeText(cause)
  const message =
    (cause as Error).name === 'TimeoutError'
      ? `${origin} has not responded within ${longestAnswerMs / 1_000} s.`
      : /ECONNREFUSED/.test(why)
        ? `No service responds at ${origin}: ${why}. Start it with overround start, or give its address with --url.`
        : `No service responds at ${origin}: ${why}. Correct its address with --url, or the network.`
  return new OverroundError({
    status: 0,
    code: 'unreachable',
    message: mayBeDone(method, cause) ? `${message} ${perhapsDone}` : message,
    retryAfterMs: null,
    requestId: null,
    details: { cause },
  })
}

/** A change that was sent may have been made, although no response came. */
const perhapsDone =
  'The change may have been made all the same: look with overround keys list before you try again. The text of a new key is lost: revoke it.'

function mayBeDone(method: string, cause: unknown): boolean {
  if (method === 'GET') return false
  const { name, cause: inner } = cause as Error
  const { code } = (inner ?? {}) as NodeJS.ErrnoException
  return name === 'TimeoutError' || code === 'ECONNRESET' || code === 'UND_ERR_SOCKET'
}

function secret(file: string | undefined, variable: string | undefined): string | undefined {
  if (file === undefined) return variable
  try {
    const text = readNamedFile(file).trim()
    if (text !== '') return text
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`)
  }
  throw new UsageError(`${file} is empty`)
}
