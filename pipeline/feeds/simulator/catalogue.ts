/** The leagues of `data/leagues.json`: their sides, their calendar, and their weight at sportsbooks. */
import {
  count,
  figure,
  flag,
  optional,
  readDataFile,
  recordOf,
  row,
  type TypeOf,
  text,
} from '../../../schemas/data-file.ts'
import { findLeague } from '../../../schemas/reference/leagues.ts'
import rows from './data/leagues.json' with { type: 'json' }
import { createEntrants } from './entrants.ts'
import { type LeagueCalendar, leagueCalendars } from './league-calendars.ts'
import type { Participant } from './participants.ts'
import { createDealer } from './people.ts'
import { type SportModel, sportModels } from './sport-models.ts'

export interface SimulatedLeague {
  readonly id: string
  readonly sport: string
  /** Its names at sportsbooks; the first is the usual one. */
  readonly names: readonly string[]
  readonly model: SportModel
  readonly calendar: LeagueCalendar
  /** Whether sportsbooks list player markets on it. */
  readonly hasProps: boolean
  /** Whether most sportsbooks list it. */
  readonly isMajor: boolean
  /** How long before its start a game is listed if there is room for it. */
  readonly listedHours: number
  readonly participants: readonly Participant[]
}

/** The figures of its sport that differ in this league. */
const ownModel = row({
  total: figure,
  totalSd: optional(figure),
  marginSd: optional(figure),
  strengthSd: optional(figure),
  periods: optional(row({ name: text, count })),
})
const entry = row({
  listedHours: count,
  isMajor: optional(flag),
  hasProps: optional(flag),
  model: optional(ownModel),
})

/** Matches keys of outright winners and of contracts: they name the league but list no games. */
const otherThanGames = /winner|^KX|^.{1,2}$/

const entrantsOf = createEntrants(createDealer())

function leagueOf([name, stated]: [string, TypeOf<typeof entry>]): SimulatedLeague {
  const league = findLeague(name)
  const model = league && sportModels[league.sport]
  const calendar = leagueCalendars[name]
  if (!league || !model || !calendar) throw new Error(`no league, model or calendar for ${name}`)
  const { id, sport } = league
  const { listedHours, isMajor = false, hasProps = false } = stated
  const spellings = league.aliases.filter(
    (alias) => findLeague(alias, sport)?.id === id && !otherThanGames.test(alias),
  )
  return {
    id,
    sport,
    names: [league.name, id, ...spellings],
    model: { ...model, ...stated.model },
    calendar,
    hasProps,
    isMajor,
    listedHours,
    participants: entrantsOf(id, sport, hasProps),
  }
}

export const simulatedLeagues: readonly SimulatedLeague[] = Object.entries(
  readDataFile('pipeline/feeds/simulator/data/leagues.json', recordOf(entry), rows),
).map(leagueOf)
