/**
 * Restored rows of an earlier version that this version would write differently. Rows whose label,
 * outcome or line would differ are withdrawn; rows that now belong to another question are moved to
 * it. This happens with the first record, because rows cannot be written before.
 */

import type { FeedMarket, OddsRecord } from '../../../schemas/feed-record.ts'
import type { OddsRow } from '../../../schemas/odds.ts'
import { rowType } from '../../../schemas/reference/markets.ts'
import { outcomeIn } from '../../rules/odds/outcome-words.ts'
import { flipLine, flipSelectionType, homeLine } from '../../rules/odds/questions.ts'
import { lineIn } from '../../rules/odds/stated-market.ts'
import { typeWithDraw } from '../../rules/odds/three-ways.ts'
import type { Offer } from '../events/offer.ts'

/** Where a price comes from: a statement, or values stored from earlier ones. */
export interface Observed
  extends Pick<OddsRecord, 'sportsbook' | 'mode' | 'observedAt' | 'markets'> {
  readonly event: Pick<OddsRecord['event'], 'isLive' | 'startsAt'>
}

export interface OutdatedRows {
  /**
   * Remembers a restored row if this version would write it differently.
   * @param isReworded whether this version gives it another label
   */
  note(offer: Offer, row: OddsRow, isReworded: boolean): void
  /** Withdraws or moves the remembered rows. A draw also moves home and away of its rung. */
  update(): void
}

/** @param refile moves the rows on a rung to another question */
export function createOutdatedRows(
  withdraw: (offer: Offer, id: number) => void,
  refile: (
    offer: Offer,
    record: Observed,
    from: Pick<FeedMarket, 'marketType' | 'playerName'>,
    to: string,
    rung: number | null,
    isByMore: boolean,
  ) => void,
): OutdatedRows {
  let reworded: { readonly offer: Offer; readonly id: number }[] = []
  /** Rows that now belong to another question. */
  let misfiled: { readonly offer: Offer; readonly row: OddsRow }[] = []

  function move(offer: Offer, row: OddsRow) {
    const { sportsbook, observedAt, isLive, marketType, selectionType } = row
    const { sport, startsAt } = offer.event.row
    const outcome = offer.swapped ? flipSelectionType(selectionType, marketType) : selectionType
    const line = offer.swapped ? flipLine(selectionType, row.line, marketType) : row.line
    const rung = homeLine(marketType, outcome, line)
    const event = { isLive, startsAt }
    const from = { sportsbook, observedAt, mode: 'delta', markets: [], event } as const
    const drawn = drawnTypeOf(row, sport)
    refile(offer, from, row, drawn ?? rowType(marketType), rung, drawn !== null)
  }

  return {
    note(offer, row, isReworded) {
      const { sport } = offer.event.row
      const current = readAgain(row, sport)
      if (isReworded || current !== row) reworded.push({ offer, id: row.id })
      const isMisfiled =
        drawnTypeOf(current, sport) !== null || rowType(row.marketType) !== row.marketType
      if (isMisfiled) misfiled.push({ offer, row: current })
    },
    update() {
      for (const { offer, id } of reworded) withdraw(offer, id)
      reworded = []
      if (misfiled.length === 0) return
      const rows = misfiled
      misfiled = []
      for (const { offer, row } of rows) if (isDraw(row)) move(offer, row)
      for (const { offer, row } of rows) if (!isDraw(row)) move(offer, row)
    },
  }
}

const isDraw = ({ selectionType }: OddsRow) => selectionType === 'draw'

/**
 * Returns the type with a draw for the row of a draw; null for other rows, and for a draw that does
 * not change the question.
 */
const drawnTypeOf = (row: OddsRow, sport: string) =>
  isDraw(row) ? typeWithDraw(row.marketType, sport) : null

/** Returns a row as this version would read its statement; the same object if nothing differs. */
function readAgain(row: OddsRow, sport: string): OddsRow {
  const selectionType = outcomeIn(row.marketType, row.selectionType, sport)
  const line = lineIn(row.marketType, row.line)
  const isSame = selectionType === row.selectionType && line === row.line
  return isSame ? row : { ...row, selectionType, line }
}
