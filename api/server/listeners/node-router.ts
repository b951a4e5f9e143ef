/** The router of the `node:http` listener: finds the handler of a request by the rules of `Served`. */

import type { Handler, Served, ServedPath } from '../listener.ts'

export interface Routed {
  readonly handle: Handler
  /** Path parameters as sent, in the order of the path. */
  readonly parameters: readonly string[]
}

export type Router = (method: string, path: string) => Routed

export function createRouter<State>({ paths, otherwise }: Served<State>): Router {
  const plain = new Map<string, Routed>()
  const patterns: { readonly served: ServedPath; readonly parts: readonly string[] }[] = []
  for (const served of paths) {
    if (served.path.includes('/:')) patterns.push({ served, parts: served.path.split('/') })
    else plain.set(`${served.method} ${served.path}`, { handle: served.handle, parameters: [] })
  }
  const none: Routed = { handle: otherwise, parameters: [] }
  return (method, path) => {
    const lower = method.toLowerCase()
    const exact = plain.get(`${lower} ${path}`)
    if (exact) return exact
    const segments = path.split('/')
    for (const { served, parts } of patterns) {
      if (served.method !== lower || parts.length !== segments.length) continue
      const parameters: string[] = []
      const isMatch = parts.every((part, i) => {
        if (!part.startsWith(':')) return part === segments[i]
        parameters.push(segments[i]!)
        return segments[i] !== ''
      })
      if (isMatch) return { handle: served.handle, parameters }
    }
    return none
  }
}
