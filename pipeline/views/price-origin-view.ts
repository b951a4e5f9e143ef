/** The origin of the log's prices, as its deployment tells it: another one may take the log over at any time. */

import type { PriceOrigin } from '../../schemas/deployment.ts'
import { topics } from '../../schemas/topics.ts'
import { readTables, type TableView, takeRows } from './table.ts'

export interface PriceOriginView extends TableView {
  /** Null until a pipeline has written it. */
  readonly origin: PriceOrigin | null
}

/** @param atStart the origin until the log tells one */
export function createPriceOriginView(atStart: PriceOrigin | null): PriceOriginView {
  let origin = atStart
  return {
    ...readTables(
      takeRows(topics.deployments, (row, key) => {
        if (row && key === 'own') origin = row.prices
      }),
    ),
    get origin() {
      return origin
    },
    // A fresh replay has the row again; pages are served meanwhile.
    reset() {},
  }
}
