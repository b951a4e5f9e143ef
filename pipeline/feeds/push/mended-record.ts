/**
 * Pushed prices with faulty members. A faulty member is dropped, or the selection that cannot be
 * read without it, but never the record: its other prices are good, and earlier prices must not
 * look like offers any more.
 * - A detail (a link, a limit) is left out. So is a label if the type alone identifies its outcome.
 * - A number in place of a label is read as text.
 * - A faulty price is read as a number that is no price: its selection is suspended.
 * - A faulty flag suspends its selection or market.
 * - A faulty line suspends its selection at all lines (`processors/prices/unlined-ends.ts`).
 * - A faulty outcome is read by its label, if that names an outcome of the market. Otherwise it is
 *   "unread": an additional outcome if all outcomes of the market are stated (`outcomes.ts`); else
 *   it is left out. It may have been any outcome of its market that the record does not name, so
 *   these end.
 * - A market whose question is unreadable is left out, and all earlier prices of its type end:
 *   those of its player, or of all players if the player is unreadable. Without a type it is
 *   unknown which those are.
 *
 * - An unknown member is left out if a flag ends its selection or market: then it does not matter.
 *
 * Any other unknown member makes us refuse the record, because it may be a misspelt flag. So do
 * lists that are too long, and faults of the record or its event.
 */

import type { z } from 'zod'
import { addTo } from '../../../schemas/grouping.ts'
import type { ingestEvent } from '../../../schemas/http/ingest.ts'
import { resolveLeague } from '../../../schemas/reference/leagues.ts'
import { marketTypeOf } from '../../../schemas/reference/market-names.ts'
import { slugOutcome } from '../../../schemas/reference/outcome-words.ts'
import type { NamedGame, SideOptions } from '../../rules/names/game-sides.ts'
import { sideOptionsOf } from '../../rules/names/side-options.ts'
import { outcomeIn, outcomesListed } from '../../rules/odds/outcome-words.ts'
import { isToldByType } from '../../rules/odds/selections.ts'
import { outcomeNamedIn, unreadOutcome } from './outcomes.ts'
import { codeOf, memberAt, prices } from './rejections.ts'
import type { Warning } from './warnings.ts'

type Issue = z.core.$ZodIssue
type Loose = Readonly<Record<PropertyKey, unknown>>

/**
 * Returns the record without its faults, and a warning for each kind of fault; null if the record
 * must be refused.
 */
export function mendRecord(
  value: object,
  issues: readonly Issue[],
): { readonly value: object; readonly warnings: readonly Warning[] } | null {
  const { type } = value as Loose
  if (!issues.every((issue) => isUnknownOfEnded(value, issue) || isMendable(type, issue)))
    return null
  const faults = createFaults(value)
  const [unknown, faulty] = [issues.filter(isUnknown), issues.filter((of) => !isUnknown(of))]
  const known = unknown.reduce((of, issue) => {
    const market = memberAt(value, issue.path.slice(0, 2)) as Loose
    faults.add(issue, 'it is left out', market.market_type)
    return issue.keys.reduce((rest, key) => changedAt(rest, [...issue.path, key], leftOut), of)
  }, value as Loose)
  const mended = mendByType(known, firstOfMember(faulty), faults)
  return { value: mended, warnings: faults.warnings() }
}

type UnknownMembers = Extract<Issue, { readonly code: 'unrecognized_keys' }>
const isUnknown = (issue: Issue): issue is UnknownMembers => issue.code === 'unrecognized_keys'

/** Returns whether unknown members are in a market or selection that an odds record ends. */
function isUnknownOfEnded(value: object, issue: Issue): boolean {
  if ((value as Loose).type !== 'odds' || !isUnknown(issue) || issue.path[0] !== 'markets')
    return false
  const owners = [issue.path.slice(0, 2), issue.path].map((path) => memberAt(value, path) as Loose)
  return owners.some((of) => of?.suspended === true || of?.removed === true)
}

/** Returns the first issue of each member, because a member may break two rules. */
function firstOfMember(issues: readonly Issue[]): readonly Issue[] {
  const byPath = new Map<string, Issue>()
  for (const issue of issues) {
    const path = issue.path.join('.')
    if (!byPath.has(path)) byPath.set(path, issue)
  }
  return [...byPath.values()]
}

function mendByType(value: Loose, issues: readonly Issue[], faults: Faults): object {
  if (value.type !== 'odds') {
    const name = (value.market as Loose | undefined)?.name
    for (const issue of issues) faults.add(issue, costOf(issue), name)
    return issues.reduce<Loose>((of, { path }) => mendedAt(of, path), value)
  }
  const event = value.event as z.infer<typeof ingestEvent>
  const { sport, id: league } = resolveLeague(event.league, event.sport)
  const game = { home: event.home_team, away: event.away_team }
  const options = sideOptionsOf(sport, league)
  const byMarket = new Map<PropertyKey | undefined, Issue[]>()
  for (const issue of issues) addTo(byMarket, issue.path[1], issue)
  const markets = (value.markets as readonly Loose[]).flatMap((market, at) => {
    const ofMarket = byMarket.get(at)
    return ofMarket === undefined ? [market] : mendMarket(market, ofMarket, game, options, faults)
  })
  return { ...value, markets }
}

