/** A side or a person that plays: its spellings at sportsbooks, and its home. */

export interface Participant {
  /** Unique within its league. */
  readonly key: string
  /** The first is the usual one; the others name the same side at some sportsbooks. */
  readonly names: readonly string[]
  /** The time zone of its home, if its league plays in several. */
  readonly zone?: string
  readonly conference?: string
  /** Whether it plays in a European cup in midweek. */
  readonly isInEurope?: boolean
  /** The players that player markets are about. */
  readonly players: readonly string[]
}
