/** The fields of the form that adds a live source, from the JSON Schema of the source's settings. */

import type { SettingSchema, SettingsSchema } from '../../wire.ts'

/**
 * - `texts`, `numbers`: a list, separated by commas.
 * - `json`: anything else, as JSON.
 */
type Kind = 'text' | 'secret' | 'number' | 'flag' | 'choice' | 'texts' | 'numbers' | 'json'

export interface Field {
  readonly name: string
  readonly kind: Kind
  readonly description: string
  readonly isRequired: boolean
  /** Values of a choice, or those that a list may have. */
  readonly values: readonly string[]
}

export function fieldsOf({ properties, required = [] }: SettingsSchema): Field[] {
  return Object.entries(properties).map(([name, schema]) => {
    const one = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema
    return {
      name,
      kind: kindOf(one),
      // Pages have no code in lines of text.
      description: (schema.description ?? '').replaceAll('`', ''),
      isRequired: required.includes(name),
      values: one.enum ?? one.items?.enum ?? [],
    }
  })
}

function kindOf({ type, enum: values, writeOnly, items }: SettingSchema): Kind {
  if (values) return 'choice'
  if (type === 'string') return writeOnly ? 'secret' : 'text'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'boolean') return 'flag'
  if (type === 'array' && items?.type === 'string') return 'texts'
  if (type === 'array' && items?.type === 'integer') return 'numbers'
  return 'json'
}

/** Returns what a field shows for a value of the settings. */
export function textOf({ kind }: Field, value: unknown): string {
  if (value === undefined) return ''
  if (kind === 'json') return JSON.stringify(value)
  return Array.isArray(value) ? value.join(', ') : String(value)
}

/**
 * Returns the settings of a filled form. Empty fields are left out, and the service checks all values.
 * @throws Error naming a field that is not JSON
 */
export function settingsOf(
  fields: readonly Field[],
  texts: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const filled = fields.flatMap((field) => {
    const text = texts[field.name]?.trim() ?? ''
    return text === '' ? [] : [[field.name, typedValue(field, text)] as const]
  })
  return Object.fromEntries(filled)
}

function typedValue({ kind, name }: Field, text: string): unknown {
  const parts = () =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
  switch (kind) {
    case 'number':
      return numberOf(text)
    case 'flag':
      return text === 'true'
    case 'texts':
      return parts()
    case 'numbers':
      return parts().map(numberOf)
    case 'json':
      return jsonOf(name, text)
    default:
      return text
  }
}

/** Returns a text that is no number as it is: the service names what is wrong with it. */
function numberOf(text: string): number | string | null {
  if (text === 'null') return null
  const number = Number(text)
  return Number.isNaN(number) ? text : number
}

function jsonOf(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`${name} is not JSON.`)
  }
}
