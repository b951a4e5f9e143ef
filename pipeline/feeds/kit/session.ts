/**
 * The session of a source with a login: a token that is fetched when there is none, when it has grown old, and once
 * more when the source refuses it.
 */

import { FetchError, type GetJson } from './http-source.ts'

export interface SessionOptions {
  readonly login: (get: GetJson) => Promise<string>
  /** The time after which a token is no longer used, even if it was never refused. */
  readonly lifetimeMs: number
  /** Returns the headers that carry a token. */
  readonly headers: (token: string) => Readonly<Record<string, string>>
}

/** @returns a GET with a login, over one without */
export function createSession({ login, lifetimeMs, headers }: SessionOptions) {
  let token: string | null = null
  let oldFrom = 0
  return (get: GetJson): GetJson =>
    async (url, options) => {
      const ask = async () => {
        if (token === null || performance.now() >= oldFrom) {
          token = await login(get)
          oldFrom = performance.now() + lifetimeMs
        }
        return get(url, { ...options, headers: { ...options?.headers, ...headers(token) } })
      }
      const hadToken = token !== null
      try {
        return await ask()
      } catch (error) {
        if (!(error instanceof FetchError) || error.reason !== 'http_401') throw error
        token = null
        // A refused login, or a refused new token, is refused permanently.
        if (!hadToken) throw error
        return await ask()
      }
    }
}
