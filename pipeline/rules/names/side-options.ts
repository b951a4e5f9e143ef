/** The options for reading the sides of a league's games, by its id and its sport. */

import { memoise } from '../../../schemas/memoise.ts'
import { findTeam } from '../../../schemas/reference/teams.ts'
import type { SideOptions } from './game-sides.ts'

/** Returns one object per league and sport, because matching caches by the object. */
const optionsIn = memoise(
  (league) =>
    memoise(
      (sport): SideOptions => ({
        sport,
        league,
        resolveTeam(name) {
          const team = findTeam(name, league)
          return team && { key: team.id, name: team.name }
        },
      }),
      16,
    ),
  512,
)

export const sideOptionsOf = (sport: string, league: string): SideOptions =>
  optionsIn(league)(sport)
