import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hashIdentity, identityCheck, oddsId, oddsIdOf, offerText } from '../../schemas/ids.ts'
import { textHash } from '../../schemas/text-hash.ts'
import { oddsIdentityText } from '../odds-identity.ts'

/** Computes 64-bit FNV-1a by its definition, over the bytes described in `ids.ts`, cut to 53 bits. */
function reference(text: string): number {
  let hash = 0xcbf29ce484222325n
  for (let i = 0; i < text.length; i++) {
    const unit = BigInt(text.charCodeAt(i))
    for (const byte of unit > 0xffn ? [unit & 0xffn, unit >> 8n] : [unit]) {
      hash = ((hash ^ byte) * 0x100000001b3n) & 0xffffffffffffffffn
    }
  }
  return Number(100_000_000_000_000n + ((hash & 0x1fffffffffffffn) % 900_000_000_000_000n))
}

describe('an odds id', () => {
  it('is the hash of its definition', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(oddsId(text)).toBe(reference(text))
      }),
      { numRuns: 500 },
    )
  })

  it.each(['', 'a', '\u0000', '\u00ff', '\u0100', '東京', '\ud800', 'x'.repeat(10_000)])(
    'is the hash for %j',
    (text) => expect(oddsId(text)).toBe(reference(text)),
  )

  it('agrees with the published vectors of FNV-1a', () => {
    // draft-eastlake-fnv: "" cbf29ce484222325, "a" af63dc4c8601ec8c, "foobar" 85944171f73967e8.
    for (const [text, hash] of [
      ['', 0xcbf29ce484222325n],
      ['a', 0xaf63dc4c8601ec8cn],
      ['foobar', 0x85944171f73967e8n],
    ] as const) {
      const low = hash & 0x1fffffffffffffn
      expect(BigInt(oddsId(text))).toBe(100_000_000_000_000n + (low % 900_000_000_000_000n))
    }
  })

  it('is that of the whole text when the hash of a first part is continued', () => {
    const text = fc.string({ unit: 'binary', maxLength: 60 })
    fc.assert(
      fc.property(text, text, (first, second) => {
        expect(oddsId(second, hashIdentity(first))).toBe(reference(first + second))
      }),
    )
    const bet = { sportsbook: 'pinnacle', eventId: 'e' }
    const whole = { marketType: 'moneyline', line: null, playerName: null }
    const identity = oddsIdentityText({ ...bet, ...whole, selectionType: 'home', selection: 'H' })
    expect(identity.startsWith(offerText(bet))).toBe(true)
  })

  it('comes with a check that differs where two hashes are equal', () => {
    const limb = fc.integer({ min: 0, max: 0xffff })
    fc.assert(
      fc.property(limb, limb, limb, limb, fc.integer({ min: 1, max: 9 }), (a, b, c, d, step) => {
        const hash = { a, b, c, d }
        const bits = BigInt(a) | (BigInt(b) << 16n) | (BigInt(c) << 32n) | (BigInt(d) << 48n)
        const other = BigInt.asUintN(64, bits + BigInt(step) * 900_000_000_000_000n)
        const part = (from: bigint) => Number((other >> from) & 0xffffn)
        const shared = { a: part(0n), b: part(16n), c: part(32n), d: part(48n) }
        if (oddsIdOf(shared) !== oddsIdOf(hash)) return
        expect(identityCheck(shared)).not.toBe(identityCheck(hash))
      }),
    )
    const low = { a: 1, b: 2, c: 3, d: 4 }
    expect(oddsIdOf({ ...low, d: 4 | 0x20 })).toBe(oddsIdOf(low))
    expect(identityCheck({ ...low, d: 4 | 0x20 })).not.toBe(identityCheck(low))
  })

  it('has 15 digits and is seldom the same twice', () => {
    const ids = new Set(Array.from({ length: 100_000 }, (_, i) => oddsId(`pinnacle|event ${i}|x`)))
    expect(ids.size).toBe(100_000)
    for (const id of ids) if (!/^[1-9]\d{14}$/.test(String(id))) throw new Error(`${id}`)
  })
})

describe('the parts of an odds id', () => {
  const bet = {
    sportsbook: 'pinnacle',
    eventId: 'e',
    marketType: 'total_goals',
    line: 2.5,
    playerName: null,
    selectionType: 'over',
    selection: 'Over',
  }

  it('are sportsbook, event, market, line, player and selection', () => {
    const texts = [
      bet,
      { ...bet, sportsbook: 'fanduel' },
      { ...bet, eventId: 'f' },
      { ...bet, marketType: 'total_points' },
      { ...bet, line: 3 },
      { ...bet, line: null },
      { ...bet, line: 0 },
      { ...bet, line: -2.5 },
      { ...bet, playerName: 'Ann' },
      { ...bet, selectionType: 'under' },
      { ...bet, selectionType: 'other', selection: 'Ann' },
      { ...bet, selectionType: 'other', selection: 'Bob' },
    ].map(oddsIdentityText)
    expect(new Set(texts).size).toBe(texts.length)
  })

  it('do not change when a sportsbook words the same outcome otherwise', () => {
    const said = (selectionType: string, selection: string) =>
      oddsIdentityText({ ...bet, selectionType, selection })
    expect(said('home', 'Leeds')).toBe(said('home', 'Leeds United'))
    expect(said('home_draw', 'Leeds or Draw')).toBe(said('home_draw', '1X'))
    expect(said('away_over', 'Brentford Over')).toBe(said('away_over', 'Over'))
    expect(said('over', 'OVER')).toBe(said('over', 'Over'))
    expect(said('other', 'Ann')).toBe(said('other', 'ANN'))
    expect(said('other', 'Homer')).not.toBe(said('other', 'Ann'))
  })

  it('have one zero', () => {
    expect(oddsIdentityText({ ...bet, line: -0 })).toBe(oddsIdentityText({ ...bet, line: 0 }))
  })
})

describe('the text hash', () => {
  it('is a 32-bit integer, the same for the same text, and spreads', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(textHash(text)).toBe(textHash(text) | 0)
      }),
    )
    const hashes = new Set(Array.from({ length: 20_000 }, (_, i) => textHash(`identity ${i}`)))
    expect(hashes.size).toBeGreaterThan(19_990)
  })
})
