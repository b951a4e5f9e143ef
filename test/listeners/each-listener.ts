/** The listeners that load on this machine, with a bare server on each to test their contract. */

import { type ConnectionCap, uncapped } from '../../api/server/connection-cap.ts'
import type {
  Handler,
  Listener,
  Response,
  ServedPath,
  Websockets,
} from '../../api/server/listener.ts'
import type { ListenerName } from '../../api/server/listeners/choose-listener.ts'
import { chooseListener, listenerNames } from '../../api/server/listeners/choose-listener.ts'
import { createUnsent, type Unsent } from '../../api/server/unsent.ts'

export interface Loaded {
  readonly name: ListenerName
  /** The reason why it cannot be tested here; null if it can. */
  readonly missing: string | null
}

/** All listeners, so that one that does not load is skipped by name. */
export const allListeners: readonly Loaded[] = await Promise.all(
  listenerNames.map((name) =>
    chooseListener(name).then(
      () => ({ name, missing: null }),
      (error: Error) => ({ name, missing: error.message }),
    ),
  ),
)

export interface Bare extends Listener {
  readonly unsent: Unsent
}

export interface BareOptions {
  readonly paths?: readonly ServedPath[]
  readonly websockets?: Websockets<unknown>
  readonly unsent?: Unsent
  readonly cap?: ConnectionCap
}

const notFound: Handler = (response, request) =>
  response.send(404, 'X-A: b', `no ${request.getMethod()} ${request.getUrl()}`, false)
const misframed = (response: Response) => response.send(400, 'X-A: b', 'misframed', true)
const noWebsockets: Websockets<unknown> = {
  mostMessageBytes: 1_024,
  isCompressing: true,
  upgrade: () => null,
  open() {},
  message() {},
  drained() {},
  closed() {},
}

/** Opens a bare server, with WebSockets at `/ws`. */
export async function openBare(name: ListenerName, options: BareOptions): Promise<Bare> {
  const { open } = await chooseListener(name)
  const { paths = [], websockets, unsent = createUnsent(), cap = uncapped } = options
  const served = {
    paths,
    websocketPaths: websockets ? ['/ws'] : [],
    websockets: websockets ?? noWebsockets,
    otherwise: notFound,
    misframed,
    unread: '',
  }
  const listener = await open({ host: '127.0.0.1', port: 0 }, served, unsent, cap)
  if (!listener) throw new Error('no port to listen on')
  return { ...listener, unsent }
}
