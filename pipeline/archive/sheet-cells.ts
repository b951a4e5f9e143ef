/** Texts of a result that may be a file for a spreadsheet, escaped as by `guarded` of `formula-text.ts`. */

import { formulaStart } from '../text/formula-text.ts'
import type { Parameters } from './archive.ts'

/** Returns the argument of `cell`. @param isSheet whether the file is for a spreadsheet */
export const sheetParameters = (isSheet: boolean): Parameters => ({
  is_csv: isSheet ? 1 : 0,
  formula_start: formulaStart,
})

/** Returns a column of text in a SELECT. */
export const cell = (column: string, name = column) =>
  `if({is_csv:UInt8} AND match(${column}, {formula_start:String}), concat('\\'', ${column}), ${column}) AS ${name}`
