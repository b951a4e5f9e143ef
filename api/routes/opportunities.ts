/**
 * GET /api/v1/opportunities/…: a list for each kind (interface 4.9), all created from the kinds'
 * descriptors, and the additional pages of some kinds.
 */

import type { Chains } from '../../pipeline/rules/odds/chains.ts'
import { compareValued, type OpportunityList } from '../../pipeline/views/opportunities/lists.ts'
import type { Valued } from '../../pipeline/views/opportunities/priced.ts'
import { exampleOf } from '../../schemas/http/example.ts'
import { boardQuery, oddsQuery } from '../../schemas/http/odds-query.ts'
import { maxOpportunityOffset } from '../../schemas/http/opportunities/opportunity.ts'
import { familyOf } from '../../schemas/opportunity.ts'
import { visibilityOfScope } from '../access/scope.ts'
import { csvHeaders } from '../answer/csv.ts'
import {
  isOpportunityId,
  objectWithState,
  opportunityIdPattern,
  textWithState,
} from '../answer/deep-links.ts'
import { listHead, listTail } from '../answer/json.ts'
import { paginationOf } from '../answer/list-page.ts'
import { objectResource } from '../answer/resource.ts'
import { given } from '../ask/odds-filter.ts'
import { ApiError, invalid, retryAfter } from '../errors.ts'
import { allKinds } from '../opportunities/all-kinds.ts'
import { listBounds } from '../opportunities/bounds.ts'
import { choiceOf } from '../opportunities/choice.ts'
import { createFoundAhead } from '../opportunities/found-ahead.ts'
import { itemText, shownAnew } from '../opportunities/item-texts.ts'
import {
  type Kind,
  type Moment,
  type Order,
  type OtherRows,
  requirementOf,
  type Seen,
  type UntypedQuery,
} from '../opportunities/kind.ts'
import { type ListQuery, requestedOpportunities } from '../opportunities/listing.ts'
import {
  newestSeen,
  newestSeenOf,
  opportunityAnswer,
  opportunityObject,
} from '../opportunities/opportunity-answer.ts'
import { findStanding, standingRows, stillStanding } from '../opportunities/priced.ts'
import { tooMuch } from '../opportunities/recompute.ts'
import { pageOf, sortOf } from '../opportunities/sorted-page.ts'
import { createSummary, type Summary } from '../opportunities/summaries.ts'
import { type ReadRoute, readRoute } from '../route.ts'

export interface OpportunityParts {
  readonly clock: () => number
  /** The chain of each game. */
  readonly chain: Chains
}

const base = '/api/v1/opportunities'
const shared = { access: 'key', tag: 'opportunities' } as const
const source = 'live'

/** Errors of routes with the parameter `books`. */
export const booksErrors = ['invalid_filter', 'tier_restricted', 'too_many_book_sets'] as const

export const createOpportunityRoutes = (parts: OpportunityParts): readonly ReadRoute[] =>
  allKinds.flatMap((kind) => {
    const { alias } = kind.list
    const list = listRoute(kind, parts)
    return [
      list,
      ...pagesOf(kind, parts),
      // The document needs only one of the two paths.
      ...(alias === undefined ? [] : [{ ...list, path: `${base}/${alias}`, isHidden: true }]),
    ]
  })

// ---- lists

/** Parameters of lists of all kinds. The kind reads the others. */
interface CommonListQuery extends ListQuery {
  readonly limit: number
  readonly offset: number
  readonly sort?: string
  readonly state?: string
  readonly format?: 'json' | 'csv'
}

