/**
 * Names of players as sportsbooks spell them: with and without accents, dots, hyphens and capitals, umlauts as "oe",
 * surname first, with "Jr.", a team or a position beside them. All spellings of one player in an
 * event become one, so that their prices belong to one selection.
 *
 * Only differences of writing and order are ignored; letters count: Jalen and Jaylin Williams are
 * two. Even an ignored difference counts if it tells players apart: one sportsbook has two of the
 * same name in one market (Michal and Michael Novak), or with two marks.
 */

import type { FeedMarket } from '../../../schemas/feed-record.ts'
import { memoise } from '../../../schemas/memoise.ts'
import { normaliseName } from '../../../schemas/reference/normalise-name.ts'
import { foldUmlauts } from './parsed-name.ts'

interface PlayerRead {
  /** The readable name: "Julian Alvarez", "JJ Watt", "Gary Trent Jr". */
  readonly name: string
  /** The letters of the name itself, in order. */
  readonly letters: string
  /** The same for every spelling of umlauts: Schröder and Schroeder. */
  readonly key: string
  /** The key with the last word first, and with the first one last. */
  readonly turned: readonly string[]
  /** The text beside the name itself, with the suffix: `jr`, `okc`, `okc g`; empty for none. */
  readonly mark: string
  /** The mark without the suffix, as it is written. */
  readonly tag: string
}

/**
 * Returns the readable name: "Julián Álvarez" is "Julian Alvarez", "J.J. Watt" is "JJ Watt". Letters keep their case
 * unless all have one.
 */
export const playerNameOf = (stated: string): string => readPlayer(stated).name

/**
 * Returns a text that is the same for all spellings of a player by one sportsbook, which writes
 * umlauts in one way. Another suffix, team or position gives another text.
 */
export function playerKeyOf(stated: string): string {
  const { letters, mark } = readPlayer(stated)
  return `${letters}|${mark}`
}

const readPlayer: (stated: string) => PlayerRead = memoise((stated) => {
  const { named, tags } = withoutTags(plainNameOf(stated))
  const { proper, suffix } = givenNameFirst(named.replace(junior, 'Jr'))
  const written = proper.split(/[\s-]+/).map(lettersOf)
  const letters = written.join('')
  if (letters === '')
    return { name: stated, letters: stated, key: stated, turned: [], mark: '', tag: '' }
  const words = written.map(foldUmlauts)
  const key = words.join('')
  const lastFirst = [...words.slice(-1), ...words.slice(0, -1)].join('')
  const firstLast = [...words.slice(1), ...words.slice(0, 1)].join('')
  return {
    name: inMixedCase(suffix === '' ? proper : `${proper} ${suffix}`),
    letters,
    key,
    turned: [...new Set([lastFirst, firstLast])].filter((turned) => turned !== key),
    mark: [suffix, ...tags].map(lettersOf).join(' ').trim(),
    tag: tags.join(' '),
  }
})

/**
 * Returns the name without accents and dots, with one kind of apostrophe, hyphen and blank;
 * unchanged if nothing would be left.
 */
export function plainNameOf(stated: string): string {
  const plain = stated
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/[øØłŁđĐðÐþÞħĦıßæÆœŒ]/g, (letter) => plainLetters[letter] ?? letter)
    .replace(/\./g, '')
    .replace(/['’‘‛`´ʼʻʽˈ′＇]/g, "'")
    .replace(/\p{Pd}/gu, '-')
    .replace(/\s+/g, ' ')
    .trim()
  return plain === '' ? stated : plain
}

const lettersOf = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** Removes a team or position: in brackets, after a comma, or abbreviated at an end with a dash. */
function withoutTags(text: string): { named: string; tags: string[] } {
  const tags: string[] = []
  const take = (tag: string) => {
    tags.push(tag.trim())
    return ' '
  }
  const named = text
    .replace(/[([{]([^)\]}]*)[)\]}]/g, (_, inside: string) => take(inside))
    .replace(/\s+-\s+(\p{Lu}{1,4})\s*$/u, (_, tag: string) => take(tag))
    .replace(
      /,\s*(?!III)(\p{Lu}{3}|\p{Lu}{2})\s*$/u,
      (all, tag: string, at: number, whole: string) =>
        whole.slice(0, at).includes(' ') && (tag.length === 3 || positions.has(tag))
          ? take(tag)
          : all,
    )
    .replace(/^\s*(\p{Lu}{2,4})\s+-\s+/u, (_, tag: string) => take(tag))
    .replace(/\s+/g, ' ')
    .trim()
  // A single name needs its mark: "Danilo (BRA)" and "Danilo (POR)" are two.
  return /[\s,-]/.test(named) ? { named, tags } : { named: text, tags: [] }
}

