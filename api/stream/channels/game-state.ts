/**
 * States of games in play: all there are in the beginning, then each row that has changed and each game
 * that has left, as `/gamestate` has them at that moment. A row that turns stale, or fresh again, has
 * changed.
 *
 * Those who ask for the same share a list of what they are shown, each row with the number of the change
 * that brought it. A client is told what came after the number it is at.
 */

import { isoTime } from '../../../pipeline/text/iso-time.ts'
import type { Scope } from '../../access/scope.ts'
import { type ShownGame, type ShownGames, shownGames } from '../../answer/game-states.ts'
import { type Asked, type Channel, type Member, type Seat, whole } from '../delivery/channel.ts'
import { isOpen, live } from '../delivery/member.ts'
import { chunksOf } from '../framing/chunks.ts'
import type { Frames } from '../framing/frames.ts'
import type { Framing } from '../framing/framing.ts'
import type { ChannelParts, ChannelType } from './channel-type.ts'

/** Games are looked at this often. */
const gameTickMs = 100
/** A frame has at most so many rows, and characters below what 256 KB hold beyond ASCII. */
const mostRows = 1_000
const mostLength = 80 * 1024
/** Games that have left are remembered for clients that are behind; of more, the older half is forgotten. */
const mostGone = 10_000

interface GamesAsked extends Asked {
  readonly scope: Scope
  isAsked(game: ShownGame): boolean
}

/** A game as it was last told, or that it has left. */
interface Told {
  readonly id: string
  readonly sport: string
  /** The row as JSON; null once it has left. */
  readonly row: string | null
  /** The number of the change. */
  readonly at: number
}

/** Those who ask for the same games. */
interface GameGroup {
  readonly asked: GamesAsked
  readonly seats: Set<GameSeat>
  readonly told: Map<string, Told>
  /** What the list was last brought up to date with. */
  seen: ShownGames | null
  /** The number of the last change. */
  place: number
  /** What left before this number may be forgotten. */
  forgottenAt: number
}

interface GameSeat extends Seat {
  readonly group: GameGroup
  /** The number of the change up to which it has been told. */
  place: number
}

export const gameStateChannel: ChannelType = {
  names: ['gamestate'],
  feature: () => 'game_state',
  addOn: 'game_state',
  isResumable: false,
  noTotals: {},
  asked({ scope, names, requested }): GamesAsked | null {
    if (!names.includes('gamestate')) return null
    const { sports, leagues, eventIds } = requested.changesFilter()
    return {
      type: gameStateChannel,
      key: JSON.stringify([scope.name, sports, leagues, eventIds]),
      scope,
      isAsked: ({ id, sport, league }) =>
        (!sports || sports.includes(sport)) &&
        (!leagues || leagues.includes(league)) &&
        (!eventIds || eventIds.includes(id)),
    }
  },
  open: openGameStates,
}

