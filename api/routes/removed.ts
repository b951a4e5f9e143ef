/** Former paths: 410 with the path to use instead (interface 7 and 9, supplement 3.7). */

import { ApiError } from '../errors.ts'
import { type ActionRoute, openAction } from '../route.ts'

/** Null if there is no successor. */
const successors: Readonly<Record<string, string | null>> = {
  '/ev': '/opportunities/ev',
  '/positive-ev': '/opportunities/ev',
  '/value-bets': '/opportunities/ev',
  '/arbitrage': '/opportunities/arbitrage',
  '/middles': '/opportunities/middles',
  '/low_hold': '/opportunities/low-hold',
  '/low-hold': '/opportunities/low-hold',
  '/me': '/account',
  '/me/usage': '/account/usage',
  '/schedule': '/events',
  '/events/live': '/events',
  '/events/search': '/events',
  '/events/list': '/events',
  '/events/all': '/events',
  '/events/find': '/events',
  '/historical/odds/movements': null,
  '/historical/opportunities': null,
  '/historical/opportunities/:id': null,
  '/historical/summary': null,
}

export const removedPaths: readonly ActionRoute[] = Object.entries(successors).flatMap(
  ([path, successor]) =>
    (['get', 'post', 'patch', 'delete'] as const).map((method) =>
      openAction({
        method,
        path: `/api/v1${path}`,
        access: 'public',
        tag: 'removed',
        summary: successor === null ? 'No longer served' : `Replaced by ${successor}`,
        isHidden: true,
        namesKey: true,
        takesAnyQuery: true,
        query: {},
        answer: null,
        errors: [successor === null ? 'gone' : 'unknown_endpoint'],
        handle() {
          if (successor === null) {
            throw new ApiError('gone', 'This path is no longer served and has no successor.')
          }
          throw new ApiError('unknown_endpoint', `Use ${successor} instead.`, {
            correct_endpoint: successor,
          })
        },
      }),
    ),
)
