/**
 * Who of a group holds which share of its work. A share is a partition or a name. Only what has to move
 * moves:
 * - Whoever holds a share keeps it while he is there and the shares are balanced.
 * - A share without a holder goes to whoever has fewest.
 * - While somebody has two more than another, his newest go there. So a member that is stopped and started
 *   again gets back what it had, and the shares that the others had before stay where they are.
 * - A member that rests gets nothing that another can have. It was taken for dead because its machine is starved: what
 *   it took back, it would soon lose again, and each move costs a restore.
 *
 * Members tell each other what they can take and what they hold in the metadata of the group. A partition
 * is assigned as Kafka means it, of all topics. kafkajs reads the offsets of whatever it is assigned, so a
 * name is assigned as a topic that nobody subscribes to, without partitions: kafkajs tells of it and goes on.
 */

import { AssignerProtocol, type PartitionAssigner } from 'kafkajs'

export interface Member {
  readonly id: string
  /** What it can take. */
  readonly takes: readonly string[]
  /** What it holds, the oldest first. */
  readonly holds: readonly string[]
  /** For how long the group has not answered it. */
  readonly silentMs: number
  /** Absent in members of a build that never rests. */
  readonly isResting?: boolean
}

/** @returns the shares of each member, the oldest first; all that somebody can take are dealt */
export function dealShares(members: readonly Member[]): Map<string, readonly string[]> {
  const ordered = [...members].sort((a, b) => (a.id < b.id ? -1 : 1))
  const hands = ordered.map(({ id, takes, isResting = false }) => ({
    id,
    takes: new Set(takes),
    isResting,
    shares: [] as string[],
  }))
  const dealt = new Set<string>()
  // Of two that say they hold a share, one has been away: the other has taken it over.
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
  return new Map(hands.map(({ id, shares }) => [id, shares]))
}

interface Hand {
  readonly id: string
  readonly takes: ReadonlySet<string>
  readonly isResting: boolean
  readonly shares: string[]
}

const byCount = (a: Hand, b: Hand) => a.shares.length - b.shares.length

/** Moves one share from who has most to who has fewest. @returns whether there was one to move */
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

/** What a member tells of itself. */
export type Standing = Omit<Member, 'id'>

const noBytes = Buffer.alloc(0)
const version = 0

export type ShareKind = 'partition' | 'name'

/**
 * The assigner of a member of a group. A partition is the same number of every topic, so that the record
 * that changes a table and the table itself lie in one member's hands. (kafkajs's own assigner deals
 * all topics' partitions out in one round.)
 * @param standing how this member stands now
 */
export function shareAssigner(kind: ShareKind, standing: () => Standing): PartitionAssigner {
  const name = kind === 'partition' ? 'copartitioned' : 'names'
  return () => ({
    name,
    version,
    async assign({ members, topics }) {
      const known = members.map(({ memberId, memberMetadata }) => ({
        id: memberId,
        ...readStanding(memberMetadata, standing().takes),
      }))
      const dealt = dealShares(known)
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
        userData: Buffer.from(JSON.stringify(standing())),
      }),
    }),
  })
}

/** A member of a build that tells nothing takes everything and holds nothing. */
function readStanding(metadata: Buffer, everything: readonly string[]): Standing {
  const userData = AssignerProtocol.MemberMetadata.decode(metadata)?.userData
  if (!userData || userData.length === 0) return { takes: everything, holds: [], silentMs: 0 }
  return JSON.parse(userData.toString()) as Standing
}
