/**
 * GET /opportunities/lives: the worth of past opportunities when detected, at their peak and last, from the archive.
 * JSON in pages, or a file with a line for each leg.
 */

import type { ArchiveHealth } from '../../pipeline/archive/archive-watch.ts'
import {
  type ArchivedLifeLeg,
  type LivesQuery,
  opportunityLives,
} from '../../pipeline/archive/opportunity-lives.ts'
import { instantOf } from '../../pipeline/archive/price-history.ts'
import { isoTime } from '../../pipeline/text/iso-time.ts'
import { historyFiles } from '../../schemas/http/history.ts'
import { lifeItem, lifeLeg, livesList, livesQuery } from '../../schemas/http/opportunity-lives.ts'
import { opportunityKinds, visibilityBit } from '../../schemas/opportunity.ts'
import type { Scope } from '../access/scope.ts'
import { byRank, oddsJson, timeOf } from '../answer/archived.ts'
import { itemOfRow } from '../answer/items.ts'
import { listBody } from '../answer/json.ts'
import { type PageQuery, paginationOf } from '../answer/list-page.ts'
import type { ArchiveAccess } from '../archive-access.ts'
import { archiveFilter, msOf, requireSpan } from '../ask/archive-period.ts'
import {
  archiveErrors,
  askPage,
  createArchiveQuestions,
  historyFeature,
} from '../ask/archive-questions.ts'
import { readFilters } from '../ask/filters.ts'
import { given } from '../ask/odds-filter.ts'
import { keyAction, type Route } from '../route.ts'

const dayMs = 86_400_000

/** @param now default end of the period (epoch ms) */
export function createLivesRoute(
  archive: ArchiveAccess,
  archiveHealth: () => ArchiveHealth | null,
  now: () => number,
): Route {
  const ask = createArchiveQuestions(archive, archiveHealth)
  return keyAction({
    method: 'get',
    tag: 'opportunities',
    requires: historyFeature,
    path: '/api/v1/opportunities/lives',
    summary: 'The worth of past opportunities, from detection to end',
    description:
      'Opportunities that have ended, one item each time that one existed, newest detection first. Current ones are in the list of their kind, with `detected_at`. A file has one line per leg.',
    query: livesQuery,
    answer: {
      description: 'A page of past opportunities.',
      schema: livesList,
      files: historyFiles,
    },
    errors: ['invalid_filter', 'tier_restricted', ...archiveErrors],
    async handle({ query, scope, ...by }) {
      const { format = 'json', event, live, kind, min_profit } = query
      const filters = readFilters(query, scope)
      const to = msOf(query.to) ?? now()
      const period = { from: msOf(query.from) ?? to - dayMs, to }
      requireSpan(period, 31)
      const archiveQuery: LivesQuery = {
        ...archiveFilter(event, filters, scope),
        period,
        kinds: kind ?? opportunityKinds,
        scopes: scopesThen(scope),
        isLive: live,
        leastPercent: min_profit,
      }
      if (format !== 'json') {
        const lives = opportunityLives(archiveQuery, format === 'csv')
        return ask.file(lives, format, 'opportunity_lives', by)
      }
      const legsAt = (page: PageQuery) => opportunityLives(archiveQuery, false, page)
      const { rows: legs, total } = await askPage<ArchivedLifeLeg>(ask, legsAt, query, by)
      return by.charged(() => {
        const lives = byRank(legs)
        return {
          body: listBody(lives.map(lifeJson), {
            pagination: paginationOf(query, lives.length, total),
            updatedAt: Math.max(0, ...legs.map(({ gone_at }) => instantOf(gone_at))),
            meta: {
              filters: {
                ...filters.echo,
                ...given({ kind, event, live, min_profit }),
                from: isoTime(period.from),
                to: isoTime(period.to),
              },
            },
          }),
        }
      })
    },
  })
}

/** Owners also see public opportunities: while the owner had no sources, they were stored only as such. */
export const scopesThen = ({ visibilityBit: bit, isOwner }: Scope) =>
  isOwner ? bit | visibilityBit.all | visibilityBit.owner : bit

function lifeJson(legs: readonly ArchivedLifeLeg[]) {
  const [life] = legs as readonly [ArchivedLifeLeg]
  const { detected_at, peak_at, gone_at } = life
  return itemOfRow(lifeItem, life, {
    event_start_time: timeOf(life.event_start_time),
    detected: { at: timeOf(detected_at), worth_percent: life.detected_percent },
    peak: { at: timeOf(peak_at), worth_percent: life.peak_percent },
    gone: { at: timeOf(gone_at), worth_percent: life.gone_percent },
    lasted_seconds: (instantOf(gone_at) - instantOf(detected_at)) / 1_000,
    legs: legs.map((leg) =>
      itemOfRow(lifeLeg, leg, {
        detected: oddsJson(leg.detected_odds),
        peak: oddsJson(leg.peak_odds),
        gone: oddsJson(leg.gone_odds),
      }),
    ),
  })
}
