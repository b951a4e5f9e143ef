/**
 * Texts that a spreadsheet would read as a formula, in files of CSV. Such a text is marked as text by an apostrophe
 * before it, which is removed when we read the file. Numbers are no texts.
 */

/**
 * The beginning of such a text, after apostrophes of its own: the added one is removed again. Full-width signs are
 * formulas where the spreadsheet is set to Chinese or Japanese. ClickHouse uses the same text.
 */
export const formulaStart = "^'*[=+\\-@\\t\\r\\n＝＋－＠]"

const isFormula = new RegExp(formulaStart)

export const guarded = (text: string): string => (isFormula.test(text) ? `'${text}` : text)

/** Returns the text before `guarded`; any other text unchanged. */
export const unguarded = (text: string): string =>
  text.startsWith("'") && isFormula.test(text) ? text.slice(1) : text
