/** A body under construction: UTF-8 bytes that are appended to. */

/** The bytes; they grow as needed and are reused for the next page. */
export interface PageBuffer {
  bytes: Buffer
  length: number
}

export function createPageBuffer(): PageBuffer {
  return { bytes: Buffer.allocUnsafeSlow(256 * 1024), length: 0 }
}

/** Makes room for `more` bytes after `length`. */
export function reserve(page: PageBuffer, more: number) {
  if (page.length + more <= page.bytes.length) return
  const bytes = Buffer.allocUnsafeSlow(2 * (page.length + more))
  page.bytes.copy(bytes, 0, 0, page.length)
  page.bytes = bytes
}

export function appendText(page: PageBuffer, text: string) {
  reserve(page, 3 * text.length)
  if (text.length > fewCharacters || !appendAscii(page, text)) {
    page.length += page.bytes.write(text, page.length)
  }
}

/** Up to this many characters, a loop is faster than a call of the runtime's own write. */
const fewCharacters = 64

/** @returns false, and appends nothing, if a character is not ASCII */
function appendAscii(page: PageBuffer, text: string): boolean {
  const { bytes, length } = page
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code > 0x7f) return false
    bytes[length + i] = code
  }
  page.length = length + text.length
  return true
}

/** Appends a few bytes: a loop is faster than the runtime's own copy, or than writing a text. */
export function appendFew(page: PageBuffer, few: Uint8Array) {
  reserve(page, few.length)
  const { bytes, length } = page
  for (let i = 0; i < few.length; i++) bytes[length + i] = few[i]!
  page.length = length + few.length
}

export function appendBytes(page: PageBuffer, bytes: Buffer) {
  reserve(page, bytes.length)
  page.length += bytes.copy(page.bytes, page.length)
}
