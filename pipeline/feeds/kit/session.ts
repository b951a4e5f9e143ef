/**
 * The session of a source with a login: a token. It is fetched when there is none, when it is too
 * old, and once more if the source refuses it.
 */

import { type GetJson, reasonOf } from './http-source.ts'

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
        if (reasonOf(error) !== 'http_401') throw error
        token = null
        // If the login or a new token is refused, another try is useless.
        if (!hadToken) throw error
        return await ask()
      }
    }
}
