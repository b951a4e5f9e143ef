/**
 * The API processes on one log tell each other what keys use of their limits, through the topic
 * `api-processes`: requests let through in the current minute and streams open, ten times a second while
 * something changes, and once a second that they are there. `limits.ts` decides by it.
 *
 * Records of the topic have one order for all. So where processes open a key's last streams at once, all of
 * them find alike who keeps how many: the process whose word comes later has what is left, and ends the rest.
 *
 * While the log is away nobody hears of anybody: each process counts those it knew last, until they have
 * been silent for `goneMs` of a log that answers, and goes on with its share.
 */

import { setTimeout as delay } from 'node:timers/promises'
import { type Append, type Log, LogFullError, LogUnavailableError } from '../../pipeline/log/log.ts'
import type { View } from '../../pipeline/views/view.ts'
import type { ApiProcessRow } from '../../schemas/api-process.ts'
import { topics } from '../../schemas/topics.ts'
import {
  confirmLater,
  confirmMs,
  countElsewhere,
  type Meters,
  type Sharing,
  unshared,
} from './limits.ts'

export interface Peers {
  /** How the limits are shared now. */
  sharing(): Sharing
  /** Streams of a key that are open at other processes. */
  streamsElsewhere(keyId: string): number
  /** So many streams of a key are open here now. */
  setStreams(keyId: string, open: number): void
  /** @param listener told when more streams of a key were opened here than the `kept` that were left to it */
  onTooManyStreams(listener: (keyId: string, kept: number) => void): void
  /** This process stops: its streams are about to go, and may be opened elsewhere. */
  retire(): void
}

/** Those of a process that has its log for itself. */
export const alone: Peers = {
  sharing: () => unshared,
  streamsElsewhere: () => 0,
  setStreams() {},
  onTooManyStreams() {},
  retire() {},
}

/** The peers, and what connects them to the log. */
export interface FollowedPeers extends Peers, View {
  /** What there is to tell now; empty when nothing. */
  next(): Append[]
  /** What was taken from `next` may not be in the log: the next tells everything. */
  failed(): void
  /** What tells the others that this process has stopped. */
  farewell(): Append
  /** Whether the others know of this process, or have had `joiningMs` to. */
  hasJoined(): boolean
}

export const reportEveryMs = 100
/** One that has nothing to tell says so often that it is there. */
export const presentEveryMs = 1_000
/** One that has been silent for so long is not counted any more. */
export const goneMs = 5_000
/** Rows of processes that have been silent for so long are taken out of the table. */
export const forgottenMs = 600_000
/** A log that does not answer keeps nobody from starting. */
const joiningMs = 2_000
const minuteMs = 60_000

interface Peer {
  /** When it was heard of last (monotonic ms). */
  heardAt: number
  /** By key. */
  readonly streams: Map<string, ReportedStreams>
}

interface ReportedStreams {
  /** What the process told. */
  readonly open: number
  /** Those of them that were left to it when it told. */
  readonly kept: number
}

export interface PeersOptions {
  /** The name of this process. */
  readonly process: string
  readonly meters: Meters
  /** Streams that a key may have; Infinity while the key is not known. */
  readonly mostStreams: (keyId: string) => number
  /** Epoch ms. */
  readonly clock: () => number
  /** Monotonic ms. */
  readonly timer: () => number
}

