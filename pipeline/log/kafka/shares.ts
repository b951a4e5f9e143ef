/**
 * Deals the shares of a group's work (partitions or names) to its members. As few as possible move:
 * - A member keeps its shares while it is in the group and the shares are balanced.
 * - A share without a holder goes to the member with fewest.
 * - While one member has two more than another, its newest share moves there. So a restarted member
 *   gets its shares back, and the others keep their earlier shares.
 * - A resting member gets no share that another can take. It was taken for dead because its machine
 *   is overloaded: it would soon lose the shares again, and each move costs a restore.
 * - If the traffic of the shares is known: two members exchange shares, or the one with more shares
 *   gives one, if that makes their traffic much more equal.
 *
 * The group's metadata have the shares that each member can take and those that it holds. A
 * partition is assigned as in Kafka, for all topics. kafkajs reads the offsets of all assigned
 * partitions. So a name is assigned as a topic without partitions, to which no member subscribes:
 * kafkajs reports it and goes on.
 */

import { AssignerProtocol, type PartitionAssigner } from 'kafkajs'

export interface Member {
  readonly id: string
  /** Shares that it can take. */
  readonly takes: readonly string[]
  /** Shares that it holds, the oldest first. */
  readonly holds: readonly string[]
  /** How long the group has not heard from it. */
  readonly silentMs: number
  /** Absent in members of a build that never rests. */
  readonly isResting?: boolean
}

/**
 * @param traffic the cost of each share, in any unit; null if unknown
 * @returns the shares of each member, the oldest first. Every share that some member can take is dealt.
 */
export function dealShares(
  members: readonly Member[],
  traffic: ReadonlyMap<string, number> | null = null,
): Map<string, readonly string[]> {
  const ordered = [...members].sort((a, b) => (a.id < b.id ? -1 : 1))
  const hands = ordered.map(({ id, takes, isResting = false }) => ({
    id,
    takes: new Set(takes),
    isResting,
    shares: [] as string[],
  }))
  const dealt = new Set<string>()
  // If two members claim a share, the one that was silent longer has lost it.
  const byAnswer = hands
    .map((hand, index) => ({ hand, member: ordered[index]! }))
    .sort((a, b) => a.member.silentMs - b.member.silentMs)
  for (const { hand, member } of byAnswer) {
    for (const share of member.holds) {
      if (!hand.takes.has(share) || dealt.has(share)) continue
      hand.shares.push(share)
      dealt.add(share)
    }
  }
  for (const { takes } of ordered) {
    for (const share of takes) {
      if (dealt.has(share)) continue
      const able = hands.filter((hand) => hand.takes.has(share))
      const [least] = able.sort(
        (a, b) => Number(a.isResting) - Number(b.isResting) || byCount(a, b),
      )
      least!.shares.push(share)
      dealt.add(share)
    }
  }
  while (levelOnce(hands));
  if (traffic) while (levelTrafficOnce(hands, traffic));
  return new Map(hands.map(({ id, shares }) => [id, shares]))
}

interface Hand {
  readonly id: string
  readonly takes: ReadonlySet<string>
  readonly isResting: boolean
  readonly shares: string[]
}

const byCount = (a: Hand, b: Hand) => a.shares.length - b.shares.length

/** Moves one share from a member with most to one with fewest. @returns false when they are balanced */
function levelOnce(hands: readonly Hand[]): boolean {
  const ascending = [...hands].sort(byCount)
  for (const from of ascending.toReversed()) {
    for (const to of ascending) {
      if (from.shares.length - to.shares.length < 2) break
      if (to.isResting) continue
      const share = from.shares.findLast((one) => to.takes.has(one))
      if (share === undefined) continue
      from.shares.splice(from.shares.lastIndexOf(share), 1)
      to.shares.push(share)
      return true
    }
  }
  return false
}

/** A move must bring two members closer by this fraction of an average member's traffic. */
const worthwhile = 0.2

