/**
 * The rules for records that the log can hold. Feeds are typed, but their numbers and texts come
 * from outside. A time with a fraction cannot be written and would make the whole append fail; a
 * very long name makes rows too large to serve. Every record is checked here, so for a valid one
 * that takes only a few comparisons and no memory.
 */

import { type Kind, type Place, statedMembers } from '../../schemas/attributes.ts'
import type {
  BoardRecord,
  FeedEvent,
  FeedFutureSelection,
  FeedMarket,
  FeedRecord,
  FuturesRecord,
  FutureType,
  GameStateRecord,
  OddsRecord,
  TickRecord,
} from '../../schemas/feed-record.ts'
import { isLink, linkMaxLength } from '../../schemas/link.ts'
import { idOfSportsbook } from '../../schemas/reference/sportsbooks.ts'
import { topics } from '../../schemas/topics.ts'
import { isPrice } from '../rules/odds/odds.ts'
import { areShares } from '../rules/odds/splits.ts'

/** Why a record cannot be published. */
export interface Defect {
  /** snake_case, few distinct values, for counting. */
  readonly reason:
    | 'bad_instant'
    | 'bad_price'
    | 'bad_number'
    | 'bad_shares'
    | 'bad_flag'
    | 'empty_text'
    | 'text_too_long'
    | 'unprintable_text'
    | 'bad_link'
    | 'unknown_sportsbook'
    | 'too_many_sportsbooks'
    | 'unknown_market'
    | 'unknown_selection'
    | 'record_too_large'
  /** The field and its value. */
  readonly message: string
}

const instantEnd = Date.UTC(2101, 0)
/** The most characters of a name, a label or an id. */
const textMaxLength = 300
/** The most characters of a text in a game's state, as push ingest accepts them. */
const stateTextMaxLength = 1_000
/** The most bytes of an encoded record; a batch of many such records still fits a topic's largest message. */
const recordMaxBytes = 1024 * 1024

/** Returns null for a record that the log can hold. */
export function findDefect(record: FeedRecord | TickRecord): Defect | null {
  return inMembers(record) ?? inSize(record)
}

function inMembers(record: FeedRecord | TickRecord): Defect | null {
  if (!isInstant(record.observedAt)) return defect('bad_instant', 'observedAt', record.observedAt)
  if (record.type !== 'tick') {
    const { sportsbook } = record
    if (!isName(sportsbook)) return badText('sportsbook', sportsbook)
    if (idOfSportsbook(sportsbook) === 'unknown') {
      return defect('unknown_sportsbook', 'sportsbook', sportsbook)
    }
  }
  switch (record.type) {
    case 'tick':
    case 'book_status':
      return null
    case 'event_status':
      return inEvent(record.event)
    case 'odds':
      return inEvent(record.event) ?? inMarkets(record.markets)
    case 'futures':
      return inFuture(record)
    case 'game_state':
      return inEvent(record.event) ?? inState(record.state)
    case 'splits':
      return inEvent(record.event) ?? inSplits(record)
  }
}

function inEvent({
  externalId,
  sport,
  league,
  homeTeam,
  awayTeam,
  startsAt,
}: FeedEvent): Defect | null {
  if (!isInstant(startsAt)) return defect('bad_instant', 'startsAt', startsAt)
  // All games with an empty id would be one game.
  if (externalId !== null && !isName(externalId)) return badText('event.externalId', externalId)
  if (!isName(sport)) return badText('sport', sport)
  if (!isName(league)) return badText('league', league)
  if (!isName(homeTeam)) return badText('homeTeam', homeTeam)
  if (!isName(awayTeam)) return badText('awayTeam', awayTeam)
  return null
}

function inMarkets(markets: readonly FeedMarket[]): Defect | null {
  for (const market of markets) {
    if (!isName(market.marketType)) return badText('marketType', market.marketType)
    // Every name of only symbols becomes this, so all such markets would be one.
    if (market.marketType === 'unknown') return defect('unknown_market', 'marketType', 'unknown')
    if (!isNumber(market.line)) return defect('bad_number', 'market.line', market.line)
    if (!isText(market.playerName)) return badText('playerName', market.playerName)
    if (!isText(market.statCategory)) return badText('statCategory', market.statCategory)
    const ofMarket = inAttributes(marketAttributes, market, 'market.')
    if (ofMarket) return ofMarket
    for (const selection of market.selections) {
      const { price, line, changedAt } = selection
      if (price !== null && !isPrice(price)) return defect('bad_price', 'price', price)
      if (!isNumber(line)) return defect('bad_number', 'line', line)
      if (changedAt !== null && !isInstant(changedAt)) {
        return defect('bad_instant', 'changedAt', changedAt)
      }
      if (!isName(selection.selectionType)) return badText('selectionType', selection.selectionType)
      if (!isText(selection.selection)) return badText('selection', selection.selection)
      const ofSelection = inAttributes(selectionAttributes, selection, '')
      if (ofSelection) return ofSelection
    }
  }
  return null
}

