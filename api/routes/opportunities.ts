/**
 * GET /api/v1/opportunities/…: a list of each kind (interface 4.9), all made in one way from the kinds'
 * descriptors, and the further pages that some kinds have.
 */

import { appendText } from '../../pipeline/text/page-buffer.ts'
import { familyOf } from '../../schemas/opportunity.ts'
import type { Scope } from '../access/scope.ts'
import { isOpportunityId, opportunityId, stateEnd } from '../answer/deep-links.ts'
import { listBody, objectBody } from '../answer/json.ts'
import { given } from '../ask/odds-filter.ts'
import { ApiError } from '../errors.ts'
import { allKinds } from '../opportunities/all-kinds.ts'
import { listBounds } from '../opportunities/bounds.ts'
import {
  type Choice,
  createGathering,
  type Gathered,
  type Part,
  partOf,
} from '../opportunities/gathering.ts'
import type { Kind, Order, Priced, Seen } from '../opportunities/kind.ts'
import { type ListQuery, requestedOpportunities } from '../opportunities/listing.ts'
import { createMoment } from '../opportunities/moment.ts'
import { newestSeen, opportunityAnswer } from '../opportunities/opportunity-answer.ts'
import { findStanding } from '../opportunities/priced.ts'
import { oldestAgeMs, seenQuotes } from '../opportunities/quotes.ts'
import { pageOf, sortOf } from '../opportunities/sorted-page.ts'
import { addSummary, emptySummary, shownSummary } from '../opportunities/summaries.ts'
import { type ReadRoute, readRoute } from './route.ts'

export interface OpportunityParts {
  readonly clock: () => number
  /** Sharp books, the first choice first. */
  readonly chain: readonly string[]
  /** See `createGathering`. */
  readonly mostAtOnce?: number
}

const base = '/api/v1/opportunities'
const shared = { access: 'key', tag: 'opportunities' } as const
const source = 'live'

export const createOpportunityRoutes = (parts: OpportunityParts): readonly ReadRoute[] =>
  allKinds.flatMap((kind) => {
    const { alias } = kind.list
    const list = listRoute(kind, parts)
    return [
      list,
      ...pagesOf(kind, parts),
      // One of two paths is enough for the document.
      ...(alias === undefined ? [] : [{ ...list, path: `${base}/${alias}`, isHidden: true }]),
    ]
  })

const requirementOf = ({ name, list }: Kind) => ({
  feature: familyOf(name),
  otherwise: list.otherwise,
})

// ---- lists

/** What a list may be asked, whatever its kind; the rest is for the kind to read. */
interface AskedOfList extends ListQuery {
  readonly limit: number
  readonly offset: number
  readonly sort?: string
  readonly max_odds_age?: number
  readonly state?: string
  readonly format?: 'json' | 'csv'
}

function listRoute(kind: Kind, { clock, chain, mostAtOnce }: OpportunityParts): ReadRoute {
  const { contract, list } = kind
  return readRoute({
    ...shared,
    path: `${base}/${familyOf(kind.name)}`,
    summary: list.summary,
    description:
      list.alias === undefined
        ? list.description
        : `${list.description} The same at \`/opportunities/${list.alias}\`.`,
    requires: requirementOf(kind),
    query: contract.query,
    answers: {
      200: {
        description: list.answer,
        schema: contract.list,
        example: contract.example,
        ...(contract.csv !== undefined && { csv: contract.csv }),
      },
    },
    errors: ['invalid_filter', 'tier_restricted'],
    prepare({ query: raw, scope }) {
      const listing = requestedOpportunities(raw, scope)
      const understood = kind.understand?.(raw) ?? raw
      const asked = understood as AskedOfList
      const { key, isDescending } = sortOf(asked.sort ?? contract.defaultSort, contract.sorts)
      const bounds = listBounds(kind, understood)
      const downwards = isDescending || kind.isAlwaysDescending === true
      const seenAt = (now: number) => kind.at(createMoment(scope, chain, now, asked.state))
      const chosenOf = (parts: readonly Part[], order: Order) => {
        const chosen = kind.choose?.(parts.flatMap(itemsOf), understood)
        return chosen ? [partOf(kind, chosen, order)] : parts
      }
      const choiceOf = (seen: Seen, now: number): Choice => {
        const order = seen.order(key)
        return {
          order,
          isChosen: (item) =>
            kind.isWithin(item.figures, bounds) &&
            isYoung(item, asked.max_odds_age, scope, now) &&
            (seen.isAsked?.(item, understood) ?? true),
          page: (parts) => pageOf(chosenOf(parts, order), order, downwards, asked).page,
          show: (item) => seen.show(item),
        }
      }
      const choiceAt = (now: number) => choiceOf(seenAt(now), now)
      const gathering = createGathering(kind, scope, listing, choiceAt, mostAtOnce)
      const hasOtherRows = kind.hasOtherRows?.(understood) ?? false

      function computed(now: number): Gathered {
        const seen = seenAt(now)
        const rows = seen.otherRows?.(understood, listing.events(now)) ?? []
        const entries = rows.map((row) => ({ row, kept: undefined }))
        const { isChosen, order, show } = choiceOf(seen, now)
        const items = listing.all(kind, now, entries).filter(isChosen)
        return { parts: [partOf(kind, items, order)], now, show }
      }

      return opportunityAnswer(
        scope,
        clock,
        (clocked) => {
          const gathered = hasOtherRows ? computed(clocked) : gathering.take(clocked)
          const { now } = gathered
          const order = seenAt(now).order(key)
          const parts = chosenOf(gathered.parts, order)
          const { page, pagination } = pageOf(parts, order, downwards, asked)
          const shown = page.map(gathered.show)
          if (kind.csv && asked.format === 'csv') return csvFile(kind.csv, shown, now)
          const updatedAt = newestSeen(page)
          const filters = {
            ...listing.echo(),
            ...given({ ...echoOf(understood), ...bounds }),
          }
          const all = emptySummary(kind.summary)
          for (const part of parts) addSummary(kind.summary, all, part.summary)
          const summary = shownSummary(kind.summary, all)
          const meta = kind.meta?.({ filters, summary, scope, updatedAt }) ?? { filters, summary }
          const body = listBody(shown, { pagination, updatedAt, meta: { source, ...meta } })
          return { body: bodyWithState(body, asked.state) }
        },
        appendText,
        hasOtherRows ? undefined : gathering.ahead,
      )
    },
  })
}

