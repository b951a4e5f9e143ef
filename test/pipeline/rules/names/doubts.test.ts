import { expect, test } from 'vitest'
import { findDoubt } from '../../../../pipeline/rules/names/doubts.ts'

const game = ([home, away]: readonly [string, string]) => ({ home, away })
const options = { sport: 'soccer', resolveTeam: () => undefined }

test.each([
  // A slip, or a name within the other, against opponents who are likely the same.
  [['MK Dons', 'AL-Merrikh'], ['Milton Keynes Dons', 'Al Merreikh'], true],
  [['CF Estrela da Amadora', 'Kalcer Radomlje'], ['CF Estrela', 'NK Radomlje'], true],
  // Nothing in common, against an opponent who is the same, and against one who is only likely so.
  [['Grundfos FC', 'Ferencvaros'], ['Carbonex FC', 'Ferencvaros'], false],
  [['FK Spartaks', 'Aubagne FC'], ['Spartak Trnava', 'Galatasaray'], null],
  // A difference of letters that separates two teams all the same.
  [['Slovenia', 'Malta'], ['Slovakia', 'Malta'], null],
  [['Germany U19', 'Malta'], ['Germany U18', 'Malta'], null],
] as const)('%j and %j: a doubt, partly named: %s', (one, other, isPartlyNamed) => {
  const doubt = findDoubt(game(one), game(other), options)
  expect(doubt?.isPartlyNamed ?? null).toBe(isPartlyNamed)
})
