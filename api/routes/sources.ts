/** `/api/v1/sources`: the states of live sources; pausing, testing, adding and removing one. Needs the admin token. */

import type { Logger } from 'pino'
import type { z } from 'zod'
import { within } from '../../pipeline/async/abort-signals.ts'
import { type LiveSource, SettingsError } from '../../pipeline/feeds/kit/source.ts'
import { adviceOn } from '../../pipeline/feeds/kit/source-health.ts'
import { findLiveSource, liveSources } from '../../pipeline/feeds/live-sources.ts'
import { openLive } from '../../pipeline/feeds/open-feeds.ts'
import { adviceOnTrial, type Trial, tryFeed } from '../../pipeline/feeds/trial.ts'
import type { Append, Log } from '../../pipeline/log/log.ts'
import { listOf, objectOf } from '../../schemas/http/envelope.ts'
import { exampleOf } from '../../schemas/http/example.ts'
import { listQuery } from '../../schemas/http/list-query.ts'
import {
  addedSource,
  availableSource,
  pausedSource,
  sourceChange,
  sourceItem,
  sourceTrial,
  statedSource,
} from '../../schemas/http/sources.ts'
import { type AddedSource, type SourceRow, sourceSilentMs } from '../../schemas/source.ts'
import { topics } from '../../schemas/topics.ts'
import { itemOfRow } from '../answer/items.ts'
import { instant, objectBody } from '../answer/json.ts'
import { datedList, listAnswer } from '../answer/list-page.ts'
import type { Boards } from '../boards.ts'
import { ApiError, invalid, retryAfter } from '../errors.ts'
import { adminActions, jsonBody, openAction, type Route } from '../route.ts'

export interface SourcesRoutesOptions {
  readonly boards: Boards
  readonly log: Pick<Log, 'append'>
  readonly logger: Logger
  readonly clock: () => number
  /** Whether prices are real: sources are not added to invented or recorded ones. */
  readonly isLive: () => boolean
}

/** The longest test of a source. */
const trialMs = 15_000

const action = adminActions('/api/v1/sources', { sourceId: 'Its id.' })