function inFuture({ future, prices }: FuturesRecord): Defect | null {
  const { externalId, sport, league, name, subject, season, settlesAt, futureType } = future
  if (settlesAt !== null && !isInstant(settlesAt)) {
    return defect('bad_instant', 'settlesAt', settlesAt)
  }
  if (externalId !== null && !isName(externalId)) return badText('future.externalId', externalId)
  if (!isName(sport)) return badText('sport', sport)
  if (!isName(league)) return badText('league', league)
  if (!isName(name)) return badText('name', name)
  if (subject !== null && !isName(subject)) return badText('subject', subject)
  if (season !== null && !isName(season)) return badText('season', season)
  for (const price of prices) {
    const ofPrice = inFuturePrice(price, futureType)
    if (ofPrice) return ofPrice
  }
  return null
}

function inFuturePrice(stated: FeedFutureSelection, futureType: FutureType): Defect | null {
  const { selection, line, price, changedAt, externalId, deepLink } = stated
  if (!isName(selection)) return badText('selection', selection)
  if (outcomesOf[futureType]?.test(selection.trim()) === false) {
    return defect('unknown_selection', 'selection', selection)
  }
  const isWithoutLine = futureType === 'OVER_UNDER' && line === null
  if (isWithoutLine || !isNumber(line)) return defect('bad_number', 'line', line)
  if (price !== null && !isPrice(price)) return defect('bad_price', 'price', price)
  if (changedAt !== null && !isInstant(changedAt)) {
    return defect('bad_instant', 'changedAt', changedAt)
  }
  if (!isText(externalId)) return badText('externalId', externalId)
  return deepLink !== null && !isLink(deepLink) ? badLink('deepLink') : null
}

/** The labels that outcomes of a futures market may have; absent for teams and players. */
const outcomesOf: Readonly<Partial<Record<FutureType, RegExp>>> = {
  OVER_UNDER: /^(over|under)$/i,
  YES_NO: /^(yes|no)$/i,
}

const marketAttributes = attributesByKind('market')
const selectionAttributes = attributesByKind('selection')

function attributesByKind(at: Place): Readonly<Record<Kind, readonly string[]>> {
  const members = statedMembers(at)
  const named = (wanted: Kind) =>
    members.filter(({ kind }) => kind === wanted).map(({ name }) => name as string)
  return { number: named('number'), flag: named('flag'), text: named('text'), link: named('link') }
}

function inAttributes(
  { number, flag, text, link }: typeof marketAttributes,
  stated: object,
  prefix: string,
): Defect | null {
  const values = stated as Readonly<Record<string, unknown>>
  for (const name of number) {
    const value = values[name]
    if (value != null && !Number.isFinite(value)) return defect('bad_number', prefix + name, value)
  }
  for (const name of flag) {
    const value = values[name]
    if (value != null && typeof value !== 'boolean') {
      return defect('bad_flag', prefix + name, value)
    }
  }
  for (const name of text) {
    const value = (values[name] ?? null) as string | null
    if (!isText(value)) return badText(prefix + name, value)
  }
  for (const name of link) {
    const value = (values[name] ?? null) as string | null
    if (value !== null && !isLink(value)) return badLink(prefix + name)
  }
  return null
}

function inState(state: (FeedRecord & { type: 'game_state' })['state']): Defect | null {
  for (const member in state) {
    const value = state[member]
    if (!isName(member)) return badText('a member of state', member)
    if (typeof value === 'number' && !Number.isFinite(value)) {
      return defect('bad_number', `state.${member}`, value)
    }
    if (typeof value === 'string' && !isText(value, stateTextMaxLength)) {
      return badText(`state.${member}`, value)
    }
  }
  return null
}

