/**
 * Games whose two listings come from two sites, so that both sides may be spelt differently; needs `../shared`. The
 * rules were written with one half of the names in view (`tuned`) and are judged by the other: the figures of the first
 * half flatter, those of the second do not.
 *
 * A team's games must be separated from those of every other team: of the same sport, at the same minute, in the same
 * league or in none, and where two teams have similar names, against similar opponents too.
 */
import { describe, expect, test } from 'vitest'
import {
  type Candidate,
  findMatch,
  type Listing,
} from '../../../../pipeline/rules/names/matching.ts'
import {
  compareNames,
  nameKindOf,
  parseTeamName,
} from '../../../../pipeline/rules/names/team-names.ts'
import { mayAgree } from '../../../../pipeline/rules/names/team-outline.ts'
import { hasAliases, readColleges, readSites, type SpeltSide } from './site-names.ts'

const startsAt = Date.UTC(2027, 1, 6, 15)

const candidate = (id: string, home: string, away: string): Candidate => ({
  id,
  home,
  away,
  startsAt,
  externalIds: new Map([['pinnacle', id]]),
})
const listing = (home: string, away: string): Listing => ({
  home,
  away,
  startsAt,
  sportsbook: 'bet365',
  externalId: '7',
})

/** Returns the same numbers each time. */
function createRandom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function shuffled<T>(all: readonly T[], random: (below: number) => number): T[] {
  const left = [...all]
  return all.map(() => left.splice(random(left.length), 1)[0] as T)
}

interface Tally {
  listed: number
  found: number
  wrong: string[]
}

/** Plays rounds of games of a league's teams, each listed as two sites write it. */
function play(sides: readonly SpeltSide[], league: string | undefined, tally: Tally) {
  const random = createRandom(7)
  const sport = sides[0]?.sport ?? ''
  const options = { sport, ...(league && { league }) }
  for (let round = 0; round < 6; round++) {
    const order = shuffled(sides, random)
    const games: { theirs: Candidate; ours: Listing }[] = []
    for (let i = 0; i + 1 < order.length; i += 2) {
      const [home, away] = [order[i] as SpeltSide, order[i + 1] as SpeltSide]
      const sites = [...home.bySite.keys()].filter((site) => away.bySite.has(site))
      const [one, two] = shuffled(sites, random)
      if (one === undefined || two === undefined) continue
      const say = (side: SpeltSide, site: string) => {
        const spellings = side.bySite.get(site) ?? []
        return spellings[random(spellings.length)] ?? side.name
      }
      games.push({
        theirs: candidate(`${i}`, say(home, one), say(away, one)),
        ours: listing(say(home, two), say(away, two)),
      })
    }
    const all = games.map(({ theirs }) => theirs)
    for (const [i, { theirs, ours }] of games.entries()) {
      const found = findMatch(ours, all, options)
      const absent = findMatch(ours, all.toSpliced(i, 1), options)
      tally.listed++
      if (absent || (found && (found.candidate !== theirs || found.swapped)))
        tally.wrong.push(`${ours.home} v ${ours.away}`)
      else if (found) tally.found++
    }
  }
}

function measure(sides: readonly SpeltSide[], withLeague: boolean): Tally {
  const tally: Tally = { listed: 0, found: 0, wrong: [] }
  for (const league of new Set(sides.map((side) => side.league)))
    play(
      sides.filter((side) => side.league === league),
      withLeague ? league || 'a league' : undefined,
      tally,
    )
  return tally
}

describe.skipIf(!hasAliases)('games as two sites list them (needs ../shared)', () => {
  const all = hasAliases ? [...readSites(), ...readColleges()] : []
  const isCollege = ({ league }: SpeltSide) => league === 'ncaab'

  test.each([
    ['soccer', 0.93, 0.88],
    ['tennis', 0.97, 0.95],
    ['handball', 0.95, 0.95],
    ['rugby', 0.97, 0.85],
    ['basketball', 0.96, 0.88],
    ['hockey', 0.96, 0.86],
    ['colleges', 0.98, 0.97],
  ])('%s: at least %d and %d of the games are found, none is another', (sport, tuned, heldOut) => {
    const own = all.filter((side) =>
      sport === 'colleges' ? isCollege(side) : side.sport === sport && !isCollege(side),
    )
    const figures = [false, true].map((isHeldOut) => {
      const half = own.filter((side) => side.isHeldOut === isHeldOut)
      const anywhere = measure(half, false)
      const { listed, found, wrong } = measure(half, true)
      expect([...wrong, ...anywhere.wrong]).toEqual([])
      return { recall: found / listed, listed }
    })
    const [first, second] = figures.map(({ recall, listed }) => `${recall.toFixed(4)} of ${listed}`)
    console.log(`sites, ${sport}: recall ${first} tuned, ${second} held out, 0 wrong`)
    expect(figures[0]?.recall).toBeGreaterThanOrEqual(tuned)
    expect(figures[1]?.recall).toBeGreaterThanOrEqual(heldOut)
  })

  test('similar names are never confused, nor reversed', () => {
    const wrong: string[] = []
    let alike = 0
    for (const sport of ['soccer', 'handball', 'rugby', 'basketball', 'hockey']) {
      const kind = nameKindOf(sport)
      const own = all.filter((side) => side.sport === sport)
      const spelt = own.flatMap((side) =>
        side.spellings.slice(0, 3).map((text) => ({ side, text, name: parseTeamName(text, kind) })),
      )
      for (const [i, a] of spelt.entries())
        for (const b of spelt.slice(0, i)) {
          if (a.side === b.side || a.name.key === b.name.key) continue
          if (!mayAgree(a.name.outline, b.name.outline)) continue
          if (compareNames(a.name, b.name) === 'different') continue
          alike++
          const found = findMatch(listing(b.text, a.text), [candidate('1', a.text, b.text)], {
            sport,
          })
          if (!found?.swapped) wrong.push(`${a.text} v ${b.text}`)
        }
    }
    console.log(
      `sites: ${alike} pairs of other teams alike in name, ${wrong.length} on the wrong side`,
    )
    expect(alike).toBeGreaterThan(100)
    expect(wrong).toEqual([])
  })

  test('a game of teams with names like both sides is another game', () => {
    const merged: string[] = []
    for (const sport of ['soccer', 'tennis', 'handball', 'rugby', 'basketball', 'hockey']) {
      const own = all.filter((side) => side.sport === sport && side.league === '')
      const heads = new Map<string, SpeltSide[]>()
      for (const side of own) {
        const head = side.name.toLowerCase().slice(0, 3)
        heads.set(head, [...(heads.get(head) ?? []), side])
      }
      const neighbours = [...heads.values()].filter((group) => group.length > 1)
      const first = (side: SpeltSide | undefined) => side?.spellings[0] ?? ''
      const lastOf = (side: SpeltSide | undefined) => side?.spellings.at(-1) ?? ''
      for (const [i, group] of neighbours.entries()) {
        const rivals = neighbours[(i + 1) % neighbours.length] ?? []
        const game = candidate('1', first(group[0]), first(rivals[0]))
        const other = listing(lastOf(group[1]), lastOf(rivals[1]))
        // Some teams are in the lists twice.
        const isTwice = group[0]?.spellings.some((text) => group[1]?.spellings.includes(text))
        if (!isTwice && findMatch(other, [game], { sport }))
          merged.push(`${other.home} v ${other.away}`)
      }
    }
    expect(merged).toEqual([])
  })
})