/** Makes the best move between two members. @returns false when none is worthwhile */
function levelTrafficOnce(hands: readonly Hand[], traffic: ReadonlyMap<string, number>): boolean {
  const costOf = (share: string) => traffic.get(share) ?? 0
  const loadOf = ({ shares }: Hand) => shares.reduce((sum, share) => sum + costOf(share), 0)
  const busy = hands.filter(({ isResting }) => !isResting)
  const average = busy.reduce((sum, hand) => sum + loadOf(hand), 0) / busy.length
  const descending = busy.toSorted((a, b) => loadOf(b) - loadOf(a))
  for (const from of descending) {
    for (const to of descending.toReversed()) {
      const gap = loadOf(from) - loadOf(to)
      if (gap < worthwhile * average || gap === 0) break
      const move = bestMove(from, to, gap, costOf)
      if (!move || gap - move.gap < worthwhile * average) continue
      from.shares.splice(from.shares.indexOf(move.share), 1)
      to.shares.push(move.share)
      if (move.back === null) return true
      to.shares.splice(to.shares.indexOf(move.back), 1)
      from.shares.push(move.back)
      return true
    }
  }
  return false
}

interface Move {
  readonly share: string
  /** The share given in return; null for none. */
  readonly back: string | null
  /** The difference of the two members' traffic after the move. */
  readonly gap: number
}

/** Of equal moves, the one of the newest shares. Counts do not become less even. */
function bestMove(
  from: Hand,
  to: Hand,
  gap: number,
  costOf: (share: string) => number,
): Move | null {
  let best: Move | null = null
  const returned = [
    ...to.shares.toReversed(),
    ...(from.shares.length > to.shares.length ? [null] : []),
  ]
  for (const share of from.shares.toReversed()) {
    if (!to.takes.has(share)) continue
    for (const back of returned) {
      if (back !== null && !from.takes.has(back)) continue
      const moved = costOf(share) - (back === null ? 0 : costOf(back))
      const next = Math.abs(gap - 2 * moved)
      if (next < (best?.gap ?? gap)) best = { share, back, gap: next }
    }
  }
  return best
}

/** A member, as its metadata describes it. */
export type MemberState = Omit<Member, 'id'>

const noBytes = Buffer.alloc(0)
const version = 0

export type ShareKind = 'partition' | 'name'

/**
 * Creates the assigner of a group member. A share is the same partition number of every topic, so
 * that one member has both a table and the records that change it. (kafkajs's own assigner deals
 * out the partitions of all topics in one round.)
 * @param memberState called for the state of this member
 * @param traffic as for `dealShares`; called when this member deals the shares
 */
export function shareAssigner(
  kind: ShareKind,
  memberState: () => MemberState,
  traffic: () => ReadonlyMap<string, number> | null,
): PartitionAssigner {
  const name = kind === 'partition' ? 'copartitioned' : 'names'
  return () => ({
    name,
    version,
    async assign({ members, topics }) {
      const known = members.map(({ memberId, memberMetadata }) => ({
        id: memberId,
        ...readMemberState(memberMetadata, memberState().takes),
      }))
      const dealt = dealShares(known, traffic())
      return known.map(({ id }) => {
        const shares = dealt.get(id)!
        const assignment = Object.fromEntries(
          kind === 'partition'
            ? topics.map((topic) => [topic, shares.map(Number)])
            : shares.map((share) => [share, []]),
        )
        const memberAssignment = AssignerProtocol.MemberAssignment.encode({
          version,
          assignment,
          userData: noBytes,
        })
        return { memberId: id, memberAssignment }
      })
    },
    protocol: ({ topics }) => ({
      name,
      metadata: AssignerProtocol.MemberMetadata.encode({
        version,
        topics,
        userData: Buffer.from(JSON.stringify(memberState())),
      }),
    }),
  })
}

/** Reads a member's state. A member of a build without this metadata takes everything and holds nothing. */
function readMemberState(metadata: Buffer, everything: readonly string[]): MemberState {
  const userData = AssignerProtocol.MemberMetadata.decode(metadata)?.userData
  if (!userData || userData.length === 0) return { takes: everything, holds: [], silentMs: 0 }
  return JSON.parse(userData.toString()) as MemberState
}
