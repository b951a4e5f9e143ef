/** A hook that empties the form of a new bet once the bet is stored. */

import { useEffect, useRef } from 'preact/hooks'
import type { NewBet } from '../data/placed-bet.ts'

/**
 * @param kept the last bet that was stored: of this form or another one
 * @returns a function that notes the bet which the form states
 */
export function useCleared(kept: NewBet | null, clear: () => void) {
  /** The reference of the bet that the form has stated last. */
  const stated = useRef<string | null>(null)
  useEffect(() => {
    if (kept !== null && kept.reference === stated.current) clear()
  }, [kept])
  return (bet: NewBet): NewBet => {
    stated.current = bet.reference
    return bet
  }
}
