/** Who plays: a side or a person, how sportsbooks may write it, and where it is at home. */

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
