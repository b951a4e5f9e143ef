/** Tests whether an address can be listened on, and explains a failure; uWebSockets.js gives no reason. */

import { createServer } from 'node:net'
import { StartError } from '../settings/config.ts'

/** @returns the error's code, such as `EADDRINUSE`; null when listening works */
export const tryToListen = (host: string, port: number): Promise<string | null> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'no reason given'))
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(null)))
  })

/** @throws StartError where the address of the service cannot be listened on */
export async function requireListening(host: string, port: number): Promise<void> {
  const code = await tryToListen(host, port)
  if (code !== null) throw new StartError(sentenceOf(code, host, port, 'OVERROUND_PORT'))
}

/** @param setting the variable that names the port */
export async function listenFailure(
  host: string,
  port: number,
  setting = 'OVERROUND_PORT',
): Promise<string> {
  const code = await tryToListen(host, port)
  return sentenceOf(code ?? 'no reason given', host, port, setting)
}

function sentenceOf(code: string, host: string, port: number, setting: string): string {
  const sentences: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} on ${host} is taken: stop the program that uses it, or set ${setting} to another port.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine: set OVERROUND_HOST to one that is.`,
    ENOTFOUND: `${host} is an unknown host name: set OVERROUND_HOST to an address of this machine.`,
    EACCES: `Port ${port} needs rights that this process lacks: set ${setting} to 1024 or above.`,
  }
  return sentences[code] ?? `${host}:${port} cannot be used (${code}).`
}
