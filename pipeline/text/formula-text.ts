/**
 * Texts that a spreadsheet would read as a formula, in files of CSV. Such a text is marked as text by
 * an apostrophe before it, and loses that again when we read the file. Numbers are no texts.
 */

/**
 * How such a text begins, after apostrophes of its own: then one more is the one to take away. Full-width
 * signs are formulas where the spreadsheet is set to Chinese or Japanese. For ClickHouse it is the same text.
 */
export const formulaStart = "^'*[=+\\-@\\t\\r\\n＝＋－＠]"

const isFormula = new RegExp(formulaStart)

export const guarded = (text: string): string => (isFormula.test(text) ? `'${text}` : text)

/** The text that `guarded` made this of; any other as it is. */
export const unguarded = (text: string): string =>
  text.startsWith("'") && isFormula.test(text) ? text.slice(1) : text
