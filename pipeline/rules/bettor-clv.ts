/**
 * A bettor's own closing line value: what a price was worth by the sharp book's no-vig close.
 *
 *     value of a bet = no-vig probability at the close x decimal odds at entry - 1
 *
 * It is the gain that a stake of 1 had, on average, if the close was right. Fractions here.
 */

/** @param noVigClose probability, 0 to 1; @param price decimal odds at which the bet was made */
export const bettorClv = (noVigClose: number, price: number) => noVigClose * price - 1

/** A bet with its value. */
export interface ValuedBet {
  readonly eventId: string
  readonly stake: number
  readonly clv: number
}

/** A mean with the interval that holds the true one in 95 of 100 samples; null where none is known. */
export interface Mean {
  readonly mean: number
  readonly low: number | null
  readonly high: number | null
}

/**
 * The mean value of bets, each weighted. Bets on one event rise and fall together, so the interval is
 * taken over events and not over bets: with the residual r of an event, the sum of
 * weight x (value - mean) of its bets, the standard error is sqrt(G / (G - 1) x sum of r^2) / sum of
 * weights over G events, times Student's t with G - 1 degrees of freedom. One event has no interval.
 * Source: Cameron and Miller (2015), A Practitioner's Guide to Cluster-Robust Inference, section II.
 * @returns null for no bets, or only bets without weight
 */
export function meanClv(
  bets: readonly ValuedBet[],
  weightOf: (bet: ValuedBet) => number,
): Mean | null {
  let weights = 0
  let sum = 0
  for (const bet of bets) {
    weights += weightOf(bet)
    sum += weightOf(bet) * bet.clv
  }
  if (!(weights > 0)) return null
  const mean = sum / weights
  const residuals = new Map<string, number>()
  for (const bet of bets) {
    const residual = weightOf(bet) * (bet.clv - mean)
    residuals.set(bet.eventId, (residuals.get(bet.eventId) ?? 0) + residual)
  }
  const events = residuals.size
  if (events < 2) return { mean, low: null, high: null }
  let squares = 0
  for (const residual of residuals.values()) squares += residual * residual
  const error = Math.sqrt((events / (events - 1)) * squares) / weights
  const reach = studentT95(events - 1) * error
  return { mean, low: mean - reach, high: mean + reach }
}

/**
 * The 97.5 % point of Student's t.
 * Source: Hill (1970), Algorithm 396, Communications of the ACM 13(10), for three degrees of freedom
 * and more; one and two have a closed form.
 */
export function studentT95(degrees: number): number {
  const tail = 0.05
  if (degrees === 1) return 1 / Math.tan((tail * Math.PI) / 2)
  if (degrees === 2) return Math.sqrt(2 / (tail * (2 - tail)) - 2)
  const a = 1 / (degrees - 0.5)
  const b = 48 / (a * a)
  let c = ((20_700 * a) / b - 98) * a - 16
  c = c * a + 96.36
  const d = ((94.5 / (b + c) - 3) / b + 1) * Math.sqrt((a * Math.PI) / 2) * degrees
  let y = (d * tail) ** (2 / degrees)
  if (y > 0.05 + a) {
    const x = normal975
    y = x * x
    if (degrees < 5) c += 0.3 * (degrees - 4.5) * (x + 0.6)
    c += (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b
    y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x
    y = Math.expm1(a * y * y)
  } else {
    y =
      ((1 / (((degrees + 6) / (degrees * y) - 0.089 * d - 0.822) * (degrees + 2) * 3) +
        0.5 / (degrees + 4)) *
        y -
        1) *
        ((degrees + 1) / (degrees + 2)) +
      1 / y
  }
  return Math.sqrt(degrees * y)
}

/** The 97.5 % point of the normal distribution, with the sign that Algorithm 396 gives it. */
const normal975 = -1.959963984540054
