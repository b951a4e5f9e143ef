/**
 * How the selections of a block stand to each other, kept by selection number: which question each
 * answers, on which rung of its ladder of lines (`rules/questions.ts`), and which of them are one side
 * of the rung: the same answer under different labels. Sides, rungs and questions have the number of
 * one of their selections.
 */

import { bisect } from '../../memory/bisect.ts'
import { grown } from '../../memory/grown.ts'
import { isHandicap, teamOf } from '../../rules/questions.ts'
import { type Block, comparePlayers, type Selection } from './block.ts'

/** What a ladder needs of a block. */
export type Selections = Pick<Block, 'marketType' | 'selections'>

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
  renew(block: Selections, changed: Selection): void
  /** Puts changed selections in their places, those of a player together. */
  settle(): void
}

export function createLadders(): Ladders {
  let sides = new Int32Array(1_024)
  let rungs = new Int32Array(1_024)
  let questions = new Int32Array(1_024)
  let lines = new Float64Array(1_024)
  /** Players whose selections changed, by block. */
  const renewed = new Map<Selections, Set<string | null>>()

  function reserve(number: number) {
    if (number < sides.length) return
    const length = 2 * number
    sides = grown(sides, length)
    rungs = grown(rungs, length)
    questions = grown(questions, length)
    lines = grown(lines, length)
  }

  /**
   * Numbers the selections of one question, from the lowest rung. In a handicap away's lines are
   * turned, so their order is too.
   * @param selections those with a line, from the lowest line
   */
  function climb(selections: readonly Selection[], hasTurnedLines: boolean) {
    const isTurned = ({ selectionType }: Selection) => hasTurnedLines && selectionType === 'away'
    const up = selections.filter((selection) => !isTurned(selection))
    const down = selections.filter(isTurned).reverse()
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
    renew(block, changed) {
      reserve(changed.number)
      sides[changed.number] = 0
      rungs[changed.number] = 0
      questions[changed.number] = 0
      const { line, playerName } = changed
      if (line === null) return
      const players = renewed.get(block)
      if (players) players.add(playerName)
      else renewed.set(block, new Set([playerName]))
    },
    settle() {
      for (const [block, players] of renewed) {
        for (const playerName of players) renewPlayer(block, playerName)
      }
      renewed.clear()
    },
  }

  function renewPlayer({ marketType, selections }: Selections, playerName: string | null) {
    const from = bisect(
      0,
      selections.length,
      (at) => comparePlayers(selections[at]!.playerName, playerName) < 0,
    )
    const byTeam = new Map<string | null, Selection[]>()
    for (let at = from; selections[at]?.playerName === playerName; at++) {
      const selection = selections[at]!
      if (selection.line === null) continue
      const team = teamOf(selection.selectionType)
      const others = byTeam.get(team)
      if (others) others.push(selection)
      else byTeam.set(team, [selection])
    }
    const hasTurnedLines = isHandicap(marketType)
    for (const ofTeam of byTeam.values()) climb(ofTeam, hasTurnedLines)
  }
}
