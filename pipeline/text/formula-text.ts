/**
 * Texts in CSV files that a spreadsheet would read as a formula. An apostrophe before such a text
 * marks it as text; we remove it when we read the file. Cells that are numbers do not
 * come here.
 */

/**
 * Matches the beginning of such a text, after any apostrophes of its own, so that exactly the added
 * one is removed. Full-width signs begin a formula in Chinese and Japanese settings. ClickHouse
 * uses the same pattern.
 */
export const formulaStart = "^'*[=+\\-@\\t\\r\\n＝＋－＠]"

const isFormula = new RegExp(formulaStart)

export const guarded = (text: string): string => (isFormula.test(text) ? `'${text}` : text)

/** Undoes `guarded`; returns any other text unchanged. */
export const unguarded = (text: string): string =>
  text.startsWith("'") && isFormula.test(text) ? text.slice(1) : text
