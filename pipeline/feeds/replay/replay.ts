/**
 * The replay feed: recordings, published as if they were happening. A pass publishes all steps in order and waits for
 * the sink after each, so a recording is never ahead of the log.
 *
 * All times (observation, start, last change) are moved by the same shift per pass, so distances
 * between them stay as recorded at any speed; faster than 1, moved times run ahead of the clock. If
 * times are not moved to now, the recording is the clock of the service. Each step is followed by a
 * tick of its time, and between the steps of a paced replay, time goes on at its speed. A later
 * pass begins after the end of the pass before, because observations must not go back. Its games
 * are other games: their external ids contain the number of the pass.
 */

import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FeedEvent, FeedRecord, TickRecord } from '../../../schemas/feed-record.ts'
import { sleep } from '../../async/abort-signals.ts'
import type { Feed, Skip } from '../feed.ts'
import { openRecording, type Recording } from './open-recording.ts'
import { RecordingError, type Step, UnsupportedRecordingError } from './recording.ts'

export interface ReplayOptions {
  /** A recorded file, or a directory whose supported files are replayed together by time. */
  readonly path: string
  /** 1 is real time, 10 ten times as fast; Infinity (the default) and 0 as fast as the sink. */
  readonly speed?: number
  /** Moves all times so that the recording begins now. */
  readonly retime?: boolean
  /** Starts again at the end, until its signal aborts. */
  readonly loop?: boolean
  /** Id or name of the league, for files that do not name it. */
  readonly league?: string
}

