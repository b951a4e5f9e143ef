/** An operation of the OpenAPI document: a route without its handler, or a stream. */

import type { Access, Declared, TakenBody } from '../route.ts'

export interface Operation extends Declared {
  readonly kind: 'read' | 'action' | 'stream'
  readonly access: Access
  readonly body?: TakenBody
}
