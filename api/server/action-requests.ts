/** Handles requests of action routes: admission, parameters, body, response. A response may be a stream. */

import { createQueryReader } from '../../schemas/http/query.ts'
import { usageFamily } from '../../schemas/usage.ts'
import { basicPassword, bearerToken, type Caller, requireCurrentValue } from '../access/keys.ts'
import { createAddressLimiter } from '../access/limits.ts'
import type { RequestScopes } from '../access/scope.ts'
import { requireFeature } from '../access/tiers.ts'
import { takesLinkState, withLinkState } from '../ask/link-state.ts'
import { readQuery } from '../ask/read-query.ts'
import { ApiError, ClientGoneError } from '../errors.ts'
import type { ActionRoute, Admitted, Answer } from '../route.ts'
import { headersOfOne, headOf } from './answer.ts'
import { bodyCoding, createInflating, decompressed } from './body-coding.ts'
import type { Front } from './front.ts'
import type { Handler } from './listener.ts'
import { isForPages } from './no-route.ts'
import { decodeBody, headersOf, keyParameters, parameterNames, pathOf, receive } from './request.ts'
import { type StreamedAnswer, sendStream } from './streamed-answer.ts'

export interface ActionHandlersOptions {
  readonly scopes: RequestScopes
  /** Time limit of a body. A slower one is cut off. */
  readonly bodyTimeoutMs: number
  /** Whether a browser may ask its user for the admin token. */
  readonly hasAdminToken: boolean
}

