/**
 * Reports between the API processes on one log, through the topic `api-processes`: requests of the current minute and
 * open streams by key. A process reports changes ten times a second, and its presence once a second. `limits.ts` uses
 * the reports.
 *
 * All processes read the records in one order. So all agree which streams stay if several processes
 * open a key's last streams at the same time. The later report gets the streams that are left, and
 * its process ends the others.
 *
 * While the log is away, each process counts the peers that it last knew. A peer is gone after `goneMs` of silence on
 * a log that responds.
 */

import { sleep } from '../../pipeline/async/abort-signals.ts'
import type { Append, Log } from '../../pipeline/log/log.ts'
import { readTables, takeRows } from '../../pipeline/views/table.ts'
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
import { createRepeatedAppend } from './repeated-append.ts'

export interface Peers {
  /** Returns how the limits are shared now. */
  sharing(): Sharing
  /** Returns the number of a key's streams open at other processes. */
  streamsElsewhere(keyId: string): number
  /** Sets the number of a key's streams that are open here. */
  setStreams(keyId: string, open: number): void
  /** @param listener called when this process must reduce a key's streams to `kept` */
  onTooManyStreams(listener: (keyId: string, kept: number) => void): void
  /** Reports no more streams: this process stops, and they may be opened elsewhere. */
  retire(): void
}

/** The peers of a process that does not share its log. */
export const alone: Peers = {
  sharing: () => unshared,
  streamsElsewhere: () => 0,
  setStreams() {},
  onTooManyStreams() {},
  retire() {},
}

/** The peers with their connection to the log. */
export interface FollowedPeers extends Peers, View {
  /** Returns the records to append now; empty for none. */
  next(): Append[]
  /** Called if the records of `next` may not be in the log. The next ones repeat everything. */
  failed(): void
  /** Returns the record that signs this process off. */
  farewell(): Append
  /** Returns whether the others know this process, or had `joiningMs` to learn of it. */
  hasJoined(): boolean
}

export const reportEveryMs = 100
/** How often a process without changes reports its presence. */
export const presentEveryMs = 1_000
/** A process is gone after this much silence. */
export const goneMs = 5_000
/** A process's row is deleted after this much silence. */
export const forgottenMs = 600_000
/** Starts after this long even if the log does not respond. */
const joiningMs = 2_000
const minuteMs = 60_000

interface Peer {
  /** When its last report came (monotonic ms). */
  heardAt: number
  /** Reported streams by key. */
  readonly streams: Map<string, ReportedStreams>
}

interface ReportedStreams {
  /** Number of streams, as reported. */
  readonly open: number
  /** Number of streams that were left to it when it reported. */
  readonly kept: number
}

export interface PeersOptions {
  /** Name of this process. */
  readonly process: string
  readonly meters: Meters
  /** Returns the streams that a key may have; Infinity while the key is unknown. */
  readonly mostStreams: (keyId: string) => number
  /** Epoch ms. */
  readonly clock: () => number
  /** Monotonic ms. */
  readonly timer: () => number
}

export function createPeers(options: PeersOptions): FollowedPeers {
  const { process, meters, mostStreams, clock, timer } = options
  const peers = new Map<string, Peer>()
  /** Own reports read back, as the others read them. */
  const own: Peer = { heardAt: Number.POSITIVE_INFINITY, streams: new Map() }
  const streams = new Map<string, number>()
  /** The last reported values. */
  const reported = {
    minute: 0,
    requests: new Map<string, number>(),
    streams: new Map<string, number>(),
  }
  let reportedAt = Number.NEGATIVE_INFINITY
  let reportsAll = true
  /** Asks the others to repeat everything, because this process reads the log from the start. */
  let isNew = false
  let isReplaying = false
  let isRetired = false
  let caughtUpAt: number | null = null
  /** When an own report was first and last read back (monotonic ms). */
  let firstReadAt: number | null = null
  let lastReadAt = Number.NEGATIVE_INFINITY
  let tooManyStreams = (_keyId: string, _kept: number) => {}

  /** Silence counts only while the log returns own reports. */
  const isPresent = ({ heardAt }: Peer) => lastReadAt - heardAt <= goneMs

  function streamsElsewhere(keyId: string): number {
    let count = 0
    for (const peer of peers.values()) {
      if (isPresent(peer)) count += peer.streams.get(keyId)?.open ?? 0
    }
    return count
  }

  /** Returns the streams of a key left to one process by the reports so far. */
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
    // While it was silent its streams did not count, and others may have been opened.
    if (!peer || !isPresent(peer)) reportsAll = true
    if (!peer) {
      peer = { heardAt: 0, streams: new Map() }
      peers.set(name, peer)
    }
    // A row from before the start may be of a process that ended long ago.
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
      // Another process may have deleted it after long silence: all have forgotten its reports.
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

  /** Returns tombstones for processes that have been silent for long. */
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
      if (peers.size === 0) return unshared
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
    ...readTables(
      takeRows(topics.apiProcesses, (row, key) => {
        if (key === process) applyOwnReport(row)
        else if (row === null) peers.delete(key)
        else applyReport(row)
      }),
    ),
    reset() {
      isReplaying = true
      isNew = true
      reportsAll = true
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
      // Without others there is nothing to report. A new one is sent everything.
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

/** How long one process may take the remainder that is too small to share. */
const turnMs = 1_000

/** Reports to the others until `signal` aborts. @param onJoined called once */
export async function keepReporting(
  log: Pick<Log, 'append'>,
  peers: FollowedPeers,
  signal: AbortSignal,
  onJoined: () => void,
): Promise<void> {
  const append = createRepeatedAppend(log)
  let isJoining = true
  while (!signal.aborted) {
    const records = peers.next()
    if (records.length > 0 && !(await append(records))) peers.failed()
    if (isJoining && peers.hasJoined()) {
      isJoining = false
      onJoined()
    }
    await sleep(reportEveryMs, signal)
  }
}
