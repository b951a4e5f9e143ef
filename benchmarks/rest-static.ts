/**
 * The baseline of a page without any work: raw uWebSockets.js sends a ready Buffer with three headers. `rest.ts` compares
 * the API with it at equal page sizes.
 *
 *     node build/benchmarks/rest-static.js <bytes>...
 *
 * Serves `/static/<bytes>` for each size, and sends `{ port }` to its parent.
 */

import uws from 'uWebSockets.js'
import { fileURLToPath } from 'node:url'

/** @returns the port on loopback */
export async function serveStatic(sizes: readonly number[]): Promise<number> {
  const app = uws.App()
  for (const bytes of new Set(sizes)) {
    const page = Buffer.alloc(bytes, 'x')
    app.get(`/static/${bytes}`, (response) => {
      response.writeHeader('ETag', '"static"')
      response.writeHeader('Cache-Control', 'private, max-age=0, must-revalidate')
      response.writeHeader('Content-Type', 'application/json; charset=utf-8')
      response.end(page)
    })
  }
  const socket = await new Promise<uws.us_listen_socket>((resolve, reject) => {
    app.listen('127.0.0.1', 0, (opened) => {
      if (opened) resolve(opened)
      else reject(new Error('no port to listen on'))
    })
  })
  return uws.us_socket_local_port(socket)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const port = await serveStatic(process.argv.slice(2).map(Number))
  process.send?.({ port })
}
