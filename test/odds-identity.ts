import { offerText, selectionText } from '../schemas/ids.ts'
import type { OddsRow } from '../schemas/odds.ts'

type Identity = Pick<
  OddsRow,
  'sportsbook' | 'eventId' | 'marketType' | 'line' | 'playerName' | 'selectionType' | 'selection'
>

/** Returns the text that an odds id hashes. */
export function oddsIdentityText(of: Identity): string {
  const { marketType, line, playerName, selectionType, selection } = of
  return offerText(of) + selectionText(marketType, line, playerName, selectionType, selection)
}