function inSplits({ moneyline, spread, total }: FeedRecord & { type: 'splits' }): Defect | null {
  for (const split of [moneyline, spread, total]) {
    for (const shares of [split?.handle, split?.bets]) {
      // A moneyline may have a draw.
      if (!shares || areShares(shares, split !== moneyline)) continue
      return defect('bad_shares', 'shares', shares.join(' and '))
    }
  }
  for (const price of [moneyline?.awayPrice ?? null, moneyline?.homePrice ?? null]) {
    if (price !== null && !isPrice(price)) return defect('bad_price', 'split price', price)
  }
  for (const line of [spread?.awayLine, spread?.homeLine, total?.line]) {
    if (!isNumber(line ?? null)) return defect('bad_number', 'split line', line)
  }
  return null
}

/** Returns whether a time is a whole number of ms within the years 1970 to 2100. */
const isInstant = (at: number) => Number.isInteger(at) && at >= 0 && at < instantEnd

const isNumber = (value: number | null) => value === null || Number.isFinite(value)

const isName = (text: string) => text !== '' && isText(text)

const isText = (text: string | null, maxLength = textMaxLength) =>
  text === null ||
  (typeof text === 'string' && lengthOf(text) <= maxLength && !unprintable.test(text))

/** Counts characters as readers do: a surrogate pair is one. Long texts are not counted. */
const lengthOf = (text: string) =>
  text.length <= textMaxLength || text.length > 2 * stateTextMaxLength
    ? text.length
    : [...text].length

/** Matches control characters, and halves of surrogate pairs, which UTF-8 cannot represent. */
const unprintable = /[\p{Cc}\p{Surrogate}]/u

const defect = (reason: Defect['reason'], member: string, value: unknown): Defect => ({
  reason,
  message: `${member} is ${value}`,
})

const badLink = (member: string): Defect => ({
  reason: 'bad_link',
  message: `${member} is no http address of at most ${linkMaxLength} characters`,
})

function badText(member: string, text: string | null): Defect {
  if (!text) return { reason: 'empty_text', message: `${member} is empty` }
  return unprintable.test(text)
    ? { reason: 'unprintable_text', message: `${member} has characters that cannot be shown` }
    : { reason: 'text_too_long', message: `${member} has ${text.length} characters` }
}

/** Checks the size. Only records that may be too large are encoded to measure them. */
function inSize(record: FeedRecord | TickRecord): Defect | null {
  const atMost = bytesAtMost(record)
  if (atMost <= recordMaxBytes) return null
  const { length } =
    record.type === 'game_state'
      ? topics.feedGameState.encode(record)
      : topics.feedOdds.encode(record as BoardRecord)
  if (length <= recordMaxBytes) return null
  return { reason: 'record_too_large', message: `the record has ${length} bytes` }
}

/** Upper bounds: the bytes of a UTF-8 code unit, and of a part's fields other than texts. */
const unitBytes = 3
const partBytes = 100
/** The event's five names. */
const eventBytes = partBytes + 5 * 2 * textMaxLength * unitBytes

/** Two texts and a link. */
const futurePriceBytes = partBytes + (2 * 2 * textMaxLength + linkMaxLength) * unitBytes

/** Returns an upper bound of the bytes; 0 for the types whose fields are small. */
function bytesAtMost(record: FeedRecord | TickRecord): number {
  switch (record.type) {
    case 'odds':
      return oddsBytesAtMost(record)
    case 'futures':
      return eventBytes + record.prices.length * futurePriceBytes
    case 'game_state':
      return stateBytesAtMost(record)
    default:
      return 0
  }
}

function oddsBytesAtMost({ markets }: OddsRecord): number {
  let bytes = eventBytes
  for (const market of markets) {
    const { marketType, playerName, statCategory, selections } = market
    const texts = marketType.length + sizeOf(playerName) + sizeOf(statCategory)
    bytes += partBytes + unitBytes * (texts + attributesSize(marketAttributes, market))
    for (const selection of selections) {
      const texts = selection.selectionType.length + sizeOf(selection.selection)
      bytes += partBytes + unitBytes * (texts + attributesSize(selectionAttributes, selection))
    }
  }
  return bytes
}

/** Returns the number of characters of the texts; `partBytes` includes numbers and flags. */
function attributesSize({ text, link }: typeof marketAttributes, stated: object): number {
  const values = stated as Readonly<Record<string, string | null | undefined>>
  let size = 0
  for (const name of text) size += values[name]?.length ?? 0
  for (const name of link) size += values[name]?.length ?? 0
  return size
}

function stateBytesAtMost({ state }: GameStateRecord): number {
  let bytes = eventBytes
  for (const member in state) {
    const value = state[member]
    const text = typeof value === 'string' ? value.length : 0
    bytes += partBytes + unitBytes * (member.length + text)
  }
  return bytes
}

const sizeOf = (text: string | null) => (text === null ? 0 : text.length)