function isMendable(type: unknown, { code, path }: Issue): boolean {
  if (code === 'unrecognized_keys' || path.length < 2) return false
  const member = path.at(-1) as PropertyKey
  if (type === 'odds')
    return path[0] === 'markets' && !(code === 'too_big' && member === 'selections')
  if (prices.has(member)) return type === 'splits' || type === 'futures'
  // A future is not identified without these two.
  const isIdentity = member === 'selection' || member === 'line'
  return type === 'futures' && path[0] === 'selections' && path.length === 3 && !isIdentity
}

// ---- one market

const flags: ReadonlySet<PropertyKey> = new Set(['suspended', 'removed'])
/** Members of a market that state its question; a blank player or statistic counts as absent. */
const asking: ReadonlySet<string> = new Set(['market_type', 'player_name', 'stat_category'])

/** Returns the market, and markets that end all that its faulty selections may have meant. */
function mendMarket(
  stated: Loose,
  issues: readonly Issue[],
  game: NamedGame,
  options: SideOptions,
  faults: Faults,
): readonly Loose[] {
  const add = (issue: Issue, cost: string) => faults.add(issue, cost, stated?.market_type)
  const isLost = ({ path: [, , member, at] }: Issue) =>
    member === undefined ||
    (at === undefined &&
      asking.has(String(member)) &&
      (member === 'market_type' || !isBlank(stated[member])))
  const lost = issues.filter(isLost)
  if (lost.length > 0) {
    const faulty = new Set(issues.map(({ path: [, , member] }) => member))
    const isTyped = !faulty.has(undefined) && !faulty.has('market_type')
    const left = 'the market is left out'
    for (const issue of lost) add(issue, isTyped ? `${left}, and its earlier prices end` : left)
    return isTyped ? [endOf(stated, faulty)] : []
  }
  let market = stated
  const selections = Array.isArray(stated.selections) ? [...(stated.selections as Loose[])] : []
  const unread = new Set<number>()
  const unlined = new Set<number>()
  for (const issue of issues) {
    const [, , member, at, name] = issue.path as [string, number, string, number?, string?]
    const selection = at === undefined ? undefined : selections[at]
    const isLabel = at !== undefined && name === 'selection'
    const byLabel =
      name === 'selection_type' ? typeByLabel(selection as Loose, stated, game, options) : null
    if (isLabel && typeof selection?.selection === 'number') {
      selections[at] = { ...selection, selection: String(selection.selection) }
      faults.add(issue, 'it is read as text', stated.market_type, false)
    } else if (at !== undefined && byLabel !== null) {
      selections[at] = { ...selection, selection_type: byLabel }
      faults.add(issue, 'the label is read instead', stated.market_type, false)
    } else if (
      at !== undefined &&
      (name === undefined ||
        name === 'selection_type' ||
        (isLabel && !isTold(selection as Loose, stated, options.sport)))
    ) {
      unread.add(at)
      add(issue, 'its outcome is unknown, and what else the market may have meant ends')
    } else if (at !== undefined) {
      selections[at] = mendedAt(selections[at] as Loose, [name as string])
      if (name === 'line') unlined.add(at)
      add(issue, costOf(issue))
    } else if (member === 'selections' || member === 'suspended') {
      market = { ...market, suspended: true }
      add(issue, 'the market is suspended')
    } else {
      market = without(market, member)
      if (member !== 'line') add(issue, costOf(issue))
      else {
        for (const [i, of] of selections.entries()) if (of?.line == null) unlined.add(i)
        add(issue, 'selections without a line of their own are suspended')
      }
    }
  }
  return partsOf(market, selections, unread, unlined)
}

/** Returns a market that ends all prices of a market whose question has faulty members. */
const endOf = (stated: Loose, faulty: ReadonlySet<PropertyKey | undefined>): Loose => ({
  ...Object.fromEntries([...asking].filter((of) => !faulty.has(of)).map((of) => [of, stated[of]])),
  suspended: true,
  selections: [],
})

function partsOf(
  market: Loose,
  selections: readonly Loose[],
  unread: ReadonlySet<number>,
  unlined: ReadonlySet<number>,
): readonly Loose[] {
  const isEnd = (at: number) => unread.has(at) || unlined.has(at)
  const isKept = selections.some((_, at) => !isEnd(at))
  const kept = selections.flatMap((of, at) =>
    unread.has(at) ? unreadOf(of, unlined.has(at)) : unlined.has(at) ? [] : of,
  )
  const ended = selections.filter((_, at) => unlined.has(at) && !unread.has(at))
  const lines = new Set(
    [...unread].flatMap((at) => (unlined.has(at) ? [null] : rungsOf(selections[at], market))),
  )
  return [
    ...(isKept || selections.length === 0 ? [{ ...market, selections: kept }] : []),
    ...(ended.length > 0 ? [{ ...without(market, 'line'), selections: ended.map(suspended) }] : []),
    ...[...lines].map((line) => ({ ...market, line, suspended: true, selections: [] })),
  ]
}

