/** Parses Server-Sent Events from text that arrives in pieces. */

export interface StreamEvent {
  readonly name: string
  readonly data: string
}

/**
 * @param onEvent called for each complete event with data
 * @returns a function that takes the next piece
 */
export function createFrameReader(onEvent: (event: StreamEvent) => void): (text: string) => void {
  let rest = ''
  return (text) => {
    rest += text
    for (;;) {
      const end = rest.indexOf('\n\n')
      if (end < 0) return
      const block = rest.slice(0, end)
      rest = rest.slice(end + 2)
      const event = eventIn(block)
      if (event) onEvent(event)
    }
  }
}

function eventIn(block: string): StreamEvent | null {
  let name = 'message'
  const data: string[] = []
  for (const line of block.split('\n')) {
    if (line.startsWith('event: ')) name = line.slice(7)
    else if (line.startsWith('data: ')) data.push(line.slice(6))
  }
  return data.length > 0 ? { name, data: data.join('\n') } : null
}
