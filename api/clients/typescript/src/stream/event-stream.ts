/** Parses Server-Sent Events (HTML standard) with lines ending in LF or CRLF. */

export interface EventBlock {
  /** Name of the event; empty without one. */
  readonly event: string
  /** The block's own id; undefined without one. */
  readonly id: string | undefined
  readonly data: string
}

export interface EventStreamHandlers {
  block(block: EventBlock): void
  /** Called when the service sets the wait before the next connection (ms). */
  retry?(ms: number): void
}

/** @returns a function that takes the bytes in chunks of any size */
export function createEventStreamParser({ block, retry }: EventStreamHandlers) {
  const decoder = new TextDecoder()
  let rest = ''
  let event = ''
  let id: string | undefined
  let data: string | undefined

  function line(text: string) {
    if (text === '') {
      // The standard drops a block without data.
      if (data !== undefined) block({ event, id, data })
      event = ''
      id = undefined
      data = undefined
      return
    }
    const colon = text.indexOf(':')
    if (colon === 0) return
    const field = colon < 0 ? text : text.slice(0, colon)
    const value = colon < 0 ? '' : text.slice(text[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'event') event = value
    else if (field === 'data') data = data === undefined ? value : `${data}\n${value}`
    else if (field === 'id') id = value
    else if (field === 'retry' && /^\d+$/.test(value)) retry?.(Number(value))
  }

  return (bytes: Uint8Array) => {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const text of lines) line(text.endsWith('\r') ? text.slice(0, -1) : text)
  }
}
