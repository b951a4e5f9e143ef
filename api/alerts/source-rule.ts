/**
 * Rules of the type `source`: a sportsbook goes down, with none of its sources up, or comes up again. The operator's
 * accounts also get each source by name with its problem. An `up` message is sent only after a `down` message.
 */

import { isoTime } from '../../pipeline/text/iso-time.ts'
import { sourceFilters } from '../../schemas/http/alert-filters.ts'
import type { MessageOf } from '../../schemas/http/alerts.ts'
import { createQueryReader } from '../../schemas/http/query.ts'
import { isServing } from '../../schemas/source.ts'
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

/** A sportsbook or source with its state. */
interface Standing {
  readonly subject: 'sportsbook' | 'source'
  readonly name: string
  readonly isUp: boolean
  /** Why it is down, if known. */
  readonly reason: string | null
  /** Epoch ms. */
  readonly since: number
}

const subjectKey = ({ subject, name }: Standing) => `${subject}|${name}|`
const occasionOf = (one: Standing) => `${subjectKey(one)}${one.since}|${one.isUp ? 'up' : 'down'}`

/** Returns whether the last message about it was `down`. */
function isLastSentDown({ sent }: Rule, one: Standing): boolean {
  const key = subjectKey(one)
  const last = [...sent.keys()].filter((occasion) => occasion.startsWith(key)).at(-1)
  return last?.endsWith('|down') ?? false
}

function openFinder({ boards }: FinderParts): Finder<SourceRule> {
  const { sources, live: board } = boards
  let rules: readonly SourceRule[] = []
  let version = -1
  let lookedAt = 0
  let mayBeNews = false

  function standingsOf({ scope, sportsbooks }: CompiledSource, at: number): Standing[] {
    const named = sportsbooks ?? board.sportsbooks.filter((name) => seesSportsbook(scope, name))
    const all: Standing[] = []
    for (const name of named) {
      const status = sources.sportsbook(name)
      if (!status) continue
      const isUp = status.status === 'up'
      all.push({ subject: 'sportsbook', name, isUp, reason: null, since: status.since })
    }
    if (sportsbooks || !scope.isOwner) return all
    for (const { source: name, state, reason, since } of sources.list(at)) {
      if (state === 'paused') continue
      const isUp = isServing(state)
      const why = isUp ? null : [state, reason].filter(Boolean).join(': ')
      all.push({ subject: 'source', name, isUp, reason: why, since })
    }
    return all
  }

  function standing(rule: SourceRule, _: number, at: number): Finding[] {
    return standingsOf(rule.compiled, at)
      .filter((one) => (one.isUp ? isLastSentDown(rule, one) : true))
      .map((one) => ({
        occasion: occasionOf(one),
        worth: 0,
        identity: [],
        message: (_, parts) => sourceMessage(rule.alert, one, parts),
      }))
  }

  return {
    setRules(all) {
      rules = all
      return all
    },
    begin(now) {
      mayBeNews = version !== sources.version || Math.abs(now - lookedAt) >= lookEveryMs
      if (mayBeNews) lookedAt = now
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
