/** GET /api/v1/deeplink/:id: leads to a price at its sportsbook (interface 4.11). */

import type { BoardView, ViewOffer } from '../../pipeline/views/board-view.ts'
import { choice, text } from '../../schemas/http/query.ts'
import { type DeepLinks, findSportsbook } from '../../schemas/reference/sportsbooks.ts'
import type { Boards } from '../boards.ts'
import { ApiError } from '../errors.ts'
import { type ActionRoute, openAction } from '../route.ts'

/** US states and territories with a sportsbook address of their own. */
const states =
  'al ak az ar ca co ct de dc fl ga hi id il in ia ks ky la me md ma mi mn ms mo mt ne nv nh nj nm ny nc nd oh ok or pa pr ri sc sd tn tx ut vt va wa wv wi wy'.split(
    ' ',
  )

export function createDeepLinkRoute(boards: Boards): ActionRoute {
  return openAction({
    method: 'get',
    path: '/api/v1/deeplink/:id',
    access: 'public',
    tag: 'deep links',
    summary: 'Go to a price at its sportsbook',
    description:
      'Redirects to the page of the event at the sportsbook, or to its homepage where it has no address for events or its id of the event is not known. `X-Deep-Link-Type` says which.',
    query: {
      state: choice(states, { description: 'US state, by its two letters; default pa.' }),
      book: text({ description: 'Only a price of this sportsbook.', maxLength: 60 }),
    },
    pathParameters: { id: 'The id of a price, 15 digits.' },
    answers: { 302: { description: 'Location is the page at the sportsbook.' } },
    // Nobody follows more links than that; who guesses ids learns what a sportsbook lists.
    perMinute: 60,
    errors: ['validation_error', 'not_found', 'rate_limited'],
    handle({ path, query }) {
      const { id = '' } = path
      const { state = 'pa', book } = query
      const offer = offerOf(boards.live, id)
      const known = offer && findSportsbook(offer.sportsbook)
      const isAsked = book === undefined || findSportsbook(book)?.id === known?.id
      if (!offer || !known?.deepLinks || !isAsked) {
        throw new ApiError('not_found', 'No price with a link has this id.')
      }
      const { type, url } = linkTo(known.deepLinks, offer.externalId, state)
      return {
        status: 302,
        headers: {
          Location: url,
          'Cache-Control': 'private, max-age=60',
          'X-Deep-Link-Type': type,
        },
      }
    },
  })
}

function offerOf({ rows }: BoardView, id: string): ViewOffer | undefined {
  if (!/^\d{15}$/.test(id)) return undefined
  const row = rows.find(Number(id))
  return row < 0 ? undefined : (rows.sighted(row) as ViewOffer)
}

/** The nearest page there is an address for. @param state two letters, lower case */
function linkTo(
  { homepage, stateHomepage, event }: DeepLinks,
  externalId: string | null,
  state: string,
): { type: 'event' | 'homepage'; url: string } {
  if (event !== undefined && externalId !== null) {
    const url = event
      .replaceAll('{event_id}', encodeURIComponent(externalId))
      .replaceAll('{state}', state)
    return { type: 'event', url }
  }
  return { type: 'homepage', url: stateHomepage?.replaceAll('{state}', state) ?? homepage }
}
