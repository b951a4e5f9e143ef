import { expect, it } from 'vitest'
import { misspeltBooks } from '../../api/ask/misspelt-books.ts'
import { examine } from '../../api/command-line/doctor.ts'
import { readConfig } from '../../pipeline/settings/config.ts'
import { sportsbooks } from '../../schemas/reference/sportsbooks.ts'

const sharp = (name: string) => misspeltBooks(readConfig({ OVERROUND_SHARP_BOOK: name }))

it.each([
  ['pinacle', 'pinnacle'],
  ['pinnacel', 'pinnacle'],
  ['pinnaclee', 'pinnacle'],
  ['draftkngs', 'draftkings'],
  ['pinball', null],
])('a sharp book named %s may be %s', (name, meant) => {
  expect(sharp(name)).toEqual(
    meant === null ? [] : [{ setting: 'OVERROUND_SHARP_BOOK', name, meant }],
  )
})

it('an anchor may be misspelt too, and is told of once', () => {
  const text = 'nba=pinacle,our_model,consensus;nhl=pinacle,pinnacle'
  expect(misspeltBooks(readConfig({ OVERROUND_ANCHORS: text }))).toEqual([
    { setting: 'OVERROUND_ANCHORS', name: 'pinacle', meant: 'pinnacle' },
  ])
})

it('an anchor may mean a reference of one’s own', () => {
  const found = (anchors: string) =>
    misspeltBooks(readConfig({ OVERROUND_REFERENCES: 'our_model,elo', OVERROUND_ANCHORS: anchors }))
  expect(found('nba=our_modle,elo')).toEqual([
    { setting: 'OVERROUND_ANCHORS', name: 'our_modle', meant: 'our_model' },
  ])
  expect(found('nba=our_model,desk')).toEqual([])
})

it('known sportsbooks and names of one’s own are not doubted', () => {
  for (const { id, displayName } of sportsbooks) {
    expect(misspeltBooks(readConfig({ OVERROUND_REFERENCES: `${id},${displayName}` }))).toEqual([])
  }
  for (const own of ['our_model', 'desk', 'elo', 'my_prices', 'consensus_v2']) {
    expect(sharp(own)).toEqual([])
  }
})

it('the check-up warns of each, with the name that was probably meant', async () => {
  const environment = {
    OVERROUND_ARCHIVE: 'off',
    OVERROUND_LISTENER: 'node',
    OVERROUND_PORT: '0',
    OVERROUND_REFERENCES: 'our_model,pinacle',
  }
  const checks = await examine(environment, null)
  expect(checks.filter(({ name }) => name === 'settings')).toEqual([
    { name: 'settings', state: 'ok', found: '4 of the environment, all known', next: null },
    {
      name: 'settings',
      state: 'warn',
      found: 'OVERROUND_REFERENCES names pinacle, which is no sportsbook we know',
      next: 'If it is not a name of your own, write pinnacle.',
    },
  ])
})
