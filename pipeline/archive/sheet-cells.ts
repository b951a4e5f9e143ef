/** Texts of an answer that may be a file for a spreadsheet, as `guarded` of `formula-text.ts` has them. */

import { formulaStart } from '../text/formula-text.ts'
import type { Parameters } from './archive.ts'

/** The argument of `cell`. @param isSheet whether the file is for a spreadsheet */
export const sheetParameters = (isSheet: boolean): Parameters => ({
  is_csv: isSheet ? 1 : 0,
  formula_start: formulaStart,
})

/** A column of text in a SELECT. */
export const cell = (column: string, name = column) =>
  `if({is_csv:UInt8} AND match(${column}, {formula_start:String}), concat('\\'', ${column}), ${column}) AS ${name}`
