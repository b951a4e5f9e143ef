/** A side or a person that plays, its spellings at sportsbooks, and its home. */

export interface Participant {
  /** Unique within its league. */
  readonly key: string
  /** The first is the usual one; the others name the same side at some sportsbooks. */
  readonly names: readonly string[]
  /** Of its home, where its league plays in several. */
  readonly zone?: string
  readonly conference?: string
  /** Plays in a European cup in midweek. */
  readonly isInEurope?: boolean
  /** Those that player markets are about. */
  readonly players: readonly string[]
}
