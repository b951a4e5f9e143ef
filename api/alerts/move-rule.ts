/**
 * Rules of the type `move`: a falling price, or steam, as `pipeline/rules/odds/moves.ts` defines
 * them. Moves are also followed for rules that may not send now. Their findings are sent later,
 * unless they are older than the rule's window by then.
 */

import { isOutOfPlay } from '../../pipeline/rules/odds/behind-play.ts'
import {
  createDropJudge,
  createDropWindows,
  createSteamJudge,
  createSteamWindows,
  createTurns,
  type DropChange,
  type DropJudge,
  type Move,
  type MoveWindows,
  moveSize,
  moveSlack,
  type RecentChanges,
  type RecentMoves,
  type SteamJudge,
} from '../../pipeline/rules/odds/moves.ts'
import { decimalToAmerican, shownPrice } from '../../pipeline/rules/odds/odds.ts'
import { isoTime } from '../../pipeline/text/iso-time.ts'
import { absentBit } from '../../pipeline/views/board/journal.ts'
import { activeBit, liveBit } from '../../pipeline/views/board/row-table.ts'
import type { CompiledFilter } from '../../pipeline/views/query/compiled-filter.ts'
import { type Quote, quoteAt, rowsOn } from '../../pipeline/views/query/quotes.ts'
import { measuresOfMove, moveFilters } from '../../schemas/http/alert-filters.ts'
import type { MessageOf } from '../../schemas/http/alerts.ts'
import { createQueryReader } from '../../schemas/http/query.ts'
import { eventName } from '../answer/events.ts'
import { readQuery } from '../ask/read-query.ts'
import { invalid } from '../errors.ts'
import { percent, selectionOf } from '../opportunities/quotes.ts'
import {
  aboutEvent,
  aboutOffer,
  aboutRule,
  type MessageParts,
  sportsbooksOf,
} from './alert-messages.ts'
import { isOfAnyLeague } from './hidden-leagues.ts'
import {
  addressOf,
  createOfferIndex,
  isCompared,
  type NamedOffers,
  namedOffers,
  outcomeKey,
  pageOfOffer,
  standingOffer,
} from './offers.ts'
import type {
  CompiledAlert,
  Finder,
  FinderParts,
  Finding,
  RuleDefinition,
  RuleOf,
  TypeOfRule,
} from './rule-type.ts'

interface Drop {
  readonly what: 'drop'
  /** Share of the price, as a fraction. */
  readonly leastDrop: number
  /** Whether the best price of an outcome is followed instead of each offer. */
  readonly isOfBest: boolean
}

interface Steam {
  readonly what: 'steam'
  readonly leastSportsbooks: number
  /** Least change of implied probability, as a fraction. */
  readonly leastMove: number
  readonly direction: 'shortened' | 'drifted' | undefined
}

interface CompiledMove extends CompiledAlert {
  readonly type: 'move'
  readonly offers: NamedOffers
  readonly windowMs: number
  readonly wanted: Drop | Steam
}

type MoveRule = RuleOf<'move', CompiledMove>

const read = createQueryReader(moveFilters, [])
/** In percent. The archive's movements have the same default. */
const usualMove = 0.5
const ofMovements = [
  ...['sport', 'league', 'event', 'sportsbook', 'add_sportsbook', 'market', 'live'],
  ...['min_books', 'seconds', 'min_move'],
]

export const moveRule: TypeOfRule<'move', CompiledMove> = {
  compile({ query: text }, { scopeAmong }) {
    const query = readQuery(read, moveFilters, text)
    const { books, seconds, direction, min_drop, min_books, min_move = usualMove } = query
    if ((min_drop === undefined) === (min_books === 0) || min_books === 1) {
      throw invalid(
        measuresOfMove,
        'State either min_drop, for a price that falls, or min_books of 2 or more, for steam.',
      )
    }
    const scope = scopeAmong(books)
    const offers = namedOffers(query, scope)
    const wanted: Drop | Steam =
      min_drop === undefined
        ? { what: 'steam', leastSportsbooks: min_books, leastMove: min_move / 100, direction }
        : { what: 'drop', leastDrop: min_drop / 100, isOfBest: query.of === 'best' }
    return {
      ...{ type: 'move', scope, books, isOfAnyLeague: isOfAnyLeague(query), requires: null },
      ...{ offers, windowMs: 1_000 * seconds, wanted },
    }
  },
  openFinder,
  paths,
}

