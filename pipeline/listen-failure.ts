/** Why an address cannot be listened on, in a sentence that says what to do; uWebSockets.js gives no reason. */

import { createServer } from 'node:net'

/** @param setting the variable that names the port */
export async function listenFailure(
  host: string,
  port: number,
  setting = 'OVERROUND_PORT',
): Promise<string> {
  const code = await new Promise<string | undefined>((resolve) => {
    const probe = createServer()
    probe.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code))
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(undefined)))
  })
  const said: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} on ${host} is taken: stop what uses it, or set ${setting} to another.`,
    EADDRNOTAVAIL: `${host} is no address of this machine: set OVERROUND_HOST to one of its own.`,
    ENOTFOUND: `${host} is no address that is known here: set OVERROUND_HOST to one of this machine.`,
    EACCES: `Port ${port} needs rights this process lacks: set ${setting} to one from 1024.`,
  }
  return said[code ?? ''] ?? `${host}:${port} cannot be listened on (${code ?? 'no reason given'}).`
}
