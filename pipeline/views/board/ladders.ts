/**
 * How the selections of a block stand to each other, kept by selection number: which question each
 * answers, on which rung of its ladder of lines, and which of them are one side of the rung. A
 * question is one player (or none) and one team (or none) of a market; a rung is a line of it, named
 * by the home side's: home -1.5 and away +1.5 are one. Sides, rungs and questions have the number of
 * one of their selections.
 */

import { bisect } from '../../memory/bisect.ts'
import { grown } from '../../memory/grown.ts'
import { comparePlayers, type Selection } from './odds-rows.ts'

/** By selection number; 0 where there is no line. */
export interface LadderColumns {
  readonly sides: Int32Array
  readonly rungs: Int32Array
  readonly questions: Int32Array
  /** Of rungs. */
  readonly lines: Float64Array
}

export interface Ladders {
  /** As of the last `settle`. */
  readonly columns: LadderColumns
  /** A selection came into the block's, or went: `changed` itself may be among them or not. */
  renew(selections: readonly Selection[], changed: Selection): void
  /** Puts what was renewed in its places, many selections of a player at once. */
  settle(): void
}

export function createLadders(): Ladders {
  let sides = new Int32Array(1_024)
  let rungs = new Int32Array(1_024)
  let questions = new Int32Array(1_024)
  let lines = new Float64Array(1_024)
  /** Players whose selections changed, by the selections of their block. */
  const renewed = new Map<readonly Selection[], Set<string | null>>()

  function reserve(number: number) {
    if (number < sides.length) return
    const length = 2 * number
    sides = grown(sides, length)
    rungs = grown(rungs, length)
    questions = grown(questions, length)
    lines = grown(lines, length)
  }

  /** The selections of one player with a line, from the lowest. */
  function climb(selections: readonly Selection[], team: number) {
    const isUp = ({ selectionType }: Selection) =>
      selectionType !== 'away' && teamOf(selectionType) === team
    const up = selections.filter(isUp)
    const down =
      team === noTeam
        ? selections.filter(({ selectionType }) => selectionType === 'away').reverse()
        : []
    const question = (up[0] ?? down[0])?.number ?? 0
    let rung = 0
    let side = 0
    let at = Number.NaN
    let type = ''
    function join({ number, selectionType }: Selection, line: number) {
      const isSame = line === at
      if (!isSame) rung = number
      // Selections of one type stand together, whatever their labels.
      if (!isSame || selectionType !== type) side = number
      at = line
      type = selectionType
      questions[number] = question
      rungs[number] = rung
      sides[number] = side
      lines[rung] = line
    }
    for (let i = 0, j = 0; i < up.length || j < down.length; ) {
      const line = up[i]?.line ?? Number.POSITIVE_INFINITY
      const turned = j < down.length ? 0 - down[j]!.line! : Number.POSITIVE_INFINITY
      if (line <= turned) join(up[i++]!, line)
      else join(down[j++]!, turned)
    }
  }

  return {
    get columns() {
      return { sides, rungs, questions, lines }
    },
    renew(selections, changed) {
      reserve(changed.number)
      sides[changed.number] = 0
      rungs[changed.number] = 0
      questions[changed.number] = 0
      const { line, playerName } = changed
      if (line === null) return
      const players = renewed.get(selections)
      if (players) players.add(playerName)
      else renewed.set(selections, new Set([playerName]))
    },
    settle() {
      for (const [selections, players] of renewed) {
        for (const playerName of players) renewPlayer(selections, playerName)
      }
      renewed.clear()
    },
  }

  function renewPlayer(selections: readonly Selection[], playerName: string | null) {
    const from = bisect(
      0,
      selections.length,
      (at) => comparePlayers(selections[at]!.playerName, playerName) < 0,
    )
    let to = from
    let teams = 0
    for (; to < selections.length && selections[to]!.playerName === playerName; to++) {
      teams |= 1 << teamOf(selections[to]!.selectionType)
    }
    const ofPlayer = selections.slice(from, to).filter(({ line: other }) => other !== null)
    for (const team of [noTeam, homeTeam, awayTeam]) {
      if ((teams & (1 << team)) !== 0) climb(ofPlayer, team)
    }
  }
}

const noTeam = 0
const homeTeam = 1
const awayTeam = 2

function teamOf(selectionType: string): number {
  if (selectionType.startsWith('home_')) return homeTeam
  return selectionType.startsWith('away_') ? awayTeam : noTeam
}
