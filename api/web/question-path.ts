/** The address of a question's prices on its event's page, for the pages themselves and for links in messages. */

/** The question that an address names; null for each part that it does not name. */
export interface Asked {
  readonly market: string | null
  readonly player: string | null
  readonly statistic: string | null
  /** `home` or `away`, for a team's total. */
  readonly team: string | null
  /** The line of the first side, as -4.5 of home; absent for the main line. */
  readonly line?: number
}

/** Returns the path of an event's page that shows a question. */
export function questionPath(
  eventId: string,
  { market, player, statistic, team, line }: Asked,
): string {
  const parts = Object.entries({ market, player, statistic, team, line }).flatMap(
    ([name, value]) => (value == null ? [] : `${name}=${encodeURIComponent(value)}`),
  )
  return `/events/${encodeURIComponent(eventId)}?${parts.join('&')}`
}

/** Returns the event whose page a path names; null for a path of no event's page, or one that cannot be decoded. */
export function eventIdAt(path: string): string | null {
  const [, encoded] = /^\/events\/([^/]+)$/.exec(path) ?? []
  try {
    return encoded === undefined ? null : decodeURIComponent(encoded)
  } catch {
    return null
  }
}

/** Returns the question that the parameters of an event's page name. */
export function askedIn(parameters: URLSearchParams): Asked {
  const line = Number.parseFloat(parameters.get('line') ?? '')
  return {
    market: parameters.get('market'),
    player: parameters.get('player'),
    statistic: parameters.get('statistic'),
    team: parameters.get('team'),
    ...(Number.isFinite(line) && { line }),
  }
}
