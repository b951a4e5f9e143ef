/** Handles requests of read routes: admission, parameters, and a response that is cached or computed. */

import { createQueryReader } from '../../schemas/http/query.ts'
import { memoise } from '../../schemas/memoise.ts'
import { emptyProfile, type ProfileRow } from '../../schemas/profile.ts'
import { usageFamily } from '../../schemas/usage.ts'
import { type Allowance, createAddressLimiter } from '../access/limits.ts'
import { anonymous, type RequestScopes, type Scope, type Viewer } from '../access/scope.ts'
import { publicRequestsPerMinute, requireFeature } from '../access/tiers.ts'
import { plain } from '../answer/codings.ts'
import { withRateLimit } from '../answer/rate-limit-meta.ts'
import {
  codedTag,
  type Plan,
  type ReadAnswer,
  type ReadStore,
  type Reads,
} from '../answer/reads.ts'
import { takesLinkState, withLinkState } from '../ask/link-state.ts'
import { readQuery } from '../ask/read-query.ts'
import { ClientGoneError } from '../errors.ts'
import type { Answer, Prepared, ReadRoute } from '../route.ts'
import { headersOfOne, type SentHeaders } from './answer.ts'
import type { Front } from './front.ts'
import type { Handler, Response } from './listener.ts'
import { cacheKeyOf, keyParameters, longestCached, parameterNames, pathOf } from './request.ts'

export interface ReadHandlersOptions {
  readonly reads: Reads
  readonly scopes: RequestScopes
  /** Returns the time from which prices' ages count (epoch ms). */
  readonly boardTime: () => number
}

