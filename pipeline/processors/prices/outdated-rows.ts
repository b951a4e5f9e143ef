/**
 * Rows that this build would write otherwise than an earlier one did: a label told them apart where now the type does,
 * their outcome was not read, or they are filed under another question. They are filed anew with the first record,
 * since nothing can be written before.
 */

import type { FeedMarket, OddsRecord } from '../../../schemas/feed-record.ts'
import type { OddsRow } from '../../../schemas/odds.ts'
import { rowType } from '../../../schemas/reference/markets.ts'
import { outcomeIn } from '../../rules/odds/outcome-words.ts'
import { flipLine, flipSelectionType, homeLine } from '../../rules/odds/questions.ts'
import { lineIn } from '../../rules/odds/stated-market.ts'
import { typeWithDraw } from '../../rules/odds/three-ways.ts'
import type { Offer } from '../events/offer.ts'

/** The source of a price: a statement, or values kept from earlier ones. */
export interface Observed
  extends Pick<OddsRecord, 'sportsbook' | 'mode' | 'observedAt' | 'markets'> {
  readonly event: Pick<OddsRecord['event'], 'isLive' | 'startsAt'>
}

export interface OutdatedRows {
  /** Remembers a restored row that this build would write otherwise. @param isReworded whether its label is another */
  note(offer: Offer, row: OddsRow, isReworded: boolean): void
  /** Files the rows anew. A draw moves the sides of its rung too. */
  file(): void
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
  /** Rows under a question that they would not be filed under now. */
  let misfiled: { readonly offer: Offer; readonly row: OddsRow }[] = []

  function fileAnew(offer: Offer, row: OddsRow) {
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
      const read = asReadRow(row, sport)
      if (isReworded || read !== row) reworded.push({ offer, id: row.id })
      const isMisfiled =
        drawnTypeOf(read, sport) !== null || rowType(row.marketType) !== row.marketType
      if (isMisfiled) misfiled.push({ offer, row: read })
    },
    file() {
      for (const { offer, id } of reworded) withdraw(offer, id)
      reworded = []
      if (misfiled.length === 0) return
      const rows = misfiled
      misfiled = []
      for (const { offer, row } of rows) if (isDraw(row)) fileAnew(offer, row)
      for (const { offer, row } of rows) if (!isDraw(row)) fileAnew(offer, row)
    },
  }
}

const isDraw = ({ selectionType }: OddsRow) => selectionType === 'draw'

/**
 * Returns the type with a draw for a draw's row; null for any other row, and for a draw that does not change the
 * question.
 */
const drawnTypeOf = (row: OddsRow, sport: string) =>
  isDraw(row) ? typeWithDraw(row.marketType, sport) : null

/** Returns a row as its statement would be read now; the same row where nothing differs. */
function asReadRow(row: OddsRow, sport: string): OddsRow {
  const selectionType = outcomeIn(row.marketType, row.selectionType, sport)
  const line = lineIn(row.marketType, row.line)
  const isSame = selectionType === row.selectionType && line === row.line
  return isSame ? row : { ...row, selectionType, line }
}
