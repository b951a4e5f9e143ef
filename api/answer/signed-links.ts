/**
 * Our addresses that lead to a sportsbook without a key: the id of a price or an opportunity, and a
 * signature. Anyone who knows the game can work out ids. Without a signature they would reveal which lines a
 * hidden sportsbook offers, and new lines before the free tier may see them.
 */

import { createCipheriv, createHash, timingSafeEqual } from 'node:crypto'
import { memoise } from '../../schemas/memoise.ts'

export interface SignedLinks {
  /** @param id of a price or an opportunity */
  pathOf(id: number | string): string
  /** Returns many paths at once, in a tenth of the time: calling the cipher costs more than its work. */
  pathsOf(ids: readonly number[]): string[]
  /** Returns the id in a path's last part; undefined if the signature is missing or invalid. */
  idOf(signed: string): string | undefined
}

const prefix = '/api/v1/deeplink/'
/** Hex digits: 48 bits, which cannot be guessed at a few requests a minute. */
const signatureLength = 12
const form = /^([0-9a-f]{15,16})-([0-9a-f]{12})$/
/** Size of a cipher block. No id is longer. */
const blockBytes = 16

/** @param secret the same in all processes of the deployment, also after a restart */
export function createSignedLinks(secret: string): SignedLinks {
  const key = createHash('sha256').update(`link ${secret}`).digest().subarray(0, 16)
  // A block cipher with a secret key is a keyed function of one block. It costs a third of a hash, and every
  // row of the board has a link.
  const cipher = createCipheriv('aes-128-ecb', key, null)
  cipher.setAutoPadding(false)
  const signatureOf = (id: string) =>
    cipher.update(id.padEnd(blockBytes), 'latin1', 'hex').slice(0, signatureLength)

  /** The same links appear on many pages. */
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