export function createSourcesRoutes(options: SourcesRoutesOptions): Route[] {
  const { boards, log, logger, clock, isLive } = options
  const { sources } = boards
  let isTrying = false

  /** Returns all sources: the running ones, and the added ones that have not begun yet. */
  function allRows(now: number): readonly SourceRow[] {
    const rows = sources.list(now)
    const known = new Set(rows.map(({ source }) => source))
    const waiting = [...sources.added.values()]
      .filter(({ source }) => !known.has(source))
      .map((added) => waitingRow(added, now))
    return [...rows, ...waiting].sort((a, b) => (a.source < b.source ? -1 : 1))
  }

  /**
   * Returns a source with its settings, complete with the keys that are stored.
   * @throws ApiError also if a stored key would be sent to another address than before
   */
  function settingsOf({ source: name, settings }: z.output<typeof statedSource>) {
    const source = findLiveSource(name)
    if (!source) {
      throw new ApiError('not_found', `There is no source ${name}.`, {
        reference: '/api/v1/sources/available',
      })
    }
    const stored = splitSettings(name, sources.added.get(name))
    const missing = Object.keys(stored.secret).filter((key) => !(key in settings))
    const moved = addressesOf(source).filter((key) => stored.shown[key] !== settings[key])
    if (missing.length > 0 && moved.length > 0) {
      throw invalid(
        missing,
        `${moved.join(', ')} changed: state ${missing.join(', ')} again. A stored key is not sent to a new address.`,
      )
    }
    return { source, settings: { ...stored.secret, ...settings } }
  }

  /** @throws ApiError for settings that do not fit */
  const openOf = async ({ source, settings }: ReturnType<typeof settingsOf>) => {
    try {
      const { references } = boards.live
      return await openLive(source, settings, { logger, now: clock, references })
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error
      throw invalid(['settings'], `The settings do not fit: ${error.message}`)
    }
  }

  const rowOf = (source: string, value: AddedSource | null): Append => ({
    ...{ topic: topics.addedSources, partitionKey: 0, key: source, value },
  })
  const pauseOf = (source: string, isPaused: boolean, at: number): Append => ({
    ...{ topic: topics.sourcePauses, partitionKey: 0, key: source },
    value: { source, isPaused, at },
  })

  return [
    action('get', '', {
      summary: 'How each live source is, by name.',
      description:
        'Live sources of all processes. If a process reports nothing for half a minute, its sources are `down` with the reason `not_running`, and are left out ten minutes later.',
      query: listQuery,
      answer: { description: 'The sources, or a page of them.', schema: listOf(sourceItem) },
      handle({ query }) {
        const shown = (row: SourceRow) => sourceJson(row, sources.added.get(row.source))
        return { body: datedList(allRows(clock()), query, shown) }
      },
    }),

    action('get', '/available', {
      summary: 'The live sources that can be added, with their settings.',
      query: listQuery,
      answer: { description: 'The sources, or a page of them.', schema: listOf(availableSource) },
      handle({ query }) {
        const around = { updatedAt: 0, meta: { filters: {} } }
        return { body: listAnswer(liveSources, query, availableJson, around) }
      },
    }),

    // It writes nothing, so it does not belong to the actions above.
    openAction({
      method: 'post',
      path: '/api/v1/sources/test',
      access: 'admin',
      tag: 'Admin',
      summary: 'Reads a source once with these settings, and shows what came.',
      description:
        'Nothing is stored. The process of the API reads it, for at most 15 seconds; a metered source counts the calls. One test runs at a time.',
      query: {},
      body: settingsBody,
      answer: { description: 'What came.', schema: objectOf(sourceTrial) },
      errors: ['not_found', 'rate_limited'],
      async handle({ body }) {
        const feed = await openOf(settingsOf(body))
        if (isTrying) {
          throw new ApiError('rate_limited', 'Another test of a source runs.', retryAfter(5))
        }
        isTrying = true
        const from = clock()
        const inTime = within(trialMs)
        try {
          const trial = await tryFeed(feed, inTime.signal, clock)
          return { body: objectBody(trialJson(feed.name, trial, clock() - from), clock()) }
        } finally {
          inTime.forget()
          isTrying = false
        }
      },
    }),

    action('post', '', {
      summary: 'Adds a live source, or changes the settings of one that was added.',
      description:
        'A pipeline begins to read it within a second, and again after a restart. Its settings are kept in the log, with its keys. A source of `OVERROUND_FEEDS` is changed in `OVERROUND_FEEDS_FILE` only, and none is added to simulated or recorded prices.',
      body: settingsBody,
      answer: { status: 202, description: 'It is added.', schema: objectOf(addedSource) },
      errors: ['forbidden', 'not_found'],
      async handle({ body }) {
        if (!isLive()) {
          throw new ApiError(
            'forbidden',
            'Prices of this service are simulated or recorded, and real ones are not mixed with them. Start it with OVERROUND_FEEDS=none in a directory of its own (OVERROUND_DATA_DIR=./data-own), then add the source.',
          )
        }
        const stated = settingsOf(body)
        await openOf(stated)
        const now = clock()
        const { name } = stated.source
        if (!sources.added.has(name) && sources.list(now).some(({ source }) => source === name)) {
          throw new ApiError(
            'forbidden',
            `${name} is named in OVERROUND_FEEDS: change its settings in OVERROUND_FEEDS_FILE.`,
          )
        }
        const row = rowOf(name, {
          ...{ source: name, settings: JSON.stringify(stated.settings), at: now },
        })
        // A source that was paused when it was removed starts unpaused.
        await log.append(sources.added.has(name) ? [row] : [pauseOf(name, false, now), row])
        return { body: objectBody({ id: name, added: true }, now) }
      },
    }),

    action('delete', '/:sourceId', {
      summary: 'Removes a source that was added.',
      description: 'It is read no more within a second, and its prices are inactive.',
      answer: { status: 202, description: 'It is removed.', schema: objectOf(addedSource) },
      async handle({ path: { sourceId = '' } }) {
        if (!sources.added.has(sourceId)) {
          throw new ApiError('not_found', 'No source with this id was added.', {
            reference: '/api/v1/sources',
          })
        }
        await log.append([rowOf(sourceId, null)])
        return { body: objectBody({ id: sourceId, added: false }, clock()) }
      },
    }),

    action('patch', '/:sourceId', {
      summary: 'Pauses a source, or resumes it.',
      description:
        'Applies within a second in any process, and after a restart. Prices of a paused source are inactive and used in nothing.',
      pathParameters: { sourceId: 'Its name in `OVERROUND_FEEDS`.' },
      body: jsonBody(sourceChange, 1_024, { paused: true }),
      answer: {
        status: 202,
        description: 'It is requested; the process that runs the source follows.',
        schema: objectOf(pausedSource),
      },
      async handle({ path: { sourceId = '' }, body }) {
        const now = clock()
        if (!allRows(now).some(({ source }) => source === sourceId)) {
          throw new ApiError('not_found', 'No source has this id.', {
            reference: '/api/v1/sources',
          })
        }
        await log.append([pauseOf(sourceId, body.paused, now)])
        return { body: objectBody({ id: sourceId, paused: body.paused }, now) }
      },
    }),
  ]
}