function openGameStates(parts: ChannelParts): Channel<GamesAsked, GameSeat> {
  const { clock, delivery, lost } = parts
  const groups = new Map<string, GameGroup>()
  let nextAt = Number.NEGATIVE_INFINITY
  /** What each scope was last shown, and the version that it was shown of. */
  const lists = new Map<Scope, ShownGames & { readonly version: number }>()

  function gamesOf(scope: Scope, now: number): ShownGames {
    const known = lists.get(scope)
    const { version } = scope.gameStates
    if (known && known.version === version && now < known.expiresAt) return known
    const list = { ...shownGames(scope, now), version }
    lists.set(scope, list)
    return list
  }

  /** Brings the group's list up to date. @returns what has changed */
  function refresh(group: GameGroup): readonly Told[] {
    const { told, asked } = group
    const now = gamesOf(asked.scope, clock())
    if (now === group.seen) return []
    group.seen = now
    const at = group.place + 1
    const changed: Told[] = []
    const present = new Set<string>()
    for (const game of now.games) {
      if (!asked.isAsked(game)) continue
      const { id, sport, members } = game
      present.add(id)
      const row = `{"event_id":${JSON.stringify(id)},${members}}`
      if (told.get(id)?.row !== row) changed.push({ id, sport, row, at })
    }
    for (const { id, sport, row } of told.values()) {
      if (row !== null && !present.has(id)) changed.push({ id, sport, row: null, at })
    }
    for (const one of changed) {
      // The newest stand last.
      told.delete(one.id)
      told.set(one.id, one)
    }
    if (changed.length > 0) group.place = at
    forget(group)
    return changed
  }

  function forget(group: GameGroup) {
    const { told } = group
    if (told.size <= mostGone) return
    const gone = [...told.values()].filter(({ row }) => row === null)
    for (const { id, at } of gone.slice(0, gone.length >> 1)) {
      told.delete(id)
      group.forgottenAt = at
    }
  }

  function tellChanged(group: GameGroup) {
    const before = group.place
    const changed = refresh(group)
    const upToDate: Member[] = []
    for (const seat of group.seats) {
      const { member } = seat
      // A client that is behind with prices is told of games once it is live.
      if (seat.place === group.place || member.phase !== live || !isOpen(member)) continue
      if (seat.place === before) {
        seat.place = group.place
        upToDate.push(member)
      } else tellSince(seat)
    }
    if (changed.length > 0 && upToDate.length > 0) {
      delivery.sendShared(upToDate, (frames, framing, width) =>
        appendChanges(frames, framing, width, changed, isoTime(clock())),
      )
    }
  }

  /** What has changed since the client was last told. */
  function tellSince(seat: GameSeat) {
    const { group, member, place } = seat
    if (place < group.forgottenAt) return lost(member, 'too_old')
    const changed = [...group.told.values()].filter(({ at }) => at > place)
    seat.place = group.place
    delivery.sendOwn(member, (frames, width, now) =>
      appendChanges(frames, member.framing, width, changed, now),
    )
  }

  function* snapshot(seat: GameSeat) {
    const { group, member } = seat
    refresh(group)
    // What changes while the snapshot is sent is told after it.
    seat.place = group.place
    const rows = inOrder(group)
    let offset = 0
    for (const chunk of chunksOf(rows, mostRows, mostLength)) {
      const count = chunk.length
      const hasMore = offset + count < rows.length
      const json = `{"events":[${chunk.join()}],"count":${count},"total":${rows.length},"offset":${offset},"has_more":${hasMore}}`
      delivery.sendOwn(member, (frames, width, now) =>
        member.framing.snapshot(frames, 'gamestate:snapshot', json, width, now),
      )
      offset += count
      yield
    }
    return {}
  }

  /** The rows of the group as `/gamestate` has them: by sport, then by id. */
  const inOrder = ({ seen, told }: GameGroup) =>
    seen?.games.flatMap(({ id }) => told.get(id)?.row ?? []) ?? []

  const channel: Channel<GamesAsked, GameSeat> = {
    type: gameStateChannel,

    join(member, asked) {
      let group = groups.get(asked.key)
      if (!group) {
        group = { asked, seats: new Set(), told: new Map(), seen: null, place: 0, forgottenAt: 0 }
        groups.set(asked.key, group)
      }
      const seat = { channel, member, group, place: 0 }
      group.seats.add(seat)
      return seat
    },

    begin: () => whole,

    snapshot,

    tick({ now }) {
      if (now < nextAt) return
      nextAt = now + gameTickMs
      for (const group of groups.values()) tellChanged(group)
    },

    leave(seat) {
      const { seats, asked: left } = seat.group
      if (!seats.delete(seat) || seats.size > 0) return
      groups.delete(left.key)
      if (![...groups.values()].some(({ asked }) => asked.scope === left.scope))
        lists.delete(left.scope)
    },
  }
  return channel
}

/** A block for each sport and for each kind of change. */
function appendChanges(
  frames: Frames,
  framing: Framing,
  width: number,
  changed: readonly Told[],
  now: string,
) {
  for (const sport of new Set(changed.map((one) => one.sport))) {
    const ofSport = changed.filter((one) => one.sport === sport)
    const rows = ofSport.flatMap(({ row }) => row ?? [])
    const ids = ofSport.flatMap(({ id, row }) => (row === null ? [JSON.stringify(id)] : []))
    const of = `"sport":${JSON.stringify(sport)}`
    for (const chunk of rows.length > 0 ? chunksOf(rows, mostRows, mostLength) : []) {
      const json = `{"events":[${chunk.join()}],"count":${chunk.length},${of}}`
      framing.change(frames, 'gamestate:update', json, width, now)
    }
    for (const chunk of ids.length > 0 ? chunksOf(ids, mostRows, mostLength) : []) {
      const json = `{"ids":[${chunk.join()}],"count":${chunk.length},${of}}`
      framing.change(frames, 'gamestate:removed', json, width, now)
    }
  }
}