/** Returns an unread selection, without the members that identify its outcome. */
function unreadOf(stated: unknown, isUnlined: boolean): Loose {
  const isObject = typeof stated === 'object' && !Array.isArray(stated)
  const of = without(isObject ? { ...stated } : {}, 'selection')
  return { ...(isUnlined ? without(of, 'line') : of), selection_type: unreadOutcome }
}

const suspended = (selection: Loose) => ({ ...without(selection, 'line'), suspended: true })

/** Returns the rungs, by home's line, that an unread selection may be on: its own line may be home's or away's. */
const rungsOf = (selection: Loose | undefined, market: Loose) =>
  typeof selection?.line === 'number' ? [selection.line, 0 - selection.line] : [market.line]

/** Returns whether an outcome is known without its faulty label; a blank outcome is unknown. */
function isTold(
  { selection_type: word, selection: label }: Loose,
  market: Loose,
  sport: string,
): boolean {
  if (isBlank(label)) return true
  if (typeof word !== 'string') return false
  const { marketType, playerName } = questionIn(market, sport)
  return isToldByType(outcomeIn(marketType, slugOutcome(word), sport), marketType, playerName)
}

/** Returns the type of the outcome of a market that a label names; null for none. */
function typeByLabel(
  { selection: label }: Loose,
  market: Loose,
  game: NamedGame,
  options: SideOptions,
): string | null {
  if (typeof label !== 'string') return null
  const question = questionIn(market, options.sport)
  const listed = outcomesListed(question.marketType, options.sport)
  const type = outcomeNamedIn(question, slugOutcome(label), game, options)
  return listed?.has(type) || (listed !== null && type === 'draw') ? type : null
}

function questionIn(market: Loose, sport: string) {
  const textOf = (value: unknown) => (typeof value === 'string' && !isBlank(value) ? value : null)
  const playerName = textOf(market.player_name)
  const stated = { playerName, statCategory: textOf(market.stat_category) }
  const marketType = marketTypeOf({ ...stated, marketType: market.market_type as string }, sport)
  return { marketType, playerName }
}

const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === ''

// ---- one member

/** A number that is neither a price nor a placeholder in any format of odds. */
const noPrice = -1

/** Returns a value in which the faulty member at a path is replaced. */
const mendedAt = (of: Loose, path: readonly PropertyKey[]) =>
  changedAt(of, path, (owner, member) =>
    prices.has(member) ? { ...owner, [member]: noPrice } : leftOut(owner, member),
  )

function changedAt(
  of: Loose,
  [member, ...rest]: readonly PropertyKey[],
  change: (owner: Loose, member: PropertyKey) => Loose,
): Loose {
  if (member === undefined) return of
  if (rest.length === 0) return change(of, member)
  const copy: object = Array.isArray(of) ? [...of] : { ...of }
  return Object.assign(copy, { [member]: changedAt(of[member] as Loose, rest, change) })
}

/** Returns the owner without a member; if that is a flag, the owner is suspended. */
const leftOut = (owner: Loose, member: PropertyKey): Loose =>
  flags.has(member) ? { ...without(owner, member), suspended: true } : without(owner, member)

function without(of: Loose, member: PropertyKey): Loose {
  const { [member]: _, ...rest } = of
  return rest
}

function costOf({ path }: Issue): string {
  const member = path.at(-1) as PropertyKey
  return flags.has(member) || member === 'line' ? 'its selection is suspended' : 'it is left out'
}

// ---- warnings

type Faults = ReturnType<typeof createFaults>

/** Counts the faults of a record by member, so that a fault of each selection is one warning. */
function createFaults(value: object) {
  const byMember = new Map<string, Warning & { count: number }>()
  return {
    add(issue: Issue, cost: string, marketType: unknown, isLeftOut = true) {
      // Prices get their warnings where they are read.
      if (prices.has(issue.path.at(-1) as PropertyKey)) return
      const code = codeOf(issue, value) as Warning['code']
      const key = `${code} ${cost} ${issue.path.filter((part) => typeof part !== 'number').join('.')}`
      const before = byMember.get(key)
      if (before) {
        before.count++
        return
      }
      const path = issue.path.join('.')
      const message = `${path}: ${issue.message}; ${cost}`
      const isText = typeof marketType === 'string'
      byMember.set(key, {
        ...{ code, message, path, count: 1, isLeftOut },
        marketType: isText ? marketType : '',
      })
    },
    warnings: (): readonly Warning[] => [...byMember.values()],
  }
}