const settingsBody = jsonBody(statedSource, 64 * 1_024, exampleOf(statedSource))

/** Returns the row of an added source that no process runs yet. */
function waitingRow({ source, at }: AddedSource, now: number): SourceRow {
  const isLate = now - at > sourceSilentMs
  return {
    source,
    state: isLate ? 'down' : 'degraded',
    reason: isLate ? 'not_running' : 'starting',
    ...{ since: at, lastSuccessAt: null, nextTryAt: null, rows: 0, unmatched: 0, skipped: {} },
    ...{ creditsLeft: null, creditsUsed: null, creditsPerMonth: null, audience: 'all' },
    isExperimental: !(findLiveSource(source)?.isOfficial ?? true),
    ...{ sportsbooks: [], holder: null, cursor: null, updatedAt: at },
  }
}

/** Returns the settings of an added source: the public ones, and its keys and passwords. */
function splitSettings(name: string, added: AddedSource | undefined) {
  const all = Object.entries((added ? JSON.parse(added.settings) : {}) as Record<string, unknown>)
  const properties = findLiveSource(name)?.settings.properties
  // Without the source's definition, all settings count as secret.
  const isSecret = (key: string) => properties?.[key]?.writeOnly ?? properties === undefined
  return {
    shown: Object.fromEntries(all.filter(([key]) => !isSecret(key))),
    secret: Object.fromEntries(all.filter(([key]) => isSecret(key))),
  }
}

/** Returns the settings that are addresses at which a source is read. */
const addressesOf = ({ settings: { properties } }: LiveSource) =>
  Object.keys(properties).filter((key) => addressFormats.has(properties[key]!.format ?? ''))

const addressFormats: ReadonlySet<string> = new Set(['uri', 'hostname'])

const availableJson = (source: LiveSource): z.output<typeof availableSource> => ({
  id: source.name,
  official: source.isOfficial,
  settings: source.settings,
})

function trialJson(id: string, trial: Trial, tookMs: number): z.output<typeof sourceTrial> {
  const { health, credits, isWholeRound, examples, ...counts } = trial
  return {
    id,
    state: health.state,
    reason: health.reason,
    advice: adviceOnTrial(trial),
    round_ended: isWholeRound,
    took_ms: tookMs,
    ...counts,
    sportsbooks: [...trial.sportsbooks],
    credits_left: credits?.left ?? null,
    examples: examples.map(({ sportsbook, league, awayTeam, homeTeam, startsAt, prices }) => ({
      ...{ sportsbook, league, away_team: awayTeam, home_team: homeTeam },
      start_time: new Date(startsAt).toISOString(),
      prices,
    })),
  }
}

export function sourceJson(row: SourceRow, added: AddedSource | undefined) {
  const { state, reason } = row
  return itemOfRow(sourceItem, row, {
    id: row.source,
    advice: state === 'paused' ? null : adviceOn({ state, reason }),
    since: new Date(row.since).toISOString(),
    last_success: instant(row.lastSuccessAt ?? 0),
    next_try: instant(row.nextTryAt ?? 0),
    experimental: row.isExperimental,
    held_by: row.holder,
    settings: added ? splitSettings(row.source, added).shown : null,
    updated_at: new Date(row.updatedAt).toISOString(),
  })
}
