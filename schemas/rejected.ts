/** A dead letter: data of a feed that the pipeline could not use, and why. */
export interface Rejected {
  readonly sportsbook: string
  /** A stable reason, for counting: the code of a skip (`pipeline/feeds/feed.ts`) or of a defect (`defect.ts`). */
  readonly code: string
  readonly message: string
  readonly receivedAt: number
  /** The offending text, cut to 4 KiB. */
  readonly text: string
}
