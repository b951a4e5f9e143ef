import { expect, test } from 'vitest'
import { playerNameOf } from '../../../pipeline/rules/player-names.ts'

test.each([
  ['Julián Álvarez', 'Julian Alvarez'],
  ['Julian  Alvarez ', 'Julian Alvarez'],
  ['J.J. Watt', 'JJ Watt'],
  ['Martin Ødegaard', 'Martin Odegaard'],
  ['De’Aaron Fox', "De'Aaron Fox"],
  ['LeBron James', 'LeBron James'],
  ['王楚钦', '王楚钦'],
])('%s is written %s', (stated, written) => {
  expect(playerNameOf(stated)).toBe(written)
})

test('a name is written as it is when it is written again', () => {
  for (const name of ['Nikola Jokić', 'Luka Dončić', 'C.J. McCollum']) {
    expect(playerNameOf(playerNameOf(name))).toBe(playerNameOf(name))
  }
})
