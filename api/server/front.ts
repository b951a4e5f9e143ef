/** What the handlers of all routes share: who is let in, how work is charged, and how answers go out. */

import type { Logger } from 'pino'
import type { Caller } from '../access/keys.ts'
import type { WorkBudget } from '../access/work-budget.ts'
import type { Accepted } from '../answer/codings.ts'
import type { Answer, InPieces } from '../route.ts'
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
  /** The codings that a request takes. */
  acceptedBy(request: Request): Accepted
  /** Counts an answer that is sent by its handler. */
  count(headers: SentHeaders, status?: number): void
  /** @returns the answer to what was thrown */
  failure(error: unknown, requestId: string): Answer
  /** Work of a caller, or of an address without a key, which is not charged. */
  piecesOf(caller: Caller | undefined): InPieces
  /** @param isLast the connection closes behind it */
  send(response: Response, answer: Answer, headers: SentHeaders, isLast?: boolean): void
}
