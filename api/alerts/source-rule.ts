/**
 * Rules of the type `source`: a sportsbook goes down, with none of its sources up, or comes up again. The operator's
 * accounts also get each source by name with its problem. An `up` message is sent only after a `down` message, and once
 * for it. A source that has not answered since it began is neither.
 *
 * A pipeline says that a sportsbook is down. Where none runs any more, its sources have stopped writing their rows. A
 * sportsbook that others send by then, as one that is pushed in place of its source, is up.
 */

import { isoTime } from '../../pipeline/text/iso-time.ts'
import { eventListKey } from '../../pipeline/views/board/board-index.ts'
import { addTo } from '../../schemas/grouping.ts'
import { sourceFilters } from '../../schemas/http/alert-filters.ts'
import type { MessageOf } from '../../schemas/http/alerts.ts'
import { createQueryReader } from '../../schemas/http/query.ts'
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
    return { type: 'source', scope, books, requires: null, sportsbooks: named }
  },
  openFinder,
  paths,
}

function paths() {
  return { list: '/api/v1/sportsbooks', page: '/' }
}

/** How often sources are checked. Sportsbooks are checked whenever their status changes. */
const lookEveryMs = 1_000

/** After a longer pause between two looks the process was away itself, as on a machine that slept. */
const awayMs = 10_000

/** A sighting this long after the last row of a sportsbook's sources is not theirs: they write more often (ms). */
const notTheirsMs = 2 * sourceWriteMs

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
interface Told {
  readonly isUp: boolean
  /** The beginning of the state that it told; of `up` that of the `down` before (epoch ms). */
  readonly since: number
}

const subjectKey = ({ subject, name }: Standing) => `${subject}|${name}`

/** Returns the last messages by `subjectKey`. */
function lastTold({ sent }: Rule): ReadonlyMap<string, Told> {
  const told = new Map<string, Told>()
  for (const occasion of sent.keys()) {
    const [subject, name, since, state] = occasion.split('|')
    told.set(`${subject}|${name}`, { isUp: state === 'up', since: Number(since) })
  }
  return told
}

/**
 * Returns what a message about it would be the first of; null if it is no news after the last message.
 * @param seenAt returns when its prices were last seen (epoch ms); 0 for a source
 */
function occasionOf(
  one: Standing,
  last: Told | undefined,
  seenAt: (one: Standing) => number,
): string | null {
  const isDownTold = last !== undefined && !last.isUp
  if (one.isUp) {
    // A status from before it went down is no news.
    const isBack = isDownTold && Math.max(one.statedAt, seenAt(one)) > last.since
    return isBack ? `${subjectKey(one)}|${last.since}|up` : null
  }
  // Silence, and then the pipeline that is back, state the same absence with times of their own. One that was seen in
  // between has gone down again.
  if (isDownTold && one.subject === 'sportsbook') {
    if (one.since <= last.since || seenAt(one) <= last.since) return null
  }
  return `${subjectKey(one)}|${one.since}|down`
}

/** Returns whether it has yet to answer for the first time. */
const isStarting = ({ state, lastSuccessAt }: SourceRow) =>
  isServing(state) && lastSuccessAt === null

function openFinder({ boards }: FinderParts): Finder<SourceRule> {
  const { sources, live: board } = boards
  let rules: readonly SourceRule[] = []
  let version = -1
  let lookedAt = 0
  let mayBeNews = false
  let begunAt = 0
  /** For how long it has looked without a pause (ms). */
  let awakeMs = 0
  /** The rows of sources by sportsbook, as they were written; null before they are needed. */
  let rowsOf: ReadonlyMap<string, readonly SourceRow[]> | null = null
  /** The results of `seenAt` in this look. */
  const seen = new Map<string, number>()

  function rowsBySportsbook(): ReadonlyMap<string, readonly SourceRow[]> {
    const all = new Map<string, SourceRow[]>()
    // At time 0 no row is old, so rows that nobody has written for long are there too.
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

  /** Returns whether silent sources have ended: they could have written while this process looked. */
  const isSilenceProof = () => awakeMs >= sourceSilentMs

  /** Returns null if nothing is known of it. */
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
      const isTheirs = (time: number) => time <= lastWritten + notTheirsMs
      if (rows.length === 0 || !isTheirs(upSince) || !isTheirs(seenAt(subject.name))) {
        return { ...subject, isUp: true, since: upSince, statedAt: upSince }
      }
      const since = lastWritten + sourceSilentMs
      return isSilenceProof() ? { ...subject, isUp: false, since, statedAt: since } : null
    }
    const serving = running.filter((row) => isServing(row.state) && !isStarting(row))
    // The pipeline that is back has not said yet that it is down.
    if (serving.length === 0) return null
    const since = Math.max(upSince, Math.min(...serving.map((row) => row.since)))
    return { ...subject, isUp: true, since, statedAt: Math.max(upSince, lastWritten) }
  }

  /** Returns null for one that is neither up nor down. */
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
    const told = lastTold(rule)
    const found: Finding[] = []
    for (const one of standingsOf(rule.compiled, at)) {
      const last = told.get(subjectKey(one))
      const occasion = occasionOf(one, last, pricesSeenAt)
      if (occasion === null) continue
      // One that only stopped writing has the times of before.
      const isOlder = one.isUp && one.since <= last!.since
      const since = isOlder ? Math.max(one.statedAt, pricesSeenAt(one)) : one.since
      found.push({
        ...{ occasion, worth: 0, identity: [] },
        message: (_, parts) => sourceMessage(rule.alert, { ...one, since }, parts),
      })
    }
    return found
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
    standing,
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
      title: `${name} is ${isUp ? 'up again' : 'down'}`,
      subject,
      name,
      state: isUp ? 'up' : 'down',
      reason,
      since: isoTime(since),
    },
  }
}