const itemsOf = ({ items }: Part) => items

const isYoung = (item: Priced, maxAgeSeconds: number | undefined, scope: Scope, now: number) =>
  maxAgeSeconds === undefined || oldestAgeMs(seenQuotes(item, scope), now) <= 1_000 * maxAgeSeconds

function csvFile(csv: NonNullable<Kind['csv']>, shown: readonly object[], now: number) {
  const day = new Date(now).toISOString().slice(0, 10)
  const headers = {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${csv.fileName}_${day}.csv"`,
  }
  return { body: csv.write(shown), headers }
}

/**
 * A body whose links to prices lead to the pages for a US state.
 * @param state lower case
 */
const bodyWithState = (body: string, state: string | undefined) =>
  state === undefined
    ? body
    : body.replace(/:"\/api\/v1\/deeplink\/[\w-]+(?=")/g, (link) => link + stateEnd(state))

/** The numbers, flags and words of a request, for `meta.filters`. */
function echoOf(query: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { limit, offset, sort, format, ...others } = query
  return Object.fromEntries(
    Object.entries(others).filter(([, value]) => value !== undefined && !Array.isArray(value)),
  )
}

// ---- pages of some kinds

const overviewStandsMs = 10_000

function pagesOf(kind: Kind, { clock, chain }: OpportunityParts): readonly ReadRoute[] {
  const { pages } = kind
  if (!pages) return []
  const { one, overview } = pages
  const path = `${base}/${familyOf(kind.name)}`
  const requires = requirementOf(kind)
  return [
    readRoute({
      ...shared,
      path: `${path}/summary`,
      summary: overview.summary,
      description: 'Worked out every ten seconds.',
      requires,
      query: overview.query,
      answers: { 200: overview.answer },
      errors: ['invalid_filter', 'tier_restricted'],
      prepare({ query, scope }) {
        const listing = requestedOpportunities({ ...query, offset: 0 }, scope)
        return {
          version: () => Math.floor(clock() / overviewStandsMs),
          write(page) {
            const items = listing.all(kind, clock())
            const meta = { filters: listing.echo() }
            const body = objectBody(pages.overviewOf(items), newestSeen(items), meta)
            appendText(page, JSON.stringify(body))
            return {}
          },
        }
      },
    }),
    readRoute({
      ...shared,
      path: `${path}/:id`,
      summary: one.summary,
      requires,
      query: {},
      pathParameters: { id: { description: one.id, pattern: opportunityId } },
      answers: { 200: one.answer },
      errors: ['not_found'],
      prepare({ path: { id = '' }, scope }) {
        requireOpportunityId(id)
        return opportunityAnswer(
          scope,
          clock,
          (now) => {
            const entry = scope.opportunities.find(id)
            const item =
              entry?.row.kind === kind.name ? findStanding(scope, entry, kind, now) : null
            if (!item) throw new ApiError('not_found', one.missing)
            const shown = kind.at(createMoment(scope, chain, now)).show(item)
            return { body: JSON.stringify(objectBody(shown, newestSeen([item]))) }
          },
          appendText,
        )
      },
    }),
  ]
}

/** @throws ApiError validation_error for what cannot be an id */
export function requireOpportunityId(id: string) {
  if (isOpportunityId(id)) return
  throw new ApiError('validation_error', 'An opportunity id is 16 lower-case hex digits.', {
    parameters: ['id'],
  })
}