export function createPeers(options: PeersOptions): FollowedPeers {
  const { process, meters, mostStreams, clock, timer } = options
  const peers = new Map<string, Peer>()
  /** What the others have read of this process. */
  const own: Peer = { heardAt: Number.POSITIVE_INFINITY, streams: new Map() }
  const streams = new Map<string, number>()
  /** What the others have been told. */
  const reported = {
    minute: 0,
    requests: new Map<string, number>(),
    streams: new Map<string, number>(),
  }
  let reportedAt = Number.NEGATIVE_INFINITY
  let reportsAll = true
  /** The others are to tell this process everything: it reads the log from the start. */
  let isNew = false
  let isReplaying = false
  let isRetired = false
  let caughtUpAt: number | null = null
  /** When this process read a word of its own first, and last. */
  let firstReadAt: number | null = null
  let lastReadAt = Number.NEGATIVE_INFINITY
  let tooManyStreams = (_keyId: string, _kept: number) => {}

  /** While nothing comes from the log, no silence tells that somebody has gone. */
  const isPresent = ({ heardAt }: Peer) => lastReadAt - heardAt <= goneMs

  function streamsElsewhere(keyId: string): number {
    let count = 0
    for (const peer of peers.values()) {
      if (isPresent(peer)) count += peer.streams.get(keyId)?.open ?? 0
    }
    return count
  }

  /** What is left of a key's streams to one process by what the others have told so far. */
  function streamsLeftTo(one: Peer, keyId: string): number {
    let left = mostStreams(keyId)
    for (const peer of [own, ...peers.values()]) {
      if (peer !== one && isPresent(peer)) left -= peer.streams.get(keyId)?.kept ?? 0
    }
    return Math.max(0, left)
  }

  function applyStreams(one: Peer, streams: ApiProcessRow['streams']) {
    for (const [keyId, open] of Object.entries(streams)) {
      if (open > 0) {
        one.streams.set(keyId, { open, kept: Math.min(open, streamsLeftTo(one, keyId)) })
      } else one.streams.delete(keyId)
    }
  }

  function applyReport({ process: name, saidAt, minute, requests, streams }: ApiProcessRow) {
    let peer = peers.get(name)
    // While one was silent its streams did not count here, and more may have been opened.
    if (!peer || !isPresent(peer)) reportsAll = true
    if (!peer) {
      peer = { heardAt: 0, streams: new Map() }
      peers.set(name, peer)
    }
    // What was there at the start may be of a process that ended long ago.
    const isLate = isReplaying && clock() - saidAt > goneMs
    peer.heardAt = isLate ? Number.NEGATIVE_INFINITY : timer()
    for (const [keyId, used] of Object.entries(requests)) {
      const meter = meters.find(keyId)
      if (meter) countElsewhere(meter, name, minute, used)
    }
    applyStreams(peer, streams)
  }

  function applyOwnReport(row: ApiProcessRow | null) {
    if (!row) {
      // By another, perhaps, which had not heard of it for long: so all have forgotten what it told.
      own.streams.clear()
      reportsAll = true
      return
    }
    const { minute, requests, streams } = row
    const at = timer()
    firstReadAt ??= at
    lastReadAt = at
    for (const [keyId, used] of Object.entries(requests)) {
      const meter = meters.find(keyId)
      if (meter) confirmLater(meter, minute, used, at)
    }
    applyStreams(own, streams)
    for (const keyId of Object.keys(streams)) {
      const ownStreams = own.streams.get(keyId)
      if (ownStreams && ownStreams.kept < ownStreams.open) tooManyStreams(keyId, ownStreams.kept)
    }
  }

  function requestsToReport(minute: number): Record<string, number> {
    const requests: Record<string, number> = {}
    if (reportsAll || reported.minute !== minute) reported.requests.clear()
    reported.minute = minute
    for (const [keyId, { window, used }] of meters.all()) {
      if (window !== minute || reported.requests.get(keyId) === used) continue
      reported.requests.set(keyId, used)
      requests[keyId] = used
    }
    return requests
  }

  function streamsToReport(): Record<string, number> {
    const changed: Record<string, number> = {}
    const open = isRetired ? new Map<string, number>() : streams
    for (const [keyId, count] of open) {
      const before = reported.streams.get(keyId) ?? 0
      if (before === count && !reportsAll) continue
      reported.streams.set(keyId, count)
      changed[keyId] = count
    }
    for (const keyId of reported.streams.keys()) {
      if (open.has(keyId)) continue
      reported.streams.delete(keyId)
      changed[keyId] = 0
    }
    return changed
  }

  const append = (name: string, value: ApiProcessRow | null): Append => ({
    topic: topics.apiProcesses,
    partitionKey: 0,
    key: name,
    value,
  })

  /** Tombstones for processes that nobody has heard of for long. */
  function forgotten(at: number): Append[] {
    const names = [...peers].flatMap(([name, { heardAt }]) =>
      at - Math.max(heardAt, caughtUpAt!) > forgottenMs ? [name] : [],
    )
    for (const name of names) peers.delete(name)
    return names.map((name) => append(name, null))
  }

  return {
    streamsElsewhere,
    sharing() {
      const at = timer()
      let processes = 1
      let before = 0
      for (const [name, peer] of peers) {
        if (!isPresent(peer)) continue
        processes++
        if (name < process) before++
      }
      const hasTurn = Math.floor(clock() / turnMs) % processes === before
      return { processes, hasTurn, at }
    },
    setStreams(keyId, open) {
      if (open > 0) streams.set(keyId, open)
      else streams.delete(keyId)
    },
    onTooManyStreams(listener) {
      tooManyStreams = listener
    },
    retire() {
      isRetired = true
    },
    tables: [topics.apiProcesses],
    reset() {
      isReplaying = true
      isNew = true
      reportsAll = true
    },
    apply(records) {
      for (const { topic, key, value } of records) {
        if (topic.name !== topics.apiProcesses.name) continue
        if (key === process) applyOwnReport(value as ApiProcessRow | null)
        else if (value === null) peers.delete(key)
        else applyReport(value as ApiProcessRow)
      }
    },
    caughtUp() {
      isReplaying = false
      caughtUpAt ??= timer()
      lastReadAt = Math.max(lastReadAt, caughtUpAt)
    },
    next() {
      if (caughtUpAt === null) return []
      const at = timer()
      const gone = forgotten(at)
      const now = clock()
      const minute = Math.floor(now / minuteMs)
      // Who is alone has nobody to tell; whoever comes is told everything.
      const hasOthers = [...peers.values()].some(isPresent)
      const requests = hasOthers ? requestsToReport(minute) : {}
      const streams = hasOthers ? streamsToReport() : {}
      const hasNews =
        (hasOthers && reportsAll) || Object.keys(requests).length + Object.keys(streams).length > 0
      if (!hasNews && !isNew && at - reportedAt < presentEveryMs) return gone
      if (hasOthers) reportsAll = false
      reportedAt = at
      const row = append(process, { process, saidAt: now, minute, requests, streams })
      if (!isNew) return [...gone, row]
      isNew = false
      return [...gone, append(process, null), row]
    },
    failed() {
      reportsAll = true
      isNew = true
    },
    farewell: () => append(process, null),
    hasJoined() {
      const at = timer()
      if (firstReadAt !== null && at - firstReadAt >= confirmMs) return true
      return caughtUpAt !== null && at - caughtUpAt >= joiningMs
    },
  }
}

/** For so long what is too little for a share each is one process's. */
const turnMs = 1_000

/** Tells the others what there is to tell until `signal` aborts. @param onJoined called once */
export async function keepReporting(
  log: Pick<Log, 'append'>,
  peers: FollowedPeers,
  signal: AbortSignal,
  onJoined: () => void,
): Promise<void> {
  let isJoining = true
  while (!signal.aborted) {
    await appendReport(log, peers, peers.next())
    if (isJoining && peers.hasJoined()) {
      isJoining = false
      onJoined()
    }
    await delay(reportEveryMs, undefined, { signal }).catch(() => {})
  }
}

/** Where the log takes nothing, nothing is told. */
export async function appendReport(
  log: Pick<Log, 'append'>,
  peers: FollowedPeers,
  records: readonly Append[],
): Promise<void> {
  if (records.length === 0) return
  try {
    await log.append(records)
  } catch (error) {
    if (!(error instanceof LogFullError || error instanceof LogUnavailableError)) throw error
    peers.failed()
  }
}
