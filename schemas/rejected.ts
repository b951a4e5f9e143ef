/** A dead letter: what a feed sent that the pipeline could not use, and why. */
export interface Rejected {
  readonly sportsbook: string
  /** A code of `pipeline/feeds/reject-codes.ts`, stable and countable. */
  readonly code: string
  readonly message: string
  readonly receivedAt: number
  /** The offending text, cut to 4 KiB. */
  readonly text: string
}