function paths({ query }: Pick<RuleDefinition<'move'>, 'query'>) {
  return {
    list: addressOf('/api/v1/movements', query, ofMovements),
    page: addressOf('/', query, ['league', 'q']),
  }
}

/** A change of one price, or its return to active. */
interface OfferMove {
  /** Epoch ms, with the microseconds of the journal's stamp as a fraction. */
  readonly at: number
  readonly quote: Quote
  /** The outcome, by `answerKey`, with its phase: before the game or in play. */
  readonly outcome: string
  readonly before: number
}

/** Whether bets could be made at the price before, and can be now. */
interface Open {
  readonly before: boolean
  readonly now: boolean
}

/** A move that a rule found: steam, or a drop from the highest price in the window. */
interface Found {
  readonly occasion: string
  /** Fraction by which the price dropped; for steam, the largest change of implied probability. */
  readonly worth: number
  readonly moves: readonly OfferMove[]
}

/** State of a rule. If the rule or its rights change, it is created again, and earlier moves do not count. */
interface Known {
  readonly rule: MoveRule
  readonly compiled: CompiledMove
  /** The least that the rule needs: sportsbooks for steam, else a drop as a fraction. */
  readonly least: number
  readonly steam: SteamJudge<OfferMove> | null
  readonly drops: DropJudge | null
  /** Findings that have not been taken yet. */
  found: Found[]
}

/** @param since when the rule begins (epoch ms) */
function knownOf(rule: MoveRule, since: number): Known {
  const { wanted, windowMs } = rule.compiled
  return {
    rule,
    compiled: rule.compiled,
    least: wanted.what === 'steam' ? wanted.leastSportsbooks : wanted.leastDrop,
    steam: wanted.what === 'steam' ? createSteamJudge({ ...wanted, windowMs, since }) : null,
    drops: wanted.what === 'drop' ? createDropJudge({ ...wanted, windowMs, since }) : null,
    found: [],
  }
}

/** Returns whether a price moved, by at least `leastMove`. */
const isMove = (before: number, price: number, leastMove: number) =>
  price !== before && Math.abs(moveSize(before, price)) >= leastMove - moveSlack

/** Rules that look for the same kind of move in the same prices. They share the recent moves. */
interface Group {
  readonly kind: 'steam' | 'drop' | 'drop of the best price'
  readonly offers: NamedOffers
  /** The rules, sorted by what they need, the least first. */
  readonly rules: Known[]
  readonly moves: MoveWindows<Move<OfferMove>, RecentMoves<OfferMove>>
  readonly changes: MoveWindows<DropChange, RecentChanges>
  /** The longest window of its rules. */
  windowMs: number
  /** The smallest change of implied probability that counts for one of its steam rules. */
  leastMove: number
}

const kindOf = ({ wanted }: CompiledMove): Group['kind'] =>
  wanted.what === 'drop' && wanted.isOfBest ? 'drop of the best price' : wanted.what

