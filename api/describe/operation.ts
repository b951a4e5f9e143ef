/** What the OpenAPI document describes: a route, or a stream, without what answers it. */

import type { Access, Declared, TakenBody } from '../route.ts'

export interface Operation extends Declared {
  readonly kind: 'read' | 'action' | 'stream'
  readonly access: Access
  readonly body?: TakenBody
}
