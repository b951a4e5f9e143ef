/**
 * Returns a line without the noise of binary fractions: 220.50000000000003 is 220.5. Sportsbooks state lines in halves
 * and quarters. One too large to have such noise stays as it is.
 */
export const exactLine = (line: number): number =>
  Math.abs(line) < 1e9 ? Math.round(line * 1e6) / 1e6 + 0 : line
