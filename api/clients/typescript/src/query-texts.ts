/** Query parameters of reads and of streams. */

/**
 * Joins lists with commas, and leaves out undefined and null.
 * @throws TypeError for an empty list or text: left out, a filter that names nothing would become no filter
 */
export function queryTexts(query: object): URLSearchParams {
  const texts = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue
    const text = String(value)
    if (text === '') {
      const kind = typeof value === 'string' ? 'text' : 'list'
      throw new TypeError(`${name} is an empty ${kind}; leave it out for all`)
    }
    texts.set(name, text)
  }
  return texts
}
