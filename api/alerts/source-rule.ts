/**
 * Rules of the type `source`: a sportsbook goes down, with none of its sources up, or comes up again. The operator's
 * accounts also get each source by name with its problem. Each `down` message is followed by at most one `up` message.
 * A source that has not answered since it started is neither up nor down.
 *
 * A pipeline reports that a sportsbook is down. If no pipeline runs, its sources stop writing their
 * rows. Then the sportsbook is down too, unless its prices come in another way, for example by
 * push.
 */

import { isoTime } from '../../pipeline/text/iso-time.ts'
import { eventListKey } from '../../pipeline/views/board/board-index.ts'
import { addTo } from '../../schemas/grouping.ts'
import { sourceFilters } from '../../schemas/http/alert-filters.ts'
import type { MessageOf } from '../../schemas/http/alerts.ts'
import { createQueryReader } from '../../schemas/http/query.ts'
import { displayNameOf } from '../../schemas/reference/sportsbooks.ts'
import { isServing, type SourceRow, sourceSilentMs, sourceWriteMs } from '../../schemas/source.ts'
import { seesSportsbook } from '../access/scope.ts'
import { readFilters } from '../ask/filters.ts'
import { readQuery } from '../ask/read-query.ts'
import { aboutRule, type MessageParts } from './alert-messages.ts'
import type {
  CompiledAlert,
  Finder,
  FinderParts,
  Finding,
  Rule,
  RuleOf,
  TypeOfRule,
} from './rule-type.ts'

interface CompiledSource extends CompiledAlert {
  readonly type: 'source'
  /** Null for all sportsbooks of the scope, and for the operator's accounts the sources too. */
  readonly sportsbooks: ReadonlySet<string> | null
}

type SourceRule = RuleOf<'source', CompiledSource>

const read = createQueryReader(sourceFilters, [])

export const sourceRule: TypeOfRule<'source', CompiledSource> = {
  compile({ query: text }, { scopeAmong }) {
    const { books, ...query } = readQuery(read, sourceFilters, text)
    const scope = scopeAmong(books)
    const { sportsbooks } = readFilters(query, scope)
    const isOfAll = books === undefined && query.sportsbook === undefined
    const named = isOfAll ? null : new Set(sportsbooks)
    return {
      ...{ type: 'source', scope, books, isOfAnyLeague: false, requires: null },
      sportsbooks: named,
    }
  },
  openFinder,
  paths,
}

function paths() {
  return { list: '/api/v1/sportsbooks', page: '/' }
}

/** How often sources are checked. Sportsbooks are checked whenever their status changes. */
const lookEveryMs = 1_000

/** A longer pause between two looks means that this process was away itself, for example on a machine that slept. */
const awayMs = 10_000

/** Prices seen this long after the last row of a sportsbook's sources came in another way: sources write more often. */
const otherOriginMs = 2 * sourceWriteMs

/** A sportsbook or source with its state. */
interface Standing {
  readonly subject: 'sportsbook' | 'source'
  readonly name: string
  readonly isUp: boolean
  /** Why it is down, if known. */
  readonly reason: string | null
  /** Epoch ms. */
  readonly since: number
  /** When this was last stated (epoch ms). */
  readonly statedAt: number
}

/** The last message about a sportsbook or source. */
interface LastMessage {
  readonly isUp: boolean
  /** Beginning of the reported state; for `up`, of the `down` state before (epoch ms). */
  readonly since: number
}

const subjectKey = ({ subject, name }: Standing) => `${subject}|${name}`

/** Returns the last messages by `subjectKey`. */
function lastMessages({ sent }: Rule): ReadonlyMap<string, LastMessage> {
  const messages = new Map<string, LastMessage>()
  for (const occasion of sent.keys()) {
    const [subject, name, since, state] = occasion.split('|')
    messages.set(`${subject}|${name}`, { isUp: state === 'up', since: Number(since) })
  }
  return messages
}