/** Clock and waiting, which tests replace. */
export interface ReplayClock {
  readonly now: () => number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

export const realClock: ReplayClock = { now: Date.now, sleep }

/** The longest sleep that timers allow. */
const longestSleepMs = 2 ** 31 - 1

/** The time between two ticks of a paced recording. */
const tickEveryMs = 1_000

/**
 * Opens the feed over a recording. Its `run` resolves at the end unless it loops. It rejects if a
 * file cannot be read; a retry does not help.
 * @throws RecordingError when there is nothing at the path
 */
export function openReplay(options: ReplayOptions, clock: ReplayClock = realClock): Feed {
  const { path, speed = Number.POSITIVE_INFINITY, retime = false, loop = false } = options
  if (!existsSync(path))
    throw new RecordingError(`${path} does not exist; name a recorded file or a directory of them`)
  if (Number.isNaN(speed) || speed < 0) throw new RangeError(`speed is 0 or more, got ${speed}`)
  const isPaced = speed > 0 && speed !== Number.POSITIVE_INFINITY
  const name = 'replay'

  return {
    name,
    isRecorded: !retime,
    runsAhead: retime && !(isPaced && speed <= 1),
    async check() {
      await openAll(options, null)
    },
    async run(sink, signal) {
      const { recordings, skipped } = await openAll(options, retime ? null : clock.now())
      if (skipped.length > 0) sink.skipped(name, skipped)
      let lastAt: number | null = null
      for (let pass = 1; pass === 1 || loop; pass++) {
        const passStartedAt = clock.now()
        let firstAt: number | null = null
        let shiftMs = 0
        for await (const step of stepsOf(recordings)) {
          if (signal.aborted) return
          if (step.skipped.length > 0) sink.skipped(name, step.skipped)
          if (step.at === null) continue
          if (firstAt === null) {
            firstAt = step.at
            const begin: number = retime ? passStartedAt : firstAt
            shiftMs = Math.max(begin, lastAt === null ? begin : lastAt + 1) - firstAt
          }
          const at = step.at + shiftMs
          if (isPaced) {
            const due = passStartedAt + (step.at - firstAt) / speed
            const timeAt = (now: number) => Math.floor(at - (due - now) * speed)
            await sleepUntil(
              due,
              signal,
              retime ? null : (now) => sink.publish([tick(timeAt(now))]),
            )
            if (signal.aborted) return
          }
          const records = moveRecords(step.records, shiftMs, pass)
          // The records come before the tick, because repeated statements are not outdated.
          const published = retime ? records : [...records, tick(at)]
          if (published.length > 0) await sink.publish(published)
          lastAt = Math.max(lastAt ?? at, at)
        }
        // A recording without any time would be read again for ever.
        if (firstAt === null) return
      }
    },
  }

  /** @param tell called every second meanwhile */
  async function sleepUntil(
    due: number,
    signal: AbortSignal,
    tell: ((now: number) => Promise<void>) | null,
  ) {
    for (;;) {
      const leftMs = due - clock.now()
      if (signal.aborted || leftMs <= 0) return
      const ms = Math.min(leftMs, tell ? tickEveryMs : longestSleepMs)
      await clock.sleep(ms, signal)
      const now = clock.now()
      if (tell && now < due && !signal.aborted) await tell(now)
    }
  }
}

const tick = (observedAt: number): TickRecord => ({ type: 'tick', observedAt, isRecorded: true })

/** Thrown for an unknown parameter of a replay, or an invalid value. */
export class ReplaySpecError extends RecordingError {
  override readonly name = 'ReplaySpecError'
}

/** Returns a replay as it stands in the list of feeds, where `%`, `,` and `?` of a path are escaped. */
export const replaySpec = (path: string, parameters: URLSearchParams): string =>
  `replay:${path.replace(/[%,?]/g, encodeURIComponent)}?${parameters}`

/** Of a path, only what `replaySpec` escapes is: the name of a file may have other signs that look escaped. */
const unescaped = (text: string) => text.replace(/%(25|2C|3F)/gi, decodeURIComponent)

/**
 * Parses a replay in the list of feeds: `replay:<path>[?speed=10&retime=true&loop=true]`, with `league=afl` for files
 * that do not name theirs. Without `speed` it is played at speed 1.
 * @throws ReplaySpecError
 */
export function parseReplaySpec(spec: string): ReplayOptions {
  const [, escaped = '', query = ''] = /^replay:([^?]*)(?:\?(.*))?$/.exec(spec) ?? []
  const path = unescaped(escaped)
  if (path === '') {
    throw new ReplaySpecError(`a replay is written replay:<path>, got ${JSON.stringify(spec)}`)
  }
  const options: { -readonly [Name in keyof ReplayOptions]: ReplayOptions[Name] } = {
    path,
    speed: 1,
  }
  for (const [name, value] of new URLSearchParams(query)) {
    switch (name) {
      case 'speed':
        options.speed = speedOf(value)
        break
      case 'retime':
      case 'loop':
        options[name] = flagOf(name, value)
        break
      case 'league':
        options.league = value
        break
      default:
        throw new ReplaySpecError(
          `a replay has no parameter ${name}; it has speed, retime, loop and league`,
        )
    }
  }
  return options
}

function speedOf(value: string): number {
  const speed = value === '' ? Number.NaN : Number(value)
  if (!(speed >= 0)) throw new ReplaySpecError(`speed is a number from 0 on, got ${value}`)
  return speed
}

function flagOf(name: string, value: string): boolean {
  if (value !== 'true' && value !== 'false') {
    throw new ReplaySpecError(`${name} is true or false, got ${value}`)
  }
  return value === 'true'
}

/** @param now null if the recording is moved to now, so that its own times do not matter */
async function openAll(
  { path, league }: ReplayOptions,
  now: number | null,
): Promise<{ recordings: Recording[]; skipped: Skip[] }> {
  const options = { ...(league !== undefined && { league }), ...(now !== null && { now }) }
  if (!(await stat(path)).isDirectory()) {
    return { recordings: [await openRecording(path, options)], skipped: [] }
  }
  const recordings: Recording[] = []
  const skipped: Skip[] = []
  const entries = await readdir(path, { withFileTypes: true })
  const names = entries.filter((entry) => !entry.isDirectory()).map((entry) => entry.name)
  for (const name of names.sort()) {
    try {
      recordings.push(await openRecording(join(path, name), options))
    } catch (error) {
      if (!(error instanceof UnsupportedRecordingError)) throw error
      skipped.push({ reason: 'unsupported_recording', detail: error.message })
    }
  }
  if (recordings.length === 0) {
    const [first] = skipped
    throw new UnsupportedRecordingError(
      `${path} holds no recording${first ? `: ${first.detail}` : ', it is empty'}`,
    )
  }
  return { recordings, skipped }
}

/**
 * Yields the steps of all recordings by time (then by name), because a clock does not go back. A
 * recording is open from its first time to its end; before that, only its first time is known.
 */
async function* stepsOf(recordings: readonly Recording[]): AsyncGenerator<Step> {
  const readers: (AsyncIterator<Step> | undefined)[] = recordings.map(() => undefined)
  const next: (Step | Pick<Step, 'at'> | undefined)[] = []
  const read = async (from: number) => {
    readers[from] ??= recordings[from]!.steps()[Symbol.asyncIterator]()
    const { done, value } = await readers[from].next()
    next[from] = done ? undefined : value
  }
  try {
    for (const recording of recordings) next.push(await beginOf(recording))
    for (;;) {
      let first = -1
      for (const [from, step] of next.entries()) {
        if (step && (first < 0 || timeOf(step) < timeOf(next[first]!))) first = from
      }
      if (first < 0) return
      const step = next[first]!
      if ('records' in step) yield step
      await read(first)
      const after = next[first]
      if (after && timeOf(after) < timeOf(step)) {
        throw new RecordingError(
          `a file of ${recordings[first]!.shape} was changed while it was replayed`,
        )
      }
    }
  } finally {
    for (const reader of readers) await reader?.return?.()
  }
}

/** Returns the first time of a recording; undefined if it has no steps. */
async function beginOf(recording: Recording): Promise<Pick<Step, 'at'> | undefined> {
  for await (const { at } of recording.steps()) return { at }
  return undefined
}

/** Returns the time of a step; records without a time come first. */
const timeOf = ({ at }: Pick<Step, 'at'>) => at ?? Number.NEGATIVE_INFINITY

/** Returns the records with all times moved, and with the ids of a pass. */
function moveRecords(records: readonly FeedRecord[], ms: number, pass: number): FeedRecord[] {
  return ms === 0 && pass === 1 ? [...records] : records.map((record) => move(record, ms, pass))
}

function move(record: FeedRecord, ms: number, pass: number): FeedRecord {
  const observedAt = record.observedAt + ms
  if (record.type === 'book_status') return { ...record, observedAt }
  // A season keeps its dates: with other dates it would be another season.
  if (record.type === 'futures')
    return { ...record, observedAt, prices: movedChanges(record.prices, ms) }
  const event = moveEvent(record.event, ms, pass)
  if (record.type !== 'odds') return { ...record, observedAt, event }
  const markets = record.markets.map((market) => ({
    ...market,
    selections: movedChanges(market.selections, ms),
  }))
  return { ...record, observedAt, event, markets }
}

function movedChanges<Stated extends { readonly changedAt: number | null }>(
  stated: readonly Stated[],
  ms: number,
): Stated[] {
  return stated.map((one) =>
    one.changedAt === null ? one : { ...one, changedAt: one.changedAt + ms },
  )
}

function moveEvent(event: FeedEvent, ms: number, pass: number): FeedEvent {
  const { externalId } = event
  return {
    ...event,
    externalId: externalId === null || pass === 1 ? externalId : `${externalId}#${pass}`,
    startsAt: event.startsAt + ms,
  }
}
