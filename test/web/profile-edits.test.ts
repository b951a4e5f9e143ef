/** Changes of a profile that is changed elsewhere too, and read while they are written. */

import { beforeEach, expect, it, vi } from 'vitest'
import { LostAnswerError } from '../../api/web/client/data/lost-answer.ts'
import { chosenBy, newOwnBook, type ProfileEdit } from '../../api/web/client/data/profile.ts'
import { createProfileEdits } from '../../api/web/client/data/profile-edits.ts'
import { RefusedError } from '../../api/web/client/data/refused.ts'
import type { Profile } from '../../api/web/wire.ts'

const empty: Profile = {
  ...{ sportsbooks: [], state: null, bankroll: null, kelly: null, stake_unit: null },
  ...{ price_format: null, currency: null, hidden_leagues: [], updated_at: null },
} as unknown as Profile

/** The account's profile, and requests that wait until the test answers them. */
let stored = empty
let shown: Profile | null = null
let refusals: (string | null)[] = []
let waiting: (() => void)[] = []
let isHeld = false
const answered = () =>
  isHeld ? new Promise<void>((resolve) => waiting.push(resolve)) : Promise.resolve()

beforeEach(() => {
  stored = empty
  shown = null
  refusals = []
  waiting = []
  isHeld = false
})

const open = () =>
  createProfileEdits({
    async read() {
      const as = stored
      await answered()
      return as
    },
    async write(edit: ProfileEdit) {
      if (edit.currency === 'XXX') throw new Error('no currency')
      stored = { ...stored, ...edit }
      await answered()
    },
    onProfile: (profile) => {
      shown = profile
    },
    onRefused: (message) => refusals.push(message),
  })

const booksOf = (profile: Profile | null) =>
  profile!.sportsbooks.map(({ sportsbook }) => sportsbook)
const add =
  (id: string) =>
  ({ sportsbooks }: Profile): ProfileEdit => ({ sportsbooks: [...sportsbooks, newOwnBook(id)] })

it('a change without an answer fails, and the next one is written', async () => {
  vi.useFakeTimers()
  try {
    const edits = createProfileEdits({
      read: async () => stored,
      write: (edit, signal) =>
        new Promise((resolve, reject) => {
          if (edit.currency === 'USD') {
            signal.addEventListener('abort', () => reject(signal.reason))
            return
          }
          stored = { ...stored, ...edit }
          resolve()
        }),
      onProfile: (profile) => {
        shown = profile
      },
      onRefused: (message) => refusals.push(message),
    })
    await edits.read()
    void edits.edit(() => ({ currency: 'USD' }))
    void edits.edit(() => ({ state: 'NJ' }))
    await vi.advanceTimersByTimeAsync(60_000)
  } finally {
    vi.useRealTimers()
  }
  expect(refusals.at(-1)).toContain('did not answer')
  expect(stored).toMatchObject({ currency: null, state: 'NJ' })
  expect(shown).toMatchObject({ currency: null, state: 'NJ' })
})

it('a change that may be stored all the same is told from one that is not', async () => {
  const told: (string | boolean | null)[][] = []
  let lostAt = ''
  const edits = createProfileEdits({
    async read() {
      if (lostAt === 'read') throw new LostAnswerError(false)
      return stored
    },
    async write() {
      if (lostAt === 'write') throw new LostAnswerError(true)
      throw new RefusedError(403, { error: { code: 'forbidden', message: 'no' } }, null)
    },
    onProfile: () => {},
    onRefused: (...refusal) => told.push(refusal),
  })
  await edits.read()
  for (lostAt of ['read', 'write', '']) await edits.edit(() => ({ state: 'NJ' }))
  expect(told.filter(([message]) => message !== null)).toEqual([
    ['The service does not respond.', false],
    ['The service did not answer: what you sent may have been done.', true],
    ['no', false],
  ])
})

it('a list is written from the profile as it is, not as it was shown', async () => {
  const edits = open()
  await edits.read()
  // Another device adds one, which this page has not read yet.
  stored = { ...stored, sportsbooks: [newOwnBook('fanduel')] }
  const done = edits.edit(add('betmgm'))
  expect(booksOf(shown)).toEqual(['betmgm'])
  await done
  expect(booksOf(stored)).toEqual(['fanduel', 'betmgm'])
  expect(booksOf(shown)).toEqual(['fanduel', 'betmgm'])
})

it('two changes in a row are both written, and shown once each', async () => {
  const edits = open()
  await edits.read()
  await Promise.all([edits.edit(add('fanduel')), edits.edit(add('betmgm'))])
  expect([booksOf(stored), booksOf(shown)]).toEqual([
    ['fanduel', 'betmgm'],
    ['fanduel', 'betmgm'],
  ])
})

it('a read beside a change does not put the old profile back', async () => {
  const edits = open()
  await edits.read()
  isHeld = true
  const readBefore = edits.read()
  const change = edits.edit(() => ({ bankroll: 500 }))
  const readDuring = edits.read()
  isHeld = false
  for (const answer of waiting.splice(0)) answer()
  await Promise.all([readBefore, change, readDuring])
  for (const answer of waiting.splice(0)) answer()
  expect([stored.bankroll, shown!.bankroll]).toEqual([500, 500])
})

it('a refused change is said and shown no more', async () => {
  const edits = open()
  await edits.read()
  const done = edits.edit(() => ({ currency: 'XXX' }))
  expect(shown!.currency).toBe('XXX')
  await done
  expect([shown!.currency, refusals]).toEqual([null, [null, 'no currency']])
})

it('the profile is shown as it was read for a change that is refused', async () => {
  const edits = open()
  await edits.read()
  stored = { ...stored, bankroll: 500 }
  await edits.edit(() => ({ currency: 'XXX' }))
  expect([shown!.currency, shown!.bankroll]).toEqual([null, 500])
})

it('a choice of sportsbooks keeps those that were added elsewhere, and not those removed there', () => {
  const profile = { ...empty, sportsbooks: ['betmgm', 'caesars'].map(newOwnBook) }
  // When the reader chose, FanDuel and BetMGM were in use. Pinnacle was added and BetMGM moved behind it.
  expect(chosenBy(profile, ['fanduel', 'betmgm'], ['fanduel', 'pinnacle', 'betmgm'])).toEqual([
    'pinnacle',
    'betmgm',
    'caesars',
  ])
  expect(chosenBy(profile, ['fanduel', 'betmgm'], ['fanduel'])).toEqual(['caesars'])
})