/**
 * Returns the occasion that a message about a sportsbook or source would report; null if the last message already
 * reported it.
 * @param seenAt returns when its prices were last seen (epoch ms); 0 for a source
 */
function occasionOf(
  one: Standing,
  last: LastMessage | undefined,
  seenAt: (one: Standing) => number,
): string | null {
  const isDownSent = last !== undefined && !last.isUp
  if (one.isUp) {
    // A status from before it went down is not new.
    const isBack = isDownSent && Math.max(one.statedAt, seenAt(one)) > last.since
    return isBack ? `${subjectKey(one)}|${last.since}|up` : null
  }
  // Silence and the pipeline that returns report the same outage with different times. If prices were seen in between,
  // the sportsbook has gone down again.
  if (isDownSent && one.subject === 'sportsbook') {
    if (one.since <= last.since || seenAt(one) <= last.since) return null
  }
  return `${subjectKey(one)}|${one.since}|down`
}

/** Returns whether a source has not answered yet since it started. */
const isStarting = ({ state, lastSuccessAt }: SourceRow) =>
  isServing(state) && lastSuccessAt === null

function openFinder({ boards: { sources }, board }: FinderParts): Finder<SourceRule> {
  let rules: readonly SourceRule[] = []
  let version = -1
  let lookedAt = 0
  let mayBeNews = false
  let begunAt = 0
  /** For how long this process has looked without a long pause (ms). */
  let awakeMs = 0
  /** The rows of sources by sportsbook, as they were written; null before they are needed. */
  let rowsOf: ReadonlyMap<string, readonly SourceRow[]> | null = null
  /** The results of `seenAt` in this look. */
  const seen = new Map<string, number>()

  function rowsBySportsbook(): ReadonlyMap<string, readonly SourceRow[]> {
    const all = new Map<string, SourceRow[]>()
    // At time 0 no row is old, so rows that were last written long ago are included.
    for (const row of sources.list(0)) {
      for (const sportsbook of row.sportsbooks) {
        addTo(all, sportsbook, row)
      }
    }
    return all
  }

  /** Returns when the board last saw prices of a sportsbook (epoch ms); 0 if it has none. */
  function seenAt(name: string): number {
    const known = seen.get(name)
    if (known !== undefined) return known
    let newest = 0
    for (const event of board.events(eventListKey.book(name))) {
      newest = Math.max(newest, event.offers.get(name)?.lastSeenAt ?? 0)
    }
    seen.set(name, newest)
    return newest
  }

  const pricesSeenAt = ({ subject, name }: Standing) => (subject === 'source' ? 0 : seenAt(name))

  /** Returns whether silence proves that sources have ended: this process has looked for long enough. */
  const isSilenceProof = () => awakeMs >= sourceSilentMs

  /** Returns the state of a sportsbook; null if it is unknown. */
  function sportsbookAt(name: string, at: number): Standing | null {
    const status = sources.sportsbook(name)
    if (!status) return null
    const subject = { subject: 'sportsbook', name, reason: null } as const
    const { since } = status
    if (status.status === 'down') return { ...subject, since, statedAt: since, isUp: false }
    rowsOf ??= rowsBySportsbook()
    return upBySources(subject, since, rowsOf.get(name) ?? [], at)
  }

  /** Returns the state of a sportsbook whose own status is `up` since `upSince`. */
  function upBySources(
    subject: Pick<Standing, 'subject' | 'name' | 'reason'>,
    upSince: number,
    rows: readonly SourceRow[],
    at: number,
  ): Standing | null {
    const running = rows.filter(({ updatedAt }) => at - updatedAt <= sourceSilentMs)
    // A sportsbook that is pushed has no sources.
    const lastWritten = Math.max(0, ...rows.map(({ updatedAt }) => updatedAt))
    if (running.length === 0) {
      const isTheirs = (time: number) => time <= lastWritten + otherOriginMs
      if (rows.length === 0 || !isTheirs(upSince) || !isTheirs(seenAt(subject.name))) {
        return { ...subject, isUp: true, since: upSince, statedAt: upSince }
      }
      const since = lastWritten + sourceSilentMs
      return isSilenceProof() ? { ...subject, isUp: false, since, statedAt: since } : null
    }
    const serving = running.filter((row) => isServing(row.state) && !isStarting(row))
    // The pipeline that returned has not reported the sportsbook as down yet.
    if (serving.length === 0) return null
    const since = Math.max(upSince, Math.min(...serving.map((row) => row.since)))
    return { ...subject, isUp: true, since, statedAt: Math.max(upSince, lastWritten) }
  }

  /** Returns the state of a source; null if it is neither up nor down. */
  function sourceAt(row: SourceRow): Standing | null {
    const { source: name, state, reason, since, updatedAt: statedAt } = row
    if (state === 'paused' || isStarting(row)) return null
    if (reason === 'not_running' && !isSilenceProof()) return null
    const isUp = isServing(state)
    const why = isUp ? null : [state, reason].filter(Boolean).join(': ')
    return { subject: 'source', name, isUp, reason: why, since, statedAt }
  }

  function standingsOf({ scope, sportsbooks }: CompiledSource, at: number): Standing[] {
    const named = sportsbooks ?? board.sportsbooks.filter((name) => seesSportsbook(scope, name))
    const all = [...named].map((name) => sportsbookAt(name, at))
    if (!sportsbooks && scope.isOwner) all.push(...sources.list(at).map(sourceAt))
    return all.filter((one) => one !== null)
  }

  function standing(rule: SourceRule, _: number, at: number): Finding[] {
    const messages = lastMessages(rule)
    const findings: Finding[] = []
    for (const one of standingsOf(rule.compiled, at)) {
      const last = messages.get(subjectKey(one))
      const occasion = occasionOf(one, last, pricesSeenAt)
      if (occasion === null) continue
      // After mere silence, the rows still have their times from before.
      const isOlder = one.isUp && one.since <= last!.since
      const since = isOlder ? Math.max(one.statedAt, pricesSeenAt(one)) : one.since
      findings.push({
        ...{ occasion, league: null, worth: 0, identity: [] },
        // Only the operator's own accounts are told of sources.
        sportsbooks: () => (one.subject === 'sportsbook' ? [one.name] : []),
        message: (_, parts) => sourceMessage(rule.alert, { ...one, since }, parts),
      })
    }
    return findings
  }

  return {
    setRules(all) {
      rules = all
      return all
    },
    begin(now) {
      const passedMs = now - begunAt
      awakeMs = passedMs < 0 || passedMs > awayMs ? 0 : awakeMs + passedMs
      begunAt = now
      mayBeNews = version !== sources.version || Math.abs(now - lookedAt) >= lookEveryMs
      if (mayBeNews) {
        lookedAt = now
        rowsOf = null
        seen.clear()
      }
      version = sources.version
    },
    concerned: () => (mayBeNews ? rules : []),
    changed: standing,
    isGone: () => false,
    end() {},
    endsOccasions: false,
    look: (rule, now, at) => () => standing(rule, now, at),
    close() {},
  }
}

function sourceMessage(
  alert: SourceRule['alert'],
  { subject, name, isUp, reason, since }: Standing,
  parts: MessageParts,
): MessageOf<'alert.source'> {
  return {
    type: 'alert.source',
    timestamp: isoTime(parts.clock()),
    data: {
      ...aboutRule(alert, paths(), parts),
      title: `${subject === 'sportsbook' ? displayNameOf(name) : name} is ${isUp ? 'up again' : 'down'}`,
      subject,
      name,
      state: isUp ? 'up' : 'down',
      reason,
      since: isoTime(since),
    },
  }
}
