/**
 * The session of a source that is logged in to: a token that is fetched when there is none, when it
 * has grown old, and once more when the source refuses it.
 */

import { FetchError, type GetJson } from './http-source.ts'

export interface SessionOptions {
  readonly login: (get: GetJson) => Promise<string>
  /** After this a token is not used any more, though it was never refused. */
  readonly lifetimeMs: number
  /** The headers that carry a token. */
  readonly headers: (token: string) => Readonly<Record<string, string>>
}

/** @returns a GET that is logged in, over one that is not */
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
        // A login that was refused, or a new token that was, is refused for good.
        if (!hadToken) throw error
        return await ask()
      }
    }
}
