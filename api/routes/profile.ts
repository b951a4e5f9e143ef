/** `/api/v1/account/profile`: an account's own settings, read and changed with its keys only. */

import {
  ownBook,
  type ProfileChange,
  profile,
  profileAnswer,
  profileChange,
  profileChangeExample,
} from '../../schemas/http/profile.ts'
import type { OwnBook, ProfileRow } from '../../schemas/profile.ts'
import { findSportsbook, idOfSportsbook } from '../../schemas/reference/sportsbooks.ts'
import type { Tier } from '../../schemas/reference/tier-books.ts'
import type { ProfileFields, Profiles } from '../access/profiles.ts'
import { outsideTier, type Scope } from '../access/scope.ts'
import { itemOfRow } from '../answer/items.ts'
import { objectBody } from '../answer/json.ts'
import { readFilters } from '../ask/filters.ts'
import { invalid } from '../errors.ts'
import { accountActions, jsonBody, type Route } from '../route.ts'
import { exampleBody } from './account.ts'

const action = accountActions('/api/v1/account/profile')
const bodyBytes = 64 * 1024

export function createProfileRoutes(profiles: Profiles): Route[] {
  const answer = {
    description: 'The profile.',
    schema: profileAnswer,
    example: exampleBody(profileAnswer),
  }
  const bodyOf = (row: ProfileRow, scope: Scope) =>
    objectBody(shownProfile(row, scope), row.updatedAt)

  return [
    action('get', '', {
      summary: 'Your sportsbooks, bankroll and odds format.',
      description: '`books=mine` means these sportsbooks.',
      answer,
      tool: {
        name: 'get_profile',
        description: 'The account’s own sportsbooks with fees and limits; bankroll.',
        inputs: [],
        shape: {},
      },
      handle: ({ caller, scope }) => ({ body: bodyOf(profiles.of(caller.accountId), scope) }),
    }),

    action('patch', '', {
      summary: 'Changes the profile.',
      description:
        'Absent fields stay, null resets a field (a list to an empty one), a list replaces the old one. Sportsbooks that your tier does not see are kept but not used.',
      body: jsonBody(profileChange, bodyBytes, profileChangeExample),
      answer,
      errors: ['invalid_filter'],
      async handle({ caller, scope, body }) {
        const row = await profiles.change(caller.accountId, fieldsOf(body, scope))
        return { body: bodyOf(row, scope) }
      },
    }),
  ]
}

/** @throws ApiError invalid_filter for unknown names, validation_error for a sportsbook named twice */
function fieldsOf(change: ProfileChange, scope: Scope): Partial<ProfileFields> {
  const { sportsbooks, hidden_leagues, stake_unit, price_format, ...same } = change
  const fields: Record<string, unknown> = { ...same }
  if (stake_unit !== undefined) fields.stakeUnit = stake_unit
  if (price_format !== undefined) fields.priceFormat = price_format
  if (sportsbooks !== undefined) fields.sportsbooks = ownBooksOf(sportsbooks ?? [], scope)
  if (hidden_leagues !== undefined) {
    const named = hidden_leagues ?? []
    fields.hiddenLeagues = named.length === 0 ? [] : readFilters({ league: named }, scope).leagues
  }
  return fields
}

function ownBooksOf(
  sportsbooks: NonNullable<ProfileChange['sportsbooks']>,
  scope: Scope,
): readonly OwnBook[] {
  const unlisted = sportsbooks.flatMap(({ sportsbook }) =>
    findSportsbook(sportsbook) ? [] : [sportsbook],
  )
  readFilters({ sportsbook: unlisted }, scope)
  const books = sportsbooks.map(
    ({ sportsbook, commission_percent, max_stake, status = 'active' }) => ({
      sportsbook: idOfSportsbook(sportsbook),
      commission: commission_percent == null ? null : commission_percent / 100,
      maxStake: max_stake ?? null,
      status,
    }),
  )
  const ids = books.map((book) => book.sportsbook)
  const twice = ids.find((id, i) => ids.indexOf(id) !== i)
  if (twice === undefined) return books
  throw invalid(['sportsbooks'], `sportsbooks names ${twice} twice.`)
}

const shownProfile = (row: ProfileRow, { tier }: Scope) =>
  itemOfRow(profile, row, { sportsbooks: row.sportsbooks.map((book) => shownBook(book, tier)) })

const shownBook = (book: OwnBook, tier: Tier) =>
  itemOfRow(ownBook, book, {
    commission_percent: book.commission === null ? null : Math.round(1e6 * book.commission) / 1e4,
    is_included: outsideTier(tier, [book.sportsbook]) === undefined,
  })
