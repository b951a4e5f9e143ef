/** The example of a row of odds, from the columns. */

import { oddsItem } from '../odds.ts'
import { exampleColumns } from '../odds-columns.ts'

export const exampleOdds = oddsItem.parse(exampleColumns)
