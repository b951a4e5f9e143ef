/** Sends a file of bets. */

import type { TakenFile } from '../../wire.ts'
import { sendFile } from './rest.ts'

/** How to read what a file leaves open, by the names of the service's parameters; empty: as the file shows. */
export interface FileReading {
  readonly sportsbook: string
  readonly league: string
  readonly date_order: string
  readonly decimal: string
  readonly odds_format: string
}

/** @param timeZone of times without one */
export async function sendBetFile(
  file: File,
  reading: FileReading,
  timeZone: string,
): Promise<TakenFile> {
  const query = new URLSearchParams({ time_zone: timeZone, other_columns: 'ignore' })
  for (const [name, value] of Object.entries(reading)) if (value !== '') query.set(name, value)
  const type = /\.json$/i.test(file.name) ? 'application/json' : 'text/csv'
  const { data } = await sendFile<{ data: TakenFile }>(`/account/bets?${query}`, type, file)
  return data
}