/** Positions of two letters: after a first and a last name they are no initials. */
const positions: ReadonlySet<string> = new Set(
  'QB RB WR TE FB HB OT OG OL DL DE DT LB CB SS FS DB LS PG SG SF PF LW RW SP RP CP DH OF IF MF GK FW DF'.split(
    ' ',
  ),
)

/** Matches the word after a name for which others write Jr. */
const junior = /(?<=\p{L}\s)(?:junior|jnr)(?=\s*(?:,|$))/iu

const suffixes = /^(?:jr|sr|ii|iii|iv|v)$/i

/** Puts the given name first: "Hartenstein, Isaiah", "Trent Jr, Gary" and "Trent, Gary, Jr". */
function givenNameFirst(text: string): { proper: string; suffix: string } {
  const parts = text.split(',').map((part) => part.trim())
  const loose = parts.filter((part, at) => at > 0 && suffixes.test(part))
  const [surname = '', given, ...more] = parts.filter((part) => !loose.includes(part))
  const named = given === undefined || more.length > 0 ? [surname] : [given, surname]
  const words = [...named, ...more].join(' ').split(' ')
  const isSuffix = (word: string) => (words.length < 3 ? /^(?:jr|sr)$/i : suffixes).test(word)
  const kept = words.filter((word, at) => at === 0 || !isSuffix(word))
  const [suffix = ''] = [...words.filter((word) => !kept.includes(word)), ...loose]
  return { proper: kept.join(' '), suffix: suffix === '' ? '' : suffixIn(suffix) }
}

const suffixIn = (suffix: string) =>
  /^[jsr]+$/i.test(suffix)
    ? suffix.charAt(0).toUpperCase() + suffix.slice(1).toLowerCase()
    : suffix.toUpperCase()

/** Changes "OUSMANE DIENG" and "ousmane dieng" to "Ousmane Dieng". */
function inMixedCase(name: string): string {
  const isMixed = /\p{Ll}/u.test(name) && /\p{Lu}/u.test(name)
  if (isMixed || !/\p{L}{3}/u.test(name)) return name
  return name.replace(/\p{L}+/gu, (word) =>
    word.length <= 2 || /^(?:iii)$/i.test(word)
      ? word.toUpperCase()
      : word.charAt(0).toUpperCase() + word.slice(1).toLowerCase(),
  )
}

const plainLetters: Readonly<Record<string, string>> = {
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'Th',
  ħ: 'h',
  Ħ: 'H',
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
  Æ: 'Ae',
  œ: 'oe',
  Œ: 'Oe',
}

const teamBehind = /\s+[\p{Pd}|/]\s+(\S.*)$/u
/** A code behind a first and a last name: "Patrick Mahomes, KC", "Patrick Mahomes KC". */
const codeBehind = /(?<=\p{L}[\s.]+\p{L}+),?\s+(\p{Lu}{2,4})\s*$/u
const codeBefore = /^\s*(\p{Lu}{2,4})\s*:\s*(\S.*)$/u

/** Returns the first letters of a side's words: KCC of the Kansas City Chiefs. */
const initialsOf = (side: string) =>
  normaliseName(side)
    .split(' ')
    .map((word) => word.charAt(0).toUpperCase())
    .join('')

/** The players of one event, each by his first spelling. */
export interface PlayerNames {
  /**
   * Returns the one spelling of the player whom a market names.
   * @param record all markets of the sportsbook's record: two of one name there are two players
   */
  nameIn(playerName: string, sportsbook: string, record: readonly FeedMarket[]): string
  /** Restores a spelling that was returned before. */
  recall(name: string): void
  /** Returns all spellings that were returned or restored, and perhaps more. */
  all(): ReadonlySet<string>
}