function openFinder({ boards, board }: FinderParts): Finder<MoveRule> {
  let known = new Map<MoveRule, Known>()
  let groups = new Map<string, Group>()
  const index = createOfferIndex<Group>(board, ({ offers }) => offers)
  /** Rules with findings since the last call. */
  const finding = new Set<MoveRule>()
  const turns = createTurns()
  let followedTo = board.watermark

  /** Returns how an offer's move changed the outcome's best price; null if none was there before or is there now. */
  function bestMove(
    { quote, outcome, before, at }: OfferMove,
    open: Open,
    filter: CompiledFilter,
    now: number,
  ): OfferMove | null {
    const offers = open.now ? [quote] : []
    let bestBefore = open.before ? before : 0
    for (const row of rowsOn(board, quote.block, quote.selection)) {
      if (!filter.names(row) || board.rows.id(row) === quote.id) continue
      const other = standingOffer(board, row, now)
      if (!other || other.isLive !== quote.isLive) continue
      offers.push(other)
      bestBefore = Math.max(bestBefore, other.price)
    }
    const [best] = offers.sort((a, b) => b.price - a.price)
    return best && bestBefore > 0 ? { at, quote: best, outcome, before: bestBefore } : null
  }

  function report(state: Known, found: Found) {
    dropOld(state)
    state.found.push(found)
    finding.add(state.rule)
  }

  /** Forgets findings that are older than the rule's window. */
  function dropOld({ found, compiled }: Known) {
    const since = board.watermark / 1_000 - compiled.windowMs
    while (found.length > 0 && found[0]!.moves.at(-1)!.at < since) found.shift()
  }

  function takeSteam({ rules, moves, windowMs }: Group, move: OfferMove) {
    const { at, before, quote } = move
    const { price, sportsbook } = quote
    const direction = price < before ? 'shortened' : 'drifted'
    const selection = `${move.outcome}|${direction}`
    const size = Math.abs(moveSize(before, price))
    const recent = moves.add(selection, { at, sportsbook, size, of: move }, windowMs)
    for (const state of rules) {
      if (state.least > recent.bySportsbook.length) break
      const { wanted } = state.compiled
      if ('direction' in wanted && wanted.direction && wanted.direction !== direction) continue
      const movement = state.steam!.take(selection, recent)
      if (!movement) continue
      const occasion = `${selection}|${movement.beganAt}`
      const worth = movement.moves.reduce((most, one) => Math.max(most, one.size), 0)
      report(state, { occasion, worth, moves: movement.moves.map((one) => one.of) })
    }
  }

  function takeDrop(group: Group, key: string, move: OfferMove, mayReport: boolean) {
    const { at, before, quote } = move
    const { price } = quote
    const recent = group.changes.add(key, { at, before, price }, group.windowMs)
    const drop = 1 - price / recent[0]!.before
    for (const state of group.rules) {
      if (state.least > drop + moveSlack) break
      const found = state.drops!.take(key, recent)
      if (!found || !mayReport) continue
      const fromHighest = { ...move, before: price / (1 - found.part) }
      report(state, {
        occasion: `${key}|${found.beganAt}`,
        worth: found.part,
        moves: [fromHighest],
      })
    }
  }

  function take(group: Group, move: OfferMove, open: Open, filter: CompiledFilter, now: number) {
    const { quote, outcome } = move
    if (!group.offers.isOutcome(quote)) return
    switch (group.kind) {
      case 'steam':
        return takeSteam(group, move)
      case 'drop':
        return takeDrop(group, `${outcome}|${quote.sportsbook}`, move, open.now)
      case 'drop of the best price': {
        if (!isCompared(quote)) return
        const best = bestMove(move, open, filter, now)
        if (best) takeDrop(group, outcome, best, true)
      }
    }
  }

  /** Groups the rules. A group that existed before keeps its recent moves. */
  function grouped(all: Iterable<Known>): Map<string, Group> {
    const now = new Map<string, Group>()
    for (const state of all) {
      const { offers, windowMs, wanted } = state.compiled
      const kind = kindOf(state.compiled)
      const key = `${kind} ${offers.key}`
      let group = now.get(key)
      if (!group) {
        const before = groups.get(key)
        const moves = before?.moves ?? createSteamWindows()
        const changes = before?.changes ?? createDropWindows()
        const bounds = { windowMs: 0, leastMove: Number.POSITIVE_INFINITY }
        group = { kind, offers, rules: [], moves, changes, ...bounds }
        now.set(key, group)
      }
      group.rules.push(state)
      group.windowMs = Math.max(group.windowMs, windowMs)
      if (wanted.what === 'steam') group.leastMove = Math.min(group.leastMove, wanted.leastMove)
    }
    for (const { rules } of now.values()) rules.sort((a, b) => a.least - b.least)
    return now
  }

  function takeFound(rule: MoveRule): readonly Finding[] {
    const { alert, compiled } = rule
    const state = known.get(rule)!
    dropOld(state)
    const { found } = state
    state.found = []
    return found.map((one) => {
      const { occasion, worth, moves } = one
      const last = moves.at(-1)!
      return {
        ...{ occasion, league: last.quote.event.row.league, worth },
        identity: [last.quote.id, last.at],
        sportsbooks: () => sportsbooksOf(quotesOf(moves)),
        message: (_, parts) => moveMessage(alert, compiled, one, boards.now(), parts),
      }
    })
  }

  return {
    setRules(all) {
      const isKnown = (rule: MoveRule) => known.get(rule)?.compiled === rule.compiled
      if (all.length === known.size && all.every(isKnown)) return all
      const since = board.watermark / 1_000
      known = new Map(
        all.map((rule) => {
          const before = known.get(rule)
          return [rule, before?.compiled === rule.compiled ? before : knownOf(rule, since)]
        }),
      )
      groups = grouped(known.values())
      index.set([...groups.values()])
      return all
    },
    begin(now) {
      const { journal, rows } = board
      const from = Math.max(followedTo, journal.reach)
      if (known.size === 0 || from > followedTo) turns.clear()
      followedTo = board.watermark
      if (known.size === 0) return
      const asking = index.now()
      journal.forEach(from, (change) => {
        const { price, priceBefore, state, stateBefore, block, book, event } = change
        if (((state | stateBefore) & absentBit) !== 0) {
          turns.forget(change.id)
          return
        }
        const isOpen = (state & activeBit) !== 0
        const isLive = (state & liveBit) !== 0
        if (turns.isTurn(change.id, isLive !== ((stateBefore & liveBit) !== 0), isOpen)) return
        if (price === priceBefore && (!isOpen || (stateBefore & activeBit) !== 0)) return
        const { marketType } = block
        let move: OfferMove | null = null
        let open: Open | null = null
        const isBehind = isOutOfPlay(isLive, event)
        for (const group of asking.of(event.league, marketType, board.sportsbooks[book]!)) {
          if (group.kind === 'steam') {
            if (isBehind || !isMove(priceBefore, price, group.leastMove)) continue
          }
          const filter = group.offers.compiled()
          if (!filter.matches(event, marketType, book, price, state)) continue
          if (!move || !open) {
            // A withheld price counts as no move.
            const current = rows.find(change.id)
            if (current < 0 || rows.withheld(current) !== null) return
            // The price may have changed again since, or moved to another row.
            const quote = { ...quoteAt(board, current), price, isLive }
            const outcome = `${outcomeKey(quote)}|${isLive ? 'live' : 'pre'}`
            move = { at: change.stamp / 1_000, quote, outcome, before: priceBefore }
            open = {
              before: (stateBefore & activeBit) !== 0,
              now: isOpen && standingOffer(board, current, now) !== null,
            }
          }
          take(group, move, open, filter, now)
        }
      })
    },
    concerned: () => finding,
    changed: takeFound,
    // A rule that may send nothing now is given a full look when it may.
    end: () => finding.clear(),
    endsOccasions: false,
    look: (rule) => () => takeFound(rule),
    isGone: () => false,
    close() {},
  }
}

