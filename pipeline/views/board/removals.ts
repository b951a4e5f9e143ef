/** Which rows have gone lately: what a client that polls has to take out. */

import type { SelectionOrder } from './block.ts'
import type { Recent } from './recent.ts'
import type { EventBlock } from './view-event.ts'

export interface Removal {
  /** When it went, as `ChangeTimes` counts (epoch µs). */
  readonly stamp: number
  /** The number that its row had. */
  readonly row: number
  readonly id: number
  /** The sportsbook's number in the view. */
  readonly book: number
  /** The market it was one of, and with it the event. */
  readonly block: EventBlock
  readonly selection: SelectionOrder
}

export type Removals = Recent<Removal>