/** @param sides of the event: a side after a dash is a player's team */
export function createPlayerNames(sides: readonly string[]): PlayerNames {
  /**
   * Results by sportsbook and spelling, because sportsbooks repeat their spellings in nearly all
   * calls.
   */
  const known = new Map<string, Map<string, string>>()
  const names = new Map<string, string>()
  /** Keys that several players share: they are told apart by letters and marks. */
  const shared = new Set<string>()
  /** Keys that are another player's key with the name turned around. */
  const ordered = new Set<string>()
  /** The last tag of each sportsbook and key. */
  const tags = new Map<string, string>()
  const ofSides = sides.map((side) => ` ${normaliseName(side)} `)
  /** The record that was last searched for players of one name. */
  let lookedThrough: readonly FeedMarket[] | null = null

  const initialsOfSides = sides.map(initialsOf)

  const isSide = (part: string) =>
    ofSides.some((side) => side.includes(` ${normaliseName(part)} `)) ||
    (/^\p{Lu}{2,4}$/u.test(part) && initialsOfSides.some((initials) => initials.startsWith(part)))

  /** Reads "Chet Holmgren - Thunder", "Holmgren, Chet, OKC" and "OC: Chet Holmgren" as "Chet Holmgren (Thunder)". */
  const read = (stated: string) =>
    readPlayer(
      stated
        .replace(teamBehind, (all, part: string) => (isSide(part) ? ` (${part})` : all))
        .replace(codeBehind, (all, part: string) => (isSide(part) ? ` (${part})` : all))
        .replace(codeBefore, (all, part: string, name: string) =>
          isSide(part) ? `${name} (${part})` : all,
        ),
    )

  function find(player: PlayerRead, sportsbook: string): string {
    const { name, letters, key, mark, tag, turned } = player
    const ofSportsbook = `${sportsbook}|${key}`
    const before = tags.get(ofSportsbook)
    if (tag !== '') tags.set(ofSportsbook, tag)
    if (tag !== '' && before !== undefined && before !== tag) shared.add(key)
    if (shared.has(key)) return register(`${letters}|${mark}`, markedName(player))
    const turnedName = ordered.has(key)
      ? undefined
      : turned.map((of) => names.get(of)).find((of) => of !== undefined)
    return names.get(key) ?? turnedName ?? register(key, name)
  }

  function register(key: string, name: string): string {
    const before = names.get(key)
    if (before !== undefined) return before
    names.set(key, name)
    return name
  }

  /** Notes the names that a sportsbook uses for two players of one market. */
  function tellApart(record: readonly FeedMarket[]) {
    if (record === lookedThrough) return
    lookedThrough = record
    const byMarket = new Map<string, Map<string, PlayerRead>>()
    for (const { marketType, playerName } of record) {
      if (playerName === null) continue
      let reads = byMarket.get(marketType)
      if (!reads) {
        reads = new Map()
        byMarket.set(marketType, reads)
      }
      const player = read(playerName)
      const { key, turned } = player
      const other = reads.get(key)
      if (!other) reads.set(key, player)
      else if (!isOne(other, player)) shared.add(key)
      for (const one of turned) if (reads.has(one)) ordered.add(key).add(one)
    }
  }

  return {
    nameIn(playerName, sportsbook, record) {
      let byName = known.get(sportsbook)
      if (!byName) {
        byName = new Map()
        known.set(sportsbook, byName)
      }
      const before = byName.get(playerName)
      if (before !== undefined) return before
      const [sharedBefore, orderedBefore] = [shared.size, ordered.size]
      tellApart(record)
      const name = find(read(playerName), sportsbook)
      if (shared.size > sharedBefore || ordered.size > orderedBefore) {
        for (const others of known.values()) others.clear()
      }
      byName.set(playerName, name)
      return name
    },
    recall(name) {
      const player = readPlayer(name)
      const { letters, key, mark, tag } = player
      const before = names.get(key)
      if (tag !== '' || (before !== undefined && !isOne(readPlayer(before), player)))
        shared.add(key)
      if (before === undefined && tag === '') names.set(key, name)
      register(`${letters}|${mark}`, name)
    },
    all: () => new Set(names.values()),
  }
}

/** Returns whether two spellings by one sportsbook are one player's. */
const isOne = (a: PlayerRead, b: PlayerRead) => a.letters === b.letters && a.mark === b.mark

/** Returns "Josh Allen (JAX)", for a name that two players have. */
const markedName = ({ name, tag }: PlayerRead) => (tag === '' ? name : `${name} (${tag})`)
