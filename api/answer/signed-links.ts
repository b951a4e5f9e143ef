/**
 * The addresses of ours that lead to a sportsbook without a key: the id of a price or an opportunity, and a signature.
 * Ids alone can be worked out by anyone who knows the game: without a signature they would tell which
 * lines a hidden sportsbook offers, and new lines before the free tier may know of them.
 */

import { createCipheriv, createHash, timingSafeEqual } from 'node:crypto'
import { memoise } from '../../schemas/memoise.ts'

export interface SignedLinks {
  /** @param id of a price or an opportunity */
  pathOf(id: number | string): string
  /** The same of many at once, for a tenth of the time: asking the cipher costs more than its work. */
  pathsOf(ids: readonly number[]): string[]
  /** The id of a path's last part; undefined where the signature is missing or not ours. */
  idOf(signed: string): string | undefined
}

const prefix = '/api/v1/deeplink/'
/** Hex digits: 48 bits, which nobody guesses at a few requests a minute. */
const signatureLength = 12
const form = /^([0-9a-f]{15,16})-([0-9a-f]{12})$/
/** One block of the cipher; no id is longer. */
const blockBytes = 16

/** @param secret the same in every process of the deployment, also after a restart */
export function createSignedLinks(secret: string): SignedLinks {
  const key = createHash('sha256').update(`link ${secret}`).digest().subarray(0, 16)
  // A block cipher with a secret key is a keyed function of one block. It is a third of what a hash
  // costs, and every row of the board has a link.
  const cipher = createCipheriv('aes-128-ecb', key, null)
  cipher.setAutoPadding(false)
  const signatureOf = (id: string) =>
    cipher.update(id.padEnd(blockBytes), 'latin1', 'hex').slice(0, signatureLength)

  /** Pages show the same ones again and again. */
  const pathOf = memoise((text: string) => `${prefix}${text}-${signatureOf(text)}`)

  return {
    pathOf: (id) => pathOf(String(id)),
    pathsOf(ids) {
      const blocks = Buffer.alloc(blockBytes * ids.length, ' ')
      for (const [i, id] of ids.entries()) blocks.write(String(id), blockBytes * i, 'latin1')
      const signatures = cipher.update(blocks)
      return ids.map((id, i) => {
        const at = blockBytes * i
        return `${prefix}${id}-${signatures.toString('hex', at, at + signatureLength / 2)}`
      })
    },
    idOf(signed) {
      const [, id, signature] = form.exec(signed) ?? []
      if (id === undefined || signature === undefined) return undefined
      const isOurs = timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(id)))
      return isOurs ? id : undefined
    },
  }
}
