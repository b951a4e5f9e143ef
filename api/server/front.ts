/** The parts that the handlers of all routes share. */

import type { Logger } from 'pino'
import type { Caller } from '../access/keys.ts'
import type { WorkBudget } from '../access/work-budget.ts'
import type { Accepted } from '../answer/codings.ts'
import type { Answer, Charged, InPieces } from '../route.ts'
import type { Admission } from './admission.ts'
import type { SentHeaders } from './answer.ts'
import type { ClientOf } from './client.ts'
import type { CodeAnswer } from './coded-answer.ts'
import type { CorsPolicy } from './cors.ts'
import type { Request, Response } from './listener.ts'
import type { SandboxDoor } from './sandbox-door.ts'
import type { UnderWay } from './under-way.ts'

export interface Front {
  readonly admission: Admission
  readonly budget: WorkBudget
  readonly clientOf: ClientOf
  readonly clock: () => number
  readonly code: CodeAnswer
  readonly cors: CorsPolicy
  readonly door: SandboxDoor
  readonly logger: Logger
  readonly underWay: UnderWay
  /** Returns the codings that a request accepts. */
  acceptedBy(request: Request): Accepted
  /** Counts a response that its handler sends itself, and completes its headers. Called before they are written. */
  begun(headers: SentHeaders, status?: number): void
  /** @returns the response to a thrown error, made at the cost of the caller */
  failure(error: unknown, headers: SentHeaders): Answer
  /**
   * Charges work in parts.
   * @param isGone whether the client has left
   */
  chargedTo(caller: Caller | undefined, isGone: () => boolean): Charged
  /**
   * Schedules long work in slices.
   * @param caller undefined: charge no one
   * @param isGone whether the client has left
   */
  piecesOf(caller: Caller | undefined, isGone: () => boolean): InPieces
  /** @param isLast close the connection afterwards */
  send(response: Response, answer: Answer, headers: SentHeaders, isLast?: boolean): void
}
