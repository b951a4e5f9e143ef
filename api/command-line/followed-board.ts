/**
 * The live board of a command. If the service is down or refuses the stream, the command ends with
 * the reason.
 */

import {
  type Client,
  type Ended,
  type LiveBoard,
  OverroundError,
} from '../clients/typescript/src/index.ts'

/** @param ended also resolves the wait for a service that does not respond */
export async function requireService(client: Client, ended: AbortSignal): Promise<void> {
  // A stream would wait for a service that is down; a command reports it.
  await Promise.race([client.get('/livez'), aborted(ended)])
}

/**
 * Follows the board until `ended` aborts. The stream may fail later too, for example when its key is revoked.
 * @param follow is called when the first snapshot is complete; returns what is to be done at the end
 * @throws OverroundError when there is no service, or it refuses the stream
 */
export async function followBoard(
  client: Client,
  filters: Parameters<Client['board']>[0],
  ended: AbortSignal,
  follow: (board: LiveBoard) => () => void,
): Promise<void> {
  await requireService(client, ended)
  if (ended.aborted) return
  let onFailure = (_: Ended) => {}
  const failed = new Promise<never>((_, reject) => {
    onFailure = (why) => reject(new OverroundError({ ...why, requestId: null, details: {} }))
  })
  const board = client.board(filters, { onFailure })
  let finish = () => {}
  try {
    await Promise.race([board.ready, aborted(ended), failed])
    if (ended.aborted) return
    finish = follow(board)
    await Promise.race([aborted(ended), failed])
  } finally {
    finish()
    board.close()
  }
}

/** Leaves out the empty lists of a command, which stand for all: the client refuses them. */
export const namedFilters = <Lists extends Readonly<Record<string, readonly string[]>>>(
  lists: Lists,
): Partial<Lists> =>
  Object.fromEntries(
    Object.entries(lists).filter(([, names]) => names.length > 0),
  ) as Partial<Lists>

/** Resolves when `signal` aborts. */
export const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
