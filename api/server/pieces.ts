/**
 * Long work of requests in pieces, each charged to its caller. It fails if the board is read anew meanwhile: the rest
 * of it would describe an empty or a half-read board.
 */

import type { Caller } from '../access/keys.ts'
import type { WorkBudget } from '../access/work-budget.ts'
import type { Boards } from '../boards.ts'
import type { InPieces } from '../route.ts'
import { boardIsLoading } from './admission.ts'
import type { Scheduler } from './scheduler.ts'

export interface PiecesParts {
  readonly scheduler: Scheduler
  readonly budget: Pick<WorkBudget, 'admit' | 'run'>
  readonly boards: Pick<Boards, 'resetCount'>
}

/** @returns a function that is called when a request is admitted, while the board is ready */
export const createPieces =
  ({ scheduler, budget, boards }: PiecesParts) =>
  (caller: Caller | undefined): InPieces => {
    const resetCount = boards.resetCount()
    function onSameBoard<Result>(work: () => Result): Result {
      if (boards.resetCount() !== resetCount) throw boardIsLoading()
      return budget.run(caller, work)
    }
    return (steps, finish) =>
      scheduler.run({
        account: caller?.accountId ?? '',
        charge: onSameBoard,
        admit: () => caller && budget.admit(caller),
        steps,
        finish: () => onSameBoard(finish),
      })
  }