function listRoute(kind: Kind, { clock, chain }: OpportunityParts): ReadRoute {
  const { contract, list } = kind
  const summaries = createSummaries(kind)
  const found = createFoundAhead()
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
    answer: {
      description: list.answer,
      schema: contract.list,
      ...(kind.csv && { csv: kind.csv.write([exampleOf(contract.item)]) }),
    },
    errors: booksErrors,
    tool: { ...kind.tool, inputs: [...kind.tool.inputs, 'offset'], shape: { items: ['data'] } },
    prepare({ query: raw, scope }) {
      const { opportunities } = scope
      const visibility = visibilityOfScope(scope)
      const choice = choiceOf(kind, raw, scope)
      const { listing, understood, bounds, isWithin } = choice
      const query = understood as UntypedQuery & CommonListQuery
      const { key, isDescending } = sortOf(query.sort ?? contract.defaultSort, contract.sorts)
      const downwards = isDescending || kind.alwaysDescending?.includes(key) === true
      const isOfAll = listing.isOfAll && isOfAllIn(kind, raw)
      const request = {}

      /** Returns all matching opportunities, by rank. */
      function named(seen: Seen, now: number): readonly Valued[] {
        const isChosen = choice.at(seen, now)
        const { matching } = found.of(request)
        const chosen = matching ? stillOf(matching, isChosen, now) : []
        if (!matching) {
          for (const piece of someAt(seen, now)) {
            for (const one of piece) if (isChosen(one)) chosen.push(one)
          }
        }
        chosen.sort(compareValued)
        return kind.choose?.(chosen, understood) ?? chosen
      }

      /**
       * Returns the matches found ahead that are still valid. One whose price has moved since is checked again. New
       * opportunities, and those that match only now, come with the next response.
       */
      function stillOf(
        some: readonly Valued[],
        isChosen: (one: Valued) => boolean,
        now: number,
      ): Valued[] {
        opportunities.moveTo(now)
        const still: Valued[] = []
        for (const one of some) {
          const value = opportunities.current(one, visibility)
          if (value && (value === one || isChosen(value))) still.push(value)
        }
        return still
      }

      function ahead(): Iterator<void> | null {
        if (isOfAll) return opportunities.listAhead(kind.name, visibility)
        const now = clock()
        const others = kind.at(momentAt(now)).otherRows?.(understood, listing.part(now))
        if (others) return computeAhead(others)
        const listed = opportunities.listAhead(kind.name, visibility)
        if (listed || opportunities.all(kind.name).length > lookedAtOnce) return chooseAhead(listed)
        found.drop(request)
        return null
      }

      function* computeAhead(others: OtherRows): Generator<void> {
        const all = yield* others
        const now = clock()
        const since = scope.board.watermark
        const statuses = scope.sources.version
        const isChosen = choice.at(kind.at(momentAt(now)), now)
        const some: Valued[] = []
        for (let from = 0; from < all.length; from += lookedAtOnce) {
          const standing = standingRows(scope, all.slice(from, from + lookedAtOnce), now)
          for (const one of standing) if (isChosen(one)) some.push(one)
          if (some.length > mostAnew) throw tooMuch(`Listing more than ${mostAnew} +EV`)
          yield
        }
        found.keep(request, { anew: { some, since, statuses } })
      }

      function* chooseAhead(listed: Iterator<void> | null): Generator<void> {
        while (listed && !listed.next().done) yield
        const now = clock()
        const seen = kind.at(momentAt(now))
        const all = listing.ofEvents(kind, now).flat()
        if (all.length <= lookedAtOnce) {
          found.drop(request)
          return
        }
        const isChosen = choice.at(seen, now)
        const matching: Valued[] = []
        for (let at = 0; at < all.length; at++) {
          const value = opportunities.current(all[at]!, visibility)
          if (value && isChosen(value)) matching.push(value)
          if (at % lookedAtOnce === lookedAtOnce - 1) yield
        }
        found.keep(request, { matching })
      }

      function someAt(seen: Seen, now: number): OpportunityList['pieces'] {
        const others = seen.otherRows?.(understood, listing.part(now))
        if (!others) return listing.ofEvents(kind, now)
        const { anew } = found.of(request)
        // To measure them here would hold up all other requests.
        if (!anew) throw tooManyMeasuring()
        return [stillStanding(scope, anew, now)]
      }

      /** Returns the ranked candidates, a predicate and the summary. */
      function chosenAt(seen: Seen, now: number) {
        if (isOfAll) {
          const list = opportunities.list(kind.name, visibility, now)
          return { ranked: list.pieces, isChosen: isWithin, summary: summaries.of(list) }
        }
        const all = named(seen, now)
        const summary = createSummary(kind.summary)
        for (const one of all) summary.add(one, 1)
        return { ranked: [all], isChosen: isAny, summary }
      }

      const momentAt = (now: number): Moment => ({
        scope,
        chain,
        now,
        state: query.state,
      })

      return opportunityAnswer(
        scope,
        clock,
        (now) => {
          const moment = momentAt(now)
          const seen = kind.at(moment)
          const { ranked, isChosen, summary } = chosenAt(seen, now)
          const page = pageOf(ranked, isChosen, seen.order(key), downwards, query).map(
            opportunities.item,
          )
          if (kind.csv && query.format === 'csv') {
            const shown = page.map((item) => shownAnew(item, seen))
            return csvFile(kind.csv, shown, now)
          }
          const updatedAt = newestSeen(page)
          const filters = {
            ...listing.echo(),
            ...given({ ...echoOf(understood), ...bounds }),
          }
          const { figure } = kind.summary
          const [first] = figure
            ? pageOf(ranked, isChosen, byRank, true, { limit: 1, offset: 0 })
            : []
          const shownSummary = summary.shown(first && figure?.of(first.figures))
          const meta = kind.meta?.({ filters, summary: shownSummary, scope, updatedAt })
          const texts = page.map((item) => itemText(item, seen, moment))
          const tail = listTail({
            pagination: paginationOf(query, page.length, summary.count, maxOpportunityOffset),
            updatedAt,
            meta: { source, ...(meta ?? { filters, summary: shownSummary }) },
          })
          const body = `${listHead}${texts.join()}${tail}`
          return { body: textWithState(body, query.state) }
        },
        ahead,
      )
    },
  })
}

