/**
 * Access tokens of an OAuth 2 server, by client credentials (RFC 6749, section 4.4): fetched when
 * first needed, used for four fifths of their life, and fetched once for all simultaneous callers.
 */

import { z } from 'zod'
import type { OauthClient } from '../../settings/kafka-settings.ts'
import { LogSetupError, LogUnavailableError } from '../log.ts'
import { securedFetch } from './secured-fetch.ts'

const answerTimeoutMs = 10_000
/** The assumed life of a token if the server does not state one. */
const usualLifeSeconds = 300

/** Section 5.2: `invalid_client`, `invalid_scope` and their like. */
const refusals: ReadonlySet<number> = new Set([400, 401, 403])

const tokenAnswer = z.object({
  access_token: z.string().min(1),
  expires_in: z.coerce.number().positive().optional(),
})

/**
 * @returns a function that returns a valid token; it throws LogSetupError if the server refuses us,
 * LogUnavailableError if it does not respond
 */
export function fetchTokens(client: OauthClient): () => Promise<string> {
  const { tokenUrl, clientId, clientSecret, scope } = client
  const send = securedFetch(client)
  let fresh: { readonly token: Promise<string>; until: number } | null = null

  async function ask() {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      ...(scope !== null && { scope }),
    })
    // Both are form-encoded before they are joined (section 2.3.1), because a secret may contain a
    // colon.
    const pair = [clientId, clientSecret].map(encodeURIComponent).join(':')
    const response = await send(tokenUrl, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
        accept: 'application/json',
      },
      body: form,
      signal: AbortSignal.timeout(answerTimeoutMs),
    })
    const text = await response.text()
    const { ok, status } = response
    if (!ok) {
      const message = `access token from ${tokenUrl}: answered ${status}: ${text.slice(0, 200)}`
      throw refusals.has(status) ? new LogSetupError(message) : new LogUnavailableError(message)
    }
    return tokenAnswer.parse(JSON.parse(text))
  }

  return () => {
    if (fresh && performance.now() < fresh.until) return fresh.token
    const asking = ask()
    const next = {
      until: Number.POSITIVE_INFINITY,
      token: asking.then(
        ({ access_token, expires_in = usualLifeSeconds }) => {
          next.until = performance.now() + expires_in * 800
          return access_token
        },
        (cause: Error) => {
          fresh = null
          if (cause instanceof LogSetupError || cause instanceof LogUnavailableError) throw cause
          const reason = (cause.cause as Error | undefined)?.message ?? cause.message
          throw new LogUnavailableError(`access token from ${tokenUrl}: ${reason}`, { cause })
        },
      ),
    }
    fresh = next
    return next.token
  }
}
