/**
 * The time when each part of the board last changed. **Stamps** are the board's own times: epoch µs, each used once,
 * never going back. Each change stamps its parts of the board, so that a reader of some parts need
 * not check the others. The **shape** is the set of events with their sportsbooks, and of market
 * types.
 */

/** The stamp of the newest change to something, sightings included; 0 for none yet. */
export interface Changed {
  stamp: number
}

/** A part of the board; without any field, all of it. */
export interface BoardPart {
  readonly eventIds?: readonly string[] | undefined
  readonly leagues?: readonly string[] | undefined
  readonly sports?: readonly string[] | undefined
  readonly marketTypes?: readonly string[] | undefined
}

/** The stamps that an event sets with each of its changes. */
export interface StampedEvent {
  readonly changed: Changed
  readonly leagueChanged: Changed
  readonly sportChanged: Changed
  /** The newest change in its league that belongs to no single market: sightings, names, starts. */
  readonly leagueSeen: Changed
}

/** Keys of the parts of the board that are tracked separately. */
const partKey = {
  sport: (sport: string) => `sport:${sport}`,
  league: (league: string) => `league:${league}`,
  leagueSeen: (league: string) => `seen:${league}`,
  leagueMarket: (league: string, marketType: string) => `${league}|${marketType}`,
}

export interface Stamps {
  /** The newest stamp, or the clock if that is later. */
  readonly watermark: number
  readonly shapeStamp: number
  /** Moves the clock on. @param at epoch ms */
  moveTo(at: number): void
  /** Notes that an event, a sportsbook, its prices on an event, or a market type came or went. */
  reshape(): void
  /** Returns the stamps that a new event of a league sets. */
  ofEvent(league: string, sport: string): StampedEvent
  ofMarket(league: string, marketType: string): Changed
  /** Stamps a change of the event. @returns the stamp */
  stamp(event: StampedEvent): number
  /** Stamps a change of the event that belongs to no single market. */
  stampSeen(event: StampedEvent): void
  /** See `BoardView.watch`. */
  watch(part: BoardPart): () => number
  /** Resets all parts. */
  clear(): void
}

/** @param findEvent returns the stamps of an event; undefined for one that does not exist */
export function createStamps(findEvent: (id: string) => StampedEvent | undefined): Stamps {
  let watermark = 0
  let shapeStamp = 0
  let parts = new Map<string, Changed>()
  const board: Changed = { stamp: 0 }

  function reshape() {
    shapeStamp = ++watermark
    board.stamp = shapeStamp
  }

  function part(key: string): Changed {
    let changed = parts.get(key)
    if (!changed) {
      changed = { stamp: 0 }
      parts.set(key, changed)
      // A reader that watches for a missing event must look again.
      reshape()
    }
    return changed
  }

  function stamp(event: StampedEvent): number {
    const now = ++watermark
    event.changed.stamp = now
    event.leagueChanged.stamp = now
    event.sportChanged.stamp = now
    board.stamp = now
    return now
  }

  /** Returns the changes to watch for a part of the board of the current shape. */
  function changesOf({ eventIds, leagues, sports, marketTypes }: BoardPart): readonly Changed[] {
    const known = (keys: readonly string[]) => keys.flatMap((key) => parts.get(key) ?? [])
    if (eventIds) return eventIds.flatMap((id) => findEvent(id)?.changed ?? [])
    if (leagues && marketTypes) {
      return known(
        leagues.flatMap((league) => [
          partKey.leagueSeen(league),
          ...marketTypes.map((marketType) => partKey.leagueMarket(league, marketType)),
        ]),
      )
    }
    if (leagues) return known(leagues.map(partKey.league))
    return sports ? known(sports.map(partKey.sport)) : [board]
  }

  return {
    get watermark() {
      return watermark
    },
    get shapeStamp() {
      return shapeStamp
    },
    moveTo(at) {
      watermark = Math.max(watermark, 1_000 * at)
    },
    reshape,
    ofEvent: (league, sport) => ({
      changed: { stamp: 0 },
      leagueChanged: part(partKey.league(league)),
      sportChanged: part(partKey.sport(sport)),
      leagueSeen: part(partKey.leagueSeen(league)),
    }),
    ofMarket: (league, marketType) => part(partKey.leagueMarket(league, marketType)),
    stamp,
    stampSeen(event) {
      event.leagueSeen.stamp = stamp(event)
    },
    watch(of) {
      let seenShape = -1
      let watched: readonly Changed[] = []
      return () => {
        if (seenShape !== shapeStamp) {
          seenShape = shapeStamp
          watched = changesOf(of)
        }
        let newest = seenShape
        for (const changed of watched) if (changed.stamp > newest) newest = changed.stamp
        return newest
      }
    },
    clear() {
      parts = new Map()
    },
  }
}
