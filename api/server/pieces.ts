/**
 * Long work of requests in pieces, each charged to its caller. It fails if the board is read anew meanwhile: the rest
 * of it would describe an empty or a half-read board. It ends once its client has left, or its account has overdrawn
 * too much. Work that waits in between, as for the archive, runs in charged parts, which end like it.
 */

import type { Caller } from '../access/keys.ts'
import type { WorkBudget } from '../access/work-budget.ts'
import type { Boards } from '../boards.ts'
import { ClientGoneError } from '../errors.ts'
import type { Charged, InPieces } from '../route.ts'
import { boardIsLoading } from './admission.ts'
import type { Scheduler } from './scheduler.ts'

export interface PiecesParts {
  readonly scheduler: Scheduler
  readonly budget: Pick<WorkBudget, 'admit' | 'goOn' | 'run'>
  readonly boards: Pick<Boards, 'resetCount'>
}

/**
 * @returns a function that is called when a request is admitted; `isGone` tells whether its client has left
 */
export const createCharged =
  ({ parts, goOn }: Pick<WorkBudget, 'parts' | 'goOn'>) =>
  (caller: Caller | undefined, isGone: () => boolean): Charged => {
    const part = parts(caller)
    return (work, mustEnd = false) => {
      if (!mustEnd) {
        requireClient(isGone)
        if (caller) goOn(caller)
      }
      return part(work)
    }
  }

/** @throws ClientGoneError once the client has left */
function requireClient(isGone: () => boolean) {
  if (isGone()) throw new ClientGoneError('the client has left')
}

/**
 * @returns a function that is called when a request is admitted, while the board is ready; `isGone` tells whether the
 * client has left
 */
export const createPieces =
  ({ scheduler, budget, boards }: PiecesParts) =>
  (caller: Caller | undefined, isGone: () => boolean): InPieces => {
    const resetCount = boards.resetCount()
    function onSameBoard<Result>(work: () => Result): Result {
      if (boards.resetCount() !== resetCount) throw boardIsLoading()
      return budget.run(caller, work)
    }
    return (steps, finish) =>
      scheduler.run({
        account: caller?.accountId ?? '',
        charge(slice) {
          requireClient(isGone)
          if (caller) budget.goOn(caller)
          onSameBoard(slice)
        },
        admit: () => caller && budget.admit(caller),
        steps,
        finish: () => onSameBoard(finish),
      })
  }
