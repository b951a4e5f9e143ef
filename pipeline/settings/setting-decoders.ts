/** Decoders that settings share. Each message continues a sentence that begins with the variable. */

import { z } from 'zod'
import { readNamedFile } from './named-file.ts'

/** Returns the end of a sentence that begins with the variable: "OVERROUND_PORT must be …". */
export const mustBe = (what: string) => ({ error: `must be ${what}` })

export const numberThat = (what: string, is: (value: number) => boolean) =>
  z
    .string()
    .trim()
    // `Number` reads a blank text as 0.
    .min(1, mustBe(what))
    .transform(Number)
    .refine((value) => !Number.isNaN(value) && is(value), mustBe(what))

export const whole = (from: number, to: number) =>
  numberThat(
    `a whole number from ${from} to ${to}`,
    (value) => Number.isInteger(value) && value >= from && value <= to,
  )

export const within = (from: number, to: number) =>
  numberThat(`a number from ${from} to ${to}`, (value) => value >= from && value <= to)

export const oneOf = <const Names extends readonly [string, ...string[]]>(...names: Names) =>
  z.enum(names, mustBe(`one of ${names.join(', ')}`))

export const flag = z
  .enum(['true', 'false', '1', '0', 'on', 'off'], mustBe('on or off'))
  .transform((text) => text === 'true' || text === '1' || text === 'on')

export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
)

/**
 * Refuses a list that has an item twice, if that would matter, such as a feed that would run twice.
 */
export function refuseTwice(items: readonly string[], context: { addIssue(issue: string): void }) {
  const twice = items.find((item, place) => items.indexOf(item) < place)
  if (twice !== undefined) context.addIssue(`has ${twice} twice`)
}

/** A secret, never shown in responses, logs or messages. */
export const secret = z.string().min(1).optional()

/**
 * A token of an `Authorization` header. Blanks at its end are removed, as servers do in headers.
 * Other blanks, and characters beyond ASCII, cannot be sent.
 */
export const bearer = z
  .string()
  .overwrite((text) => text.trimEnd())
  .regex(/^[!-~]*$/, mustBe('ASCII letters, digits and signs without a blank'))

/** The name of a PEM file. It is read at once, so that its faults are reported with all others. */
export const pem = z
  .string()
  .min(1)
  .transform((path, context) => {
    try {
      const text = readNamedFile(path)
      if (text.includes('-----BEGIN ')) return text
      context.addIssue('must name a PEM file')
    } catch (error) {
      context.addIssue(`names a file that cannot be read: ${(error as Error).message}`)
    }
    return z.NEVER
  })
  .optional()

/** The optional parts of an address, besides scheme, host and port. */
type AddressPart = 'user' | 'path' | 'query'

/**
 * An address that has no parts other than `parts`. Otherwise code that uses it would ignore the
 * rest, or fail without naming the setting.
 * @param what completes "must be …"
 */
export const addressOf = (protocol: RegExp, what: string, parts: readonly AddressPart[]) =>
  z.url({ protocol, ...mustBe(what) }).superRefine((text, context) => {
    if (!URL.canParse(text)) return
    const { username, password, pathname, search, hash } = new URL(text)
    const has = {
      user: username !== '' || password !== '',
      path: pathname !== '' && pathname !== '/',
      query: search !== '',
    }
    const names = { user: 'a user or password', path: 'a path', query: 'a query (?…)' }
    for (const part of ['user', 'path', 'query'] as const) {
      if (has[part] && !parts.includes(part)) {
        context.addIssue(`must be ${what}, without ${names[part]}`)
      }
    }
    if (hash !== '') context.addIssue(`must be ${what}, without a fragment (#…)`)
    if (!isDecodable(username) || !isDecodable(password)) {
      context.addIssue('has a % in its user or password that is no escape: write it as %25')
    }
  })

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

export const httpAddress = (what: string, parts: readonly AddressPart[]) =>
  addressOf(/^https?$/, what, parts)

/**
 * Servers as host:port. The Kafka client splits at the first colon and cannot read IPv6 addresses.
 */
export const brokers = list
  .refine((items) => items.length > 0, 'has to name a broker, as in localhost:9092')
  .superRefine(refuseTwice)
  .superRefine((items, context) => {
    for (const item of items) {
      const [, host = '', port = ''] = /^([^:/?#@[\]\s]+):(\d{1,5})$/.exec(item) ?? []
      if (host !== '' && Number(port) >= 1 && Number(port) <= 65_535) continue
      context.addIssue(
        /^\[|:.*:/.test(item) && !item.includes('/')
          ? `names ${item}: the Kafka client takes no IPv6 address, but a host name that leads to one`
          : `names ${item}, which is no host:port, as in localhost:9092`,
      )
    }
  })
