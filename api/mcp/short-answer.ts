/**
 * Shortens responses for models: a REST body without repetitions and without links to other routes, with as many
 * items as fit. `more` tells what was left out and with which arguments the same tool continues. Sizes are bytes on
 * the wire, where the text is inside JSON.
 */

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }
type JsonObject = { [name: string]: Json }

/** Shape of a tool's response. */
export interface AnswerShape {
  /**
   * Field names that lead to the items: a list, or an object of items by name. `*` is the first field. Absent: the
   * response is a single object.
   */
  readonly items?: readonly string[]
  /** Fields that are useless to a model here, at any depth. */
  readonly without?: readonly string[]
  /** Most entries of a list inside an item. */
  readonly mostInside?: number
  /** Lists beside the items that are never cut, because their other entries would not be sent later either. */
  readonly whole?: readonly string[]
}

export interface ShortAnswer {
  readonly text: string
  /** Number of items in the body, of skipped items and of items in the text. */
  readonly given: number
  readonly skipped: number
  readonly shown: number
}

export interface Room {
  readonly bytes: number
  /** Items to skip at the start, for a route without pages. */
  readonly skip: number
}

/** Fields that are never useful to a model: links, and alternative names. */
const unread: ReadonlySet<string> = new Set([
  'success',
  'meta',
  'deep_link',
  'deep_links',
  'external_ids',
  'external_event_id',
  'market_id',
  'selection_id',
  'numerical_id',
  'logo',
])

/** Fields that repeat another field, by the name of that field. Left out if both are equal. */
const repeats: Readonly<Record<string, string>> = {
  probability: 'odds_probability',
  implied_probability: 'probability',
  timestamp: 'last_seen_at',
  game_id: 'event_id',
  game: 'event_name',
  market: 'market_type',
  ev_percent: 'ev_percentage',
  devig_book: 'sharp_book',
  confidence_score: 'confidence',
  slug: 'id',
  sportsbook_name: 'sportsbook',
  name: 'display_name',
  label: 'name',
  sport_id: 'sport',
  book: 'sportsbook',
  roi_percentage: 'expected_value',
}
const always: ReadonlySet<string> = new Set(['sportsbook_name'])

/**
 * Fields of `meta` that a model needs, each with the value that says nothing: those for the next call, and those that say
 * why an answer is empty or not final.
 */
const keptOfMeta: Readonly<Record<string, Json>> = {
  server_time: null,
  position: null,
  archive: null,
  is_complete: true,
  bets_without_answer: 0,
  store: null,
}

/** Limits of lists inside an item, tried in turn until one item fits. */
const lengthsInside = [Number.POSITIVE_INFINITY, 32, 16, 8, 4] as const

/** @param more returns the arguments for the rest, given the position of its first item and its count */
export function shortAnswer(
  body: JsonObject,
  shape: AnswerShape,
  { bytes, skip }: Room,
  more: (next: number, left: number) => JsonObject | null,
): ShortAnswer {
  const without = new Set([...unread, ...(shape.without ?? [])])
  const lean = leanObject(body, without)
  for (const [name, nothing] of Object.entries(keptOfMeta)) {
    const value = (body.meta as JsonObject | undefined)?.[name] ?? null
    if (value !== null && value !== nothing) lean[name] = value
  }
  const path = pathIn(lean, shape.items ?? [])
  const entries = entriesAt(lean, path)
  const textOf = (shown: number, inside: number) => {
    const taken = entries.slice(skip, skip + shown).map(([name, item]) => [name, cut(item, inside)])
    const rest = more(skip + shown, Math.max(0, entries.length - skip - shown))
    const answer = rest === null ? lean : { ...lean, more: rest }
    return JSON.stringify(withEntries(cutBeside(answer, path, shape.whole), path, taken as Entry[]))
  }
  const given = entries.length
  const left = Math.max(0, given - skip)
  const frame = wireBytes(JSON.stringify(withEntries(cutBeside(lean, path, shape.whole), path, [])))
  const isList = Array.isArray(valueAt(lean, path))
  const sizeOf = (position: number, inside: number) => {
    const [name, item] = entries[skip + position]!
    const text = JSON.stringify(cut(item, inside))
    return insideBytes(isList ? text : `${JSON.stringify(name)}:${text}`)
  }
  const moreBytes = (shown: number) => {
    const rest = more(skip + shown, left - shown)
    return rest === null ? 0 : insideBytes(`,"more":${JSON.stringify(rest)}`)
  }
  /** Returns the greatest number of items that fit, reading at most one item more. */
  function mostThatFit(inside: number): number {
    let size = frame
    let most = 0
    for (let count = 1; count <= left; count++) {
      size += sizeOf(count - 1, inside) + (count > 1 ? 1 : 0)
      if (size > bytes) break
      if (size + moreBytes(count) <= bytes) most = count
    }
    return most
  }
  let inside = 0
  let shown = 0
  for (const length of lengthsInside) {
    inside = Math.min(length, shape.mostInside ?? length)
    shown = mostThatFit(inside)
    if (shown > 0) break
  }
  // At least one item is shown, or the next call could not continue.
  shown = Math.max(shown, Math.min(1, left))
  return { text: textOf(shown, inside), given, skipped: skip, shown }
}