/** @returns a function that creates the handler of a route */
export function createActionHandlers(
  front: Front,
  { scopes, bodyTimeoutMs, hasAdminToken }: ActionHandlersOptions,
) {
  const { admission, acceptedBy, begun, budget, clientOf, clock, code, cors, door } = front
  const { chargedTo, failure, logger, piecesOf, send, underWay } = front
  const inflating = createInflating()

  const admitted = (caller: Caller, isGone: () => boolean): Admitted => ({
    caller,
    scope: scopes.of(caller),
    scopeAmong: (books) => scopes.among(scopes.of(caller), books, caller),
    profile: scopes.profileOf(caller.accountId),
    inPieces: piecesOf(caller, isGone),
    charged: chargedTo(caller, isGone),
  })

  function serveAction(route: ActionRoute): Handler {
    const callers = route.perMinute === undefined ? null : createAddressLimiter(route.perMinute)
    const read = createQueryReader(route.query, keyParameters)
    const names = parameterNames(route.path)
    const family = usageFamily(route.tag)
    const hasLinks = takesLinkState(route.query)
    const queryOf = (caller: Caller | undefined, raw: string) => {
      const query = readQuery(read, route.query, raw)
      return hasLinks && caller
        ? withLinkState(query, scopes.profileOf(caller.accountId).state)
        : query
    }

    return (response, request) => {
      const headers = headersOfOne(isForPages(route) ? cors.lines(request) : '', family)
      headers.accepted = acceptedBy(request)
      let isAborted = false
      let isAnswered = false
      const ended = underWay.begin()
      let leaveTurn = () => {}
      const end = () => {
        ended()
        leaveTurn()
      }
      let streamed: StreamedAnswer | undefined
      const reply = (answer: Answer, isLast = false) => {
        if (isAborted || isAnswered) {
          answer.stream?.destroy()
          return
        }
        if (answer.open && !response.isHead) {
          const { open, ...others } = answer
          open().then((stream) => reply({ ...others, stream }), fail)
          return
        }
        isAnswered = true
        const coded = code(answer, headers)
        if (!(coded instanceof Promise)) return deliver(coded, isLast)
        const refuse = (error: unknown) => deliver(failure(error, headers), isLast)
        coded.then((answer) => deliver(answer, isLast), refuse)
      }
      const deliver = (answer: Answer, isLast: boolean) => {
        if (isAborted) return
        const { stream } = answer
        if (answer.open || (stream && response.isHead)) {
          stream?.destroy()
          end()
          begun(headers, answer.status)
          response.send(answer.status ?? 200, headOf(answer, headers), null, isLast)
          return
        }
        if (stream) {
          begun(headers, answer.status)
          response.begin(answer.status ?? 200, headOf(answer, headers))
          streamed = sendStream(response, stream, (error) => {
            end()
            if (error) logger.warn({ err: error, requestId: headers.requestId }, 'answer cut short')
          })
          return
        }
        end()
        send(response, answer, headers, isLast)
        answer.sent?.()
      }
      const isGone = () => isAborted
      const fail = (error: unknown, isLast = false) => {
        if (!(error instanceof ClientGoneError)) reply(failure(error, headers), isLast)
      }
      try {
        const now = clock()
        const raw = request.getQuery() ?? ''
        const contentType = (request.getHeader('content-type').split(';')[0] ?? '').trim()
        let caller: Caller | undefined
        const from = clientOf(response, request)
        if (callers) admission.address(callers, from, now, headers)
        const isOpen = route.access !== 'key'
        const key = isOpen && !route.takesKey ? '' : door.keyOf(request, raw)
        if (isOpen && route.namesKey) {
          admission.recognise(door.keyOf(request, raw), now, headers, from)
        }
        const refused = route.isOfSandbox ? door.refusedKey(request) : null
        const allowed = (isCounted: boolean) => {
          const caller = admission.key(key, clock(), headers, family, from, isCounted)
          requireFeature(route, caller)
          if ('needsCurrentValue' in route) requireCurrentValue(caller)
          return caller
        }
        const isRefusedPage =
          route.access === 'key' &&
          route.isCounting &&
          route.isForOwnPages &&
          door.isOfOtherPage(request)
        const admit = (isCounted: boolean) => {
          if (isRefusedPage) throw ofOtherPage('forbidden')
          const caller = admission.key(key, clock(), headers, family, from, isCounted)
          budget.admit(caller)
          admission.ready()
          return admitted(caller, isGone)
        }
        const timed = async <Result>(work: () => Result | Promise<Result>) => {
          const since = budget.now()
          try {
            return await work()
          } finally {
            if (headers.caller) budget.charge(headers.caller, since)
          }
        }
        if (route.access === 'key') {
          if (!route.isCounting) {
            caller = allowed(true)
            budget.admit(caller)
          }
        } else if (route.access !== 'public' || refused !== null) {
          const authorization = request.getHeader('authorization')
          const token =
            bearerToken(authorization) || (route.isPage ? basicPassword(authorization) : '')
          if (refused === 'a sandbox key in another page' && !hasAdminToken) {
            throw ofOtherPage('unauthorized')
          }
          admission.token(route.access === 'public' ? 'admin' : route.access, token, now, from)
        }
        const declared = Number(request.getHeader('content-length') || Number.NaN)
        const coding = route.body ? bodyCoding(request.getHeader('content-encoding')) : null
        const scope = isOpen && key !== '' ? admit(true).scope : undefined
        // Everything is read now, because the request is valid only during this call.
        const context = {
          query: route.takesAnyQuery
            ? {}
            : budget.run(headers.caller, () => queryOf(headers.caller, raw)),
          path: pathOf(names, request),
          contentType: contentType.toLowerCase(),
        }
        const sent =
          'headers' in route && route.headers ? headersOf(route.headers, request) : noHeaders
        // Spread last, so that all requests have one hidden class (see `board-view.ts`).
        const handle = (bodyOf: () => unknown) => {
          if (route.access !== 'key')
            return route.handle({ body: bodyOf(), scope, headers: sent, ...context })
          if (route.isCounting)
            return route.handle({ body: bodyOf(), headers: sent, admit, timed, ...context })
          // While the body was read, the key may have lost its rights, and the board may have been reset.
          if (route.body) caller = allowed(false)
          admission.ready()
          return route.handle({ body: bodyOf(), ...admitted(caller!, isGone), ...context })
        }
        const run = (bodyOf: () => unknown) => {
          try {
            // A route that admits its callers itself charges them too.
            const isCounting = route.access === 'key' && route.isCounting
            const answer = isCounting
              ? handle(bodyOf)
              : budget.run(headers.caller, () => handle(bodyOf))
            if (answer instanceof Promise) answer.then(reply, fail)
            else reply(answer)
          } catch (error) {
            fail(error)
          }
        }
        if (route.access === 'key' ? !route.isCounting : route.readsBoard) admission.ready()
        response.onAborted(() => {
          isAborted = true
          streamed?.leave()
          end()
        })
        if (!route.body) return run(() => undefined)
        const { as, schema, maxBytes } = route.body
        const take = (bytes: Buffer) =>
          run(() => (as === 'bytes' ? bytes : decodeBody(schema, bytes)))
        receive(
          response,
          declared,
          { maxBytes, timeoutMs: bodyTimeoutMs },
          {
            done: () => isAborted || isAnswered,
            complete: (bytes) => {
              if (coding === null) return take(bytes)
              const answered = new Promise<void>((resolve) => {
                leaveTurn = resolve
              })
              const inflate = async () => {
                if (isAborted) return
                take(await decompressed(coding, bytes, maxBytes))
                // The decompressed body stays in memory until then.
                await answered
              }
              inflating.run(inflate).catch(fail)
            },
            fail,
          },
        )
      } catch (error) {
        // Nothing runs later, so the response is sent within this call.
        isAnswered = true
        end()
        const answer = failure(error, headers)
        const needsChallenge = route.isPage && answer.status === 401 && hasAdminToken
        send(response, needsChallenge ? { ...answer, headers: tokenChallenge } : answer, headers)
      }
    }
  }

  return serveAction
}

/** Headers of a route that reads none. */
const noHeaders: Readonly<Record<string, string>> = {}

const ofOtherPage = (code: 'forbidden' | 'unauthorized') =>
  new ApiError(
    code,
    'Web pages of other origins may not call this route: serve the page from http://localhost, or name its http(s) origin in OVERROUND_CORS_ORIGINS, which then allows only named ones.',
  )

/** Makes a browser ask its user for the admin token, with any user name. */
const tokenChallenge = {
  'WWW-Authenticate': 'Basic realm="overround, admin token", charset="UTF-8"',
}