/** @returns a function that creates the handler of a route */
export function createReadHandlers(
  front: Front,
  { reads, scopes, boardTime }: ReadHandlersOptions,
) {
  const { admission, acceptedBy, budget, clientOf, clock, code, cors, door } = front
  const { chargedTo, failure, piecesOf, send, underWay } = front
  const addresses = createAddressLimiter(publicRequestsPerMinute)

  function serveRead(route: ReadRoute): Handler {
    const read = createQueryReader(route.query, keyParameters)
    const stores = new WeakMap<Scope, ReadStore>()
    const storeOf = (scope: Scope) => {
      let store = stores.get(scope)
      if (!store) {
        store = reads.openStore(scope.tier)
        stores.set(scope, store)
      }
      return store
    }
    const names = parameterNames(route.path)
    const family = usageFamily(route.tag)
    const hasLinks = takesLinkState(route.query)
    const readBooks = (raw: string) => booksNamed(readQuery(read, route.query, raw))
    const rememberedBooks = memoise(readBooks, rememberedQueries, longestCached)
    const takesBooks = 'books' in route.query

    return (response, request) => {
      const accepted = acceptedBy(request)
      const headers = headersOfOne(cors.lines(request), family)
      headers.accepted = accepted
      try {
        const now = clock()
        const raw = request.getQuery() ?? ''
        const key = door.keyOf(request, raw)
        let viewer: Viewer = anonymous
        if (key !== '' || route.access === 'key') {
          const caller = admission.key(key, now, headers, family, clientOf(response, request))
          requireFeature(route, caller)
          budget.admit(caller)
          viewer = caller
        } else admission.address(addresses, clientOf(response, request), now, headers)
        admission.ready()
        const whole = scopes.of(viewer)
        const { caller } = headers
        const profile =
          route.readsProfile && caller ? scopes.profileOf(caller.accountId) : noProfile
        const ownState = hasLinks && caller ? scopes.profileOf(caller.accountId).state : null
        const queryNow = () => withLinkState(readQuery(read, route.query, raw), ownState)
        const queryKey = cacheKeyOf(raw, names.length > 0 ? request.getUrl() : '')
        const booksOf = queryKey === null ? readBooks : rememberedBooks
        const mayChoose = takesBooks && mayNameBooks.test(raw)
        const books = mayChoose ? budget.run(caller, () => booksOf(raw)) : undefined
        const among = (scope: Scope) =>
          books ? budget.run(caller, () => scopes.among(scope, books, caller)) : scope
        const ifNoneMatch = request.getHeader('if-none-match')
        const store = storeOf(whole)
        const allowance = route.tellsRateLimit ? headers.allowance : undefined
        const taken = allowance ? plain : accepted
        const answerTo = (plan: Plan) => store.answer(plan, ifNoneMatch, boardTime(), taken)
        let hasLeft = false
        const isGone = () => hasLeft
        const leave = () => {
          hasLeft = true
        }
        if (route.scopeThen && mayNameThen.test(raw) && caller) {
          const context = {
            query: budget.run(caller, queryNow),
            path: pathOf(names, request),
            scope: whole,
            profile,
            caller,
            charged: chargedTo(caller, isGone),
          }
          const then = route.scopeThen(context)?.then(among)
          const readIn = (scope: Scope) =>
            context.charged(() =>
              answerTo(store.plan(null, () => taggedByBytes(route.prepare({ ...context, scope })))),
            )
          if (then) return answerLater(answerThen(then, readIn, headers), response, headers, leave)
        }
        const scope = among(whole)
        const prepare = () =>
          route.prepare({
            query: queryNow(),
            path: pathOf(names, request),
            scope,
            profile,
          })
        const chosen = scope === whole ? null : scope
        const cacheKey = queryKey === null ? null : keyOfCaller(queryKey, chosen, profile, ownState)
        let steps: Iterator<void> | null = null
        let plan: Plan
        const answered = budget.run(caller, () => {
          plan = store.plan(cacheKey, prepare)
          if (plan.prepared.ahead) steps = store.ahead(plan, boardTime())
          return steps ? null : answerTo(plan)
        })
        const made = answered
          ? toSend(answered, allowance, headers)
          : piecesOf(caller, isGone)(steps!, () => toSend(answerTo(plan), allowance, headers))
        if (made instanceof Promise) answerLater(made, response, headers, leave)
        else send(response, made, headers)
      } catch (error) {
        send(response, failure(error, headers), headers)
      }
    }
  }

  function toSend(
    { etag, body, isKept, coding, headers: ownHeaders }: ReadAnswer,
    allowance: Allowance | undefined,
    headers: SentHeaders,
  ): Answer | Promise<Answer> {
    // The tag stands for the content without the allowance, so it is weak for a body that has one.
    const shownTag = allowance ? (tag: string) => `W/${tag}` : (tag: string) => tag
    headers.etag = shownTag(etag)
    headers.isKept = isKept
    if (allowance && body instanceof Uint8Array) {
      // The body contains the client's own allowance, so it is compressed for this client.
      const coded = code(asAnswer(withRateLimit(body, allowance), ownHeaders), headers)
      if (!(coded instanceof Promise)) return coded
      return coded.then((answer) => {
        headers.etag = shownTag(codedTag(etag, headers.coding!))
        return answer
      })
    }
    if (body instanceof Promise) {
      return body.then((bytes) => {
        headers.coding = coding!
        return asAnswer(bytes, ownHeaders)
      })
    }
    if (coding) headers.coding = coding
    return body ? asAnswer(body, ownHeaders) : { status: 304 }
  }

  /** Handles a read of the past with the same route, once its scope is loaded. */
  async function answerThen(
    then: Promise<Scope>,
    readIn: (scope: Scope) => ReadAnswer,
    headers: SentHeaders,
  ): Promise<Answer> {
    const answered = readIn(await then)
    const { body } = answered
    // Another request that waited for this board may be handled before this response is sent.
    const own = body instanceof Uint8Array ? { ...answered, body: Buffer.from(body) } : answered
    return toSend(own, undefined, headers)
  }

  /** Sends a response once it is ready. @param leave called if the client leaves before */
  function answerLater(
    making: Promise<Answer>,
    response: Response,
    headers: SentHeaders,
    leave: () => void,
  ) {
    let isAborted = false
    const end = underWay.begin()
    response.onAborted(() => {
      isAborted = true
      leave()
      end()
    })
    const reply = (answer: Answer) => {
      if (isAborted) return
      end()
      send(response, answer, headers)
    }
    making.then(reply, (error: unknown) => {
      if (!(error instanceof ClientGoneError)) reply(failure(error, headers))
    })
  }

  return serveRead
}

/**
 * Returns the same response, tagged by its bytes: the tag of its rows does not show how far the
 * archive was.
 */
const taggedByBytes = ({ version, write }: Prepared): Prepared => ({
  version,
  write(page) {
    const { tag: _, ...written } = write(page)
    return written
  },
})

/** Recognises a query that may contain `as_of`, also escaped (`as%5Fof`). */
const mayNameThen = /as_of=|%[567]/

const noProfile = emptyProfile('')

/**
 * Returns the key of a response in the cache. Equal queries of several accounts may mean different sportsbooks,
 * different stakes and links to different states.
 * @param chosen the scope that the request chose; null for its tier's
 * @param ownState the account's state, if the response has links
 */
function keyOfCaller(
  queryKey: string,
  chosen: Scope | null,
  { accountId, revision }: ProfileRow,
  ownState: string | null,
): string {
  const inState = ownState === null ? queryKey : `${queryKey} in ${ownState}`
  const ofScope = chosen ? `${inState} ${chosen.name}` : inState
  return revision === '' ? ofScope : `${ofScope} by ${accountId} ${revision}`
}

/** Recognises a query that may contain `books`. */
const mayNameBooks = /books=|%[67]/

/** Most queries of a route whose `books` are remembered. */
const rememberedQueries = 1_000

const booksNamed = (query: Readonly<Record<string, unknown>>) =>
  query.books as readonly string[] | undefined

const asAnswer = (body: Uint8Array, headers: Answer['headers']): Answer =>
  headers ? { body, headers } : { body }