/** Returns the size of a text inside the JSON of the response. */
const wireBytes = (text: string) => Buffer.byteLength(JSON.stringify(text))

/** Returns the size of a part of a text inside JSON. Sizes of parts add up, as each is whole tokens. */
const insideBytes = (text: string) => wireBytes(text) - 2

function leanObject(value: JsonObject, without: ReadonlySet<string>): JsonObject {
  const lean: JsonObject = {}
  for (const [name, member] of Object.entries(value)) {
    if (member === null || without.has(name) || isRepeated(value, name)) continue
    lean[name] = leanValue(member, without)
  }
  return lean
}

function leanValue(value: Json, without: ReadonlySet<string>): Json {
  if (Array.isArray(value)) return value.map((item) => leanValue(item, without))
  return typeof value === 'object' && value !== null ? leanObject(value, without) : value
}

function isRepeated(object: JsonObject, name: string): boolean {
  const other = repeats[name]
  if (other === undefined || object[other] === undefined) return false
  return always.has(name) || object[other] === object[name]
}

// ---- items

type Entry = [name: string, item: Json]

function pathIn(answer: JsonObject, path: readonly string[]): readonly string[] {
  let at: Json | undefined = answer
  return path.map((part) => {
    const name: string = part === '*' ? (Object.keys(at ?? {})[0] ?? part) : part
    at = (at as JsonObject | undefined)?.[name]
    return name
  })
}

/** Returns items by name; those of a list by position. */
function entriesAt(answer: JsonObject, path: readonly string[]): Entry[] {
  if (path.length === 0) return []
  return Object.entries((valueAt(answer, path) as JsonObject | undefined) ?? {})
}

function valueAt(answer: JsonObject, path: readonly string[]): Json | undefined {
  let at: Json | undefined = answer
  for (const name of path) at = (at as JsonObject | undefined)?.[name]
  return at
}

function withEntries(
  answer: JsonObject,
  path: readonly string[],
  entries: readonly Entry[],
): JsonObject {
  const [name, ...rest] = path
  if (name === undefined) return answer
  const at = answer[name]
  if (rest.length > 0) {
    return { ...answer, [name]: withEntries((at ?? {}) as JsonObject, rest, entries) }
  }
  if (at === undefined) return answer
  const isList = Array.isArray(at)
  return {
    ...answer,
    [name]: isList ? entries.map(([, item]) => item) : Object.fromEntries(entries),
  }
}

/** Longest list beside the items. */
const mostBeside = 50

/** Cuts the response's lists, except the items and the lists in `whole`. */
function cutBeside(
  answer: JsonObject,
  path: readonly string[],
  whole: readonly string[] = [],
): JsonObject {
  const [name, ...rest] = path
  const isKept = (member: string) => member === 'more' || whole.includes(member)
  const beside = Object.entries(answer).filter(([member]) => member !== name && !isKept(member))
  const kept = Object.fromEntries(Object.entries(answer).filter(([member]) => isKept(member)))
  const result = cut(Object.fromEntries(beside), mostBeside) as JsonObject
  if (name === undefined) return { ...result, ...kept }
  const at = answer[name] as Json
  const items = rest.length > 0 ? cutBeside((at ?? {}) as JsonObject, rest, whole) : at
  return { [name]: items, ...result, ...kept }
}

/** Cuts every list and every large table, and adds how many entries were left out. */
function cut(value: Json, most: number): Json {
  if (most === Number.POSITIVE_INFINITY || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.slice(0, most).map((item) => cut(item, most))
  const result: JsonObject = {}
  for (const [name, member] of Object.entries(value)) {
    if (Array.isArray(member)) {
      result[name] = cut(member, most)
      if (member.length > most) result[`${name}_left_out`] = member.length - most
    } else if (isTable(member) && Object.keys(member).length > Math.max(most, shortestTable)) {
      const kept = Object.entries(member).slice(0, Math.max(most, shortestTable))
      result[name] = Object.fromEntries(kept.map(([key, item]) => [key, cut(item, most)]))
      result[`${name}_left_out`] = Object.keys(member).length - kept.length
    } else {
      result[name] = cut(member, most)
    }
  }
  return result
}

/** Smaller objects are usually records, such as odds in three formats. */
const shortestTable = 6

/** Returns whether an object is a table of similar values by name, not a record of different fields. */
function isTable(value: Json): value is JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const kinds = new Set(Object.values(value).map((member) => typeof member))
  return kinds.size === 1 && (kinds.has('object') || kinds.has('number'))
}
