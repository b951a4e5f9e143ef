/**
 * When certificates expire: our own (as the file was at the start) and those of connected brokers.
 * A connection stays open after its certificates expire, so nobody notices until it is opened
 * again.
 */

import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import type { ISocketFactory } from 'kafkajs'
import type { Tls } from '../../settings/kafka-settings.ts'
import type { CertificateEnd } from '../log.ts'

export interface Certificates {
  /** Opens a TLS connection as kafkajs does, and notes when the broker's certificate expires. */
  readonly openSocket: ISocketFactory
  /** Returns when our own certificate expires, and the first of the brokers', if there are any. */
  ends(): readonly CertificateEnd[]
}

const keepAliveMs = 60_000

export function createCertificates(tls: Tls | null): Certificates {
  const client = tls?.client
  const ownEndsAt = client ? Date.parse(new X509Certificate(client.certificate).validTo) : null
  /** When the broker's certificate of each open connection expires (epoch ms). */
  const endsAt = new Map<TLSSocket, number>()
  return {
    openSocket({ host, port, ssl, onConnect }) {
      const named = isIP(host) === 0 ? { servername: host } : {}
      const socket = connect({ host, port, ...named, ...ssl }, onConnect)
      socket.once('secureConnect', () => {
        const { valid_to } = socket.getPeerCertificate()
        if (valid_to !== undefined) endsAt.set(socket, Date.parse(valid_to))
      })
      socket.once('close', () => endsAt.delete(socket))
      socket.setKeepAlive(true, keepAliveMs)
      return socket
    },
    ends: () => [
      ...(ownEndsAt === null ? [] : [{ whose: 'own', endsAt: ownEndsAt } as const]),
      ...(endsAt.size === 0
        ? []
        : [{ whose: 'broker', endsAt: Math.min(...endsAt.values()) } as const]),
    ],
  }
}