/** Most moves in a message. A window of an hour has thousands, which no record of the log can hold. */
const mostTold = 100

const quotesOf = (moves: Found['moves']) => moves.map(({ quote }) => quote)

function moveMessage(
  alert: MoveRule['alert'],
  { scope, wanted }: CompiledMove,
  { worth, moves }: Found,
  now: number,
  parts: MessageParts,
): MessageOf<'alert.move'> {
  const { quote, before } = moves.at(-1)!
  const { label } = selectionOf(quote)
  const { state } = parts.profileOf(alert.accountId)
  const isShorter = quote.price < before
  const title =
    wanted.what === 'drop'
      ? `${label} dropped by ${percent(worth)} %`
      : `${label} ${isShorter ? 'shortened' : 'drifted'} at ${sportsbooksOf(quotesOf(moves)).length} sportsbooks`
  return {
    type: 'alert.move',
    timestamp: isoTime(parts.clock()),
    data: {
      ...aboutRule(alert, { ...paths(alert), page: pageOfOffer(quote) }, parts),
      title: `${title}: ${eventName(quote.event)}`,
      what: wanted.what,
      direction: isShorter ? 'shortened' : 'drifted',
      event: aboutEvent(quote),
      market_type: quote.marketType,
      began_at: isoTime(Math.floor(moves[0]!.at)),
      moves: moves.slice(-mostTold).map((move) => ({
        ...aboutOffer(scope, move.quote, now, parts.publicUrl(), state),
        from_decimal: shownPrice(move.before),
        from_american: decimalToAmerican(move.before),
        at: isoTime(Math.floor(move.at)),
      })),
    },
  }
}
