/**
 * Writes fields of JSON in the order of a table of names. The code is compiled once: a loop over
 * the names would call another function each time, which costs 200 ns more per row head.
 */

import { word } from '../memory/compiled-members.ts'

/** The functions that return the JSON of each field; null leaves it out. */
export type MemberTexts<Names, Values> = {
  readonly [Name in keyof Names]: (of: Values) => string | null
}

/**
 * Writes the fields, each followed by a comma.
 * @param names an object whose fields have these names, in this order
 */
export const membersWriter =
  <Values>() =>
  <Names extends object>(
    names: Names,
    texts: MemberTexts<Names, Values>,
  ): ((of: Values) => string) => {
    const steps = Object.keys(names).map((name) => {
      const read = `text = texts.${word(name)}(of)`
      return `${read}\nif (text !== null) written += '"${name}":' + text + ','`
    })
    const body = `let written = ''\nlet text\n${steps.join('\n')}\nreturn written`
    const write = new Function('texts', `return (of) => {\n${body}\n}`)
    return write({ ...texts }) as (of: Values) => string
  }
