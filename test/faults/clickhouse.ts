/**
 * A ClickHouse server for the deployment: the embedded engine in a process of its own, behind an address. It can be
 * killed and kept away.
 */

import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { pino } from 'pino'
import { type Archive, openArchive } from '../../pipeline/archive/archive.ts'
import { startEngine } from '../../pipeline/archive/engine/supervisor.ts'

export interface ClickHouse {
  /** The value of OVERROUND_CLICKHOUSE_URL. */
  readonly url: string
  /** Kills its process, and refuses connections until `comeBack`. */
  killAndStayAway(): Promise<void>
  comeBack(): Promise<void>
  /** Opens the archive for checks at the end. */
  open(): Archive
  close(): Promise<void>
}

export const database = 'overround'

/** Starts the server; null if the engine is not installed. */
export async function startClickHouse(directory: string): Promise<ClickHouse | null> {
  const at = { directory: join(directory, 'clickhouse'), database }
  const engine = startEngine(at, pino({ level: 'silent' }))
  if ((await engine.whenDecided()).state !== 'running') {
    await engine.close()
    return null
  }
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(engine.socket)
    near.pipe(far).pipe(near)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => near.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
  })
  const listen = (port: number) =>
    new Promise<void>((resolve) => {
      server.listen(port, '127.0.0.1', resolve)
    })
  const leave = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
  await listen(0)
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    async killAndStayAway() {
      const { state } = engine
      if (state.state === 'running') process.kill(state.pid, 'SIGKILL')
      await leave()
    },
    comeBack: () => listen(port),
    open: () => openArchive({ url }, database),
    async close() {
      await leave()
      await engine.close()
    },
  }
}
