/**
 * Seeded pseudo-random numbers: the small fast counting generator (sfc32), 128 bits of state, in integer arithmetic
 * only, so that a seed gives the same numbers on every machine.
 */

export interface Random {
  /** Returns a uniform number in [0, 1). */
  next(): number
  /** Returns a uniform integer in [0, bound). */
  below(bound: number): number
  /** Returns a uniform number in [low, high). */
  between(low: number, high: number): number
  /** Returns true with this probability. */
  chance(probability: number): boolean
  /** Returns a standard normal number. */
  normal(): number
  /** Returns a Poisson count of this mean; meant for small means. */
  poisson(mean: number): number
  pick<T>(from: readonly T[]): T
}

export function createRandom(seed: number): Random {
  let a = seed | 0
  let b = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) | 0
  let c = Math.imul(seed ^ 0x7f4a7c15, 0xc2b2ae35) | 0
  let counter = 1

  function next() {
    const t = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + t
    c |= 0
    return (t >>> 0) / 4294967296
  }

  // Adjacent seeds begin with similar numbers; a few rounds separate them.
  for (let round = 0; round < 15; round++) next()

  return {
    next,
    below: (bound) => Math.floor(next() * bound),
    between: (low, high) => low + next() * (high - low),
    chance: (probability) => next() < probability,
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    poisson(mean) {
      const limit = Math.exp(-mean)
      let count = 0
      for (let product = next(); product > limit; product *= next()) count++
      return count
    },
    pick(from) {
      const chosen = from[Math.floor(next() * from.length)]
      if (chosen === undefined) throw new RangeError('pick from an empty list')
      return chosen
    },
  }
}

/**
 * Returns a number in [0, 1) that depends only on the text and the salt. For traits that must not
 * change if something else is drawn before (how a sportsbook spells a team, whether it lists it).
 */
export function trait(text: string, salt: number): number {
  let hash = (0x811c9dc5 ^ salt) | 0
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 4294967296
}
