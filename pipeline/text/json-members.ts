/**
 * Fields of JSON, written in the order of a table of names. The code is compiled once: in a loop over the names each
 * call goes to another function, and a row's head takes 200 ns more.
 */

import { word } from '../memory/compiled-members.ts'

/** Returns the JSON of each field; null leaves it out. */
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
