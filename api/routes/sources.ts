/** `/api/v1/sources`: the states of live sources, and pausing them. Needs the admin token. */

import type { z } from 'zod'
import { adviceOn } from '../../pipeline/feeds/kit/source-health.ts'
import { listOf, objectOf } from '../../schemas/http/envelope.ts'
import { listQuery } from '../../schemas/http/list-query.ts'
import { pausedSource, sourceChange, sourceItem } from '../../schemas/http/sources.ts'
import type { SourcePause, SourceRow } from '../../schemas/source.ts'
import { instant, objectBody } from '../answer/json.ts'
import { listAnswer } from '../answer/list-page.ts'
import type { Boards } from '../boards.ts'
import { ApiError, writeErrors } from '../errors.ts'
import { openAction, type Route } from '../route.ts'

export interface SourcesRoutesOptions {
  readonly boards: Boards
  /** Sends the request to the process that runs the source. */
  readonly pause: (pause: SourcePause) => Promise<void>
  readonly clock: () => number
}

const tag = 'Admin'

export function createSourcesRoutes({ boards, pause, clock }: SourcesRoutesOptions): Route[] {
  return [
    openAction({
      method: 'get',
      path: '/api/v1/sources',
      access: 'admin',
      tag,
      summary: 'How each live source is, by name.',
      description:
        'Live sources of all processes. If a process reports nothing for half a minute, its sources are `down` with the reason `not_running`, and are left out ten minutes later.',
      query: listQuery,
      answers: {
        200: {
          description: 'The sources, or a page of them.',
          schema: listOf(sourceItem),
        },
      },
      errors: [],
      handle({ query }) {
        const rows = boards.sources.list(clock())
        const updatedAt = rows.reduce((newest, row) => Math.max(newest, row.updatedAt), 0)
        const around = { updatedAt, meta: { filters: {} } }
        return { body: listAnswer(rows, query, sourceJson, around) }
      },
    }),

    openAction({
      method: 'patch',
      path: '/api/v1/sources/:sourceId',
      access: 'admin',
      tag,
      summary: 'Pauses a source, or resumes it.',
      description:
        'Applies within a second in any process, and after a restart. Prices of a paused source are inactive and used in nothing.',
      query: {},
      pathParameters: { sourceId: 'Its name in `OVERROUND_FEEDS`.' },
      body: { as: 'json', schema: sourceChange, maxBytes: 1_024, example: { paused: true } },
      answers: {
        202: {
          description: 'It is told.',
          schema: objectOf(pausedSource),
        },
      },
      errors: ['not_found', ...writeErrors],
      async handle({ path: { sourceId = '' }, body }) {
        const now = clock()
        const isKnown = boards.sources.list(now).some(({ source }) => source === sourceId)
        if (!isKnown) {
          throw new ApiError('not_found', 'No source has this id.', {
            reference: '/api/v1/sources',
          })
        }
        await pause({ source: sourceId, isPaused: body.paused, at: now })
        return { status: 202, body: objectBody({ id: sourceId, paused: body.paused }, now) }
      },
    }),
  ]
}

export function sourceJson(row: SourceRow): z.output<typeof sourceItem> {
  const { state, reason } = row
  return {
    id: row.source,
    state,
    reason,
    advice: state === 'paused' ? null : adviceOn({ state, reason }),
    since: new Date(row.since).toISOString(),
    last_success: instant(row.lastSuccessAt ?? 0),
    next_try: instant(row.nextTryAt ?? 0),
    rows: row.rows,
    unmatched: row.unmatched,
    skipped: row.skipped,
    credits_left: row.creditsLeft,
    credits_used: row.creditsUsed,
    credits_per_month: row.creditsPerMonth,
    audience: row.audience,
    experimental: row.isExperimental,
    sportsbooks: [...row.sportsbooks],
    held_by: row.holder,
    updated_at: new Date(row.updatedAt).toISOString(),
  }
}
