/**
 * Chooses the listener: the configured one, or the first that loads. The binaries of uWebSockets.js are optional
 * packages and do not exist for every machine.
 */

import { createRequire } from 'node:module'
import { StartError } from '../../../pipeline/settings/config.ts'
import type { OpenListener } from '../listener.ts'
import { openNode } from './node.ts'
import { uwsListener } from './uws.ts'
import type { Uws } from './uws-package.ts'

const require = createRequire(import.meta.url)

/** Names of listeners, best first. */
export const listenerNames = ['uws', 'uws-older', 'node'] as const
export type ListenerName = (typeof listenerNames)[number]

export interface ChosenListener {
  readonly name: ListenerName
  readonly open: OpenListener
  readonly server: string
  /** Unsupported features; `docs/listeners.md` has the table. */
  readonly lacks: string
  /** Why better listeners did not load, and how to get them; null for the best one or a configured one. */
  readonly better: string | null
}

interface Known {
  readonly server: string
  readonly lacks: string
  load(): Promise<OpenListener>
}

const listeners: Readonly<Record<ListenerName, Known>> = {
  uws: {
    server: 'uWebSockets.js 20.57',
    lacks: 'HTTP/1.0',
    load: () => loadUws('@btc-vision/uwebsockets.js'),
  },
  'uws-older': {
    server: 'uWebSockets.js of early 2024',
    lacks: 'HTTP/1.0; request lines in several segments; header names with . _ or !',
    load: () => loadUws('uWebSockets.js'),
  },
  node: {
    server: `node:http of Node ${process.versions.node}`,
    lacks: 'speed',
    load: async () => openNode,
  },
}

/** Limit of a request's head. The package's default is too small for a long address with a cursor. */
const headBytes = '16384'

/**
 * Loads a package without an import. For an import, the compiler would look for the optional
 * package, and Node 20 ends the process if a module below an imported one throws.
 */
async function loadUws(name: string): Promise<OpenListener> {
  // Read by the package when it loads.
  process.env.UWS_HTTP_MAX_HEADERS_SIZE = headBytes
  return uwsListener(require(name) as Uws)
}

/** @throws StartError if the configured one does not load */
export async function chooseListener(wanted: ListenerName | 'auto'): Promise<ChosenListener> {
  const missed: string[] = []
  for (const name of wanted === 'auto' ? listenerNames : [wanted]) {
    const { server, lacks, load } = listeners[name]
    try {
      const open = await load()
      return { name, open, server, lacks, better: missed.length > 0 ? missed.join(' ') : null }
    } catch (error) {
      missed.push(`${server} does not load here: ${remedy(error as Error)}.`)
    }
  }
  throw new StartError(missed.join(' '))
}

/** Returns why a package did not load, and the remedy. */
function remedy({ message }: Error): string {
  const glibc = /version `(GLIBC_[\d.]+)' not found/.exec(message)?.[1]
  if (glibc) {
    return `it needs ${glibc.replace('_', ' ')} or newer, as in Debian 13, Ubuntu 24.04 or RHEL 10`
  }
  if (/Cannot find (package|module '[^.])/.test(message)) {
    return 'it is not installed; npm ci without --omit=optional does'
  }
  if (/Cannot find module '\.\/uws_/.test(message)) {
    return `it has no binary for Node ${process.versions.node} on ${process.platform} ${process.arch}; Node 20, 22 and 24 on Linux with glibc have one`
  }
  return message.split('\n').at(-1) ?? message
}