/** Opportunities checked in one step, before other work runs: some milliseconds at worst. */
const lookedAtOnce = 256

/** So many can be sorted and summed up at once. */
const mostAnew = 10_000

/** The error of a request whose result gave way to those of others before it was written. */
const tooManyMeasuring = () =>
  new ApiError(
    'work_limited',
    'Too many requests measure in their own way at the same time; try again in 1 s.',
    retryAfter(1),
  )

const isAny = () => true

const byRank: Order = { keyOf: ({ rank }) => rank, byRank: 'same' }

/** Parameters that affect only the presentation. */
const presentation: ReadonlySet<string> = new Set(['limit', 'offset', 'sort', 'state', 'format'])

/** Returns whether a query has no filters besides the default bounds of lists. */
const isOfAllIn = ({ contract }: Kind, query: Readonly<Record<string, unknown>>) =>
  Object.entries(query).every(
    ([name, value]) =>
      value === undefined || presentation.has(name) || contract.bounds[name]?.ofLists === value,
  )

/** Creates cached summaries of lists within the default bounds. Each is kept up to date from its first use. */
function createSummaries(kind: Kind) {
  const bounds = listBounds(kind, {})
  const kept = new WeakMap<OpportunityList, Summary>()
  return {
    of(list: OpportunityList): Summary {
      const known = kept.get(list)
      if (known) return known
      const summary = createSummary(kind.summary)
      kept.set(list, summary)
      list.count({
        add(one, by) {
          if (kind.isWithin(one.figures, bounds)) summary.add(one, by)
        },
      })
      return summary
    },
  }
}

function csvFile(csv: NonNullable<Kind['csv']>, shown: readonly object[], now: number) {
  const day = new Date(now).toISOString().slice(0, 10)
  return { body: csv.write(shown), headers: csvHeaders(`${csv.fileName}_${day}`) }
}

/**
 * Returns the request's numbers, flags and words for `meta.filters`. The listing adds the lists of
 * the board's filters.
 */
function echoOf(query: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { limit, offset, sort, format, ...others } = query
  return Object.fromEntries(
    Object.entries(others).filter(
      ([name, value]) => value !== undefined && (!Array.isArray(value) || name === 'devig_books'),
    ),
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
    objectResource({
      ...shared,
      path: `${path}/summary`,
      summary: overview.summary,
      description: 'Updated every ten seconds.',
      requires,
      query: overview.query,
      answer: { description: overview.answer, schema: overview.contract },
      errors: ['invalid_filter', 'tier_restricted'],
      read({ query, scope }) {
        const listing = requestedOpportunities({ ...query, offset: 0 }, scope)
        return {
          version: () => Math.floor(clock() / overviewStandsMs),
          ahead: () => listing.ahead(kind),
          now() {
            const some = listing.all(kind, clock())
            const data = pages.overviewOf(some, scope)
            return { data, updatedAt: newestSeenOf(some, scope), meta: { filters: listing.echo() } }
          },
        }
      },
    }),
    objectResource({
      ...shared,
      path: `${path}/:id`,
      summary: one.summary,
      requires,
      query: { books: boardQuery.books, state: oddsQuery.state },
      pathParameters: { id: { description: one.id, pattern: opportunityIdPattern } },
      answer: { description: one.answer, schema: one.contract },
      errors: ['not_found', ...booksErrors],
      read({ path: { id = '' }, query: { state }, scope }) {
        requireOpportunityId(id)
        scope.among?.set?.require()
        return opportunityObject(scope, clock, (now) => {
          const entry = scope.opportunities.find(id)
          const item = entry?.row.kind === kind.name ? findStanding(scope, entry, now) : null
          if (!item) throw new ApiError('not_found', one.missing)
          const moment: Moment = { scope, chain, now, state }
          const data = objectWithState(shownAnew(item, kind.at(moment)), state)
          return { data, updatedAt: newestSeen([item]) }
        })
      },
    }),
  ]
}

/** @throws ApiError validation_error for an invalid id */
export function requireOpportunityId(id: string) {
  if (isOpportunityId(id)) return
  throw invalid(['id'], 'An opportunity id is 16 lower-case hex digits.')
}
