/** Replaces results of the archive when it is unavailable. */

import { ArchiveLoadError } from '../archive-access.ts'
import { ApiError } from '../errors.ts'

/**
 * Returns the result of a read, or that of `otherwise` if the archive failed. Errors about the
 * request itself are passed on: the same request would fail again, or must wait for the account.
 * @throws ApiError work_limited, answer_too_large, and every error that does not come from the archive
 */
export const orWithoutArchive = <Result>(
  work: () => Promise<Result>,
  otherwise: () => Result | Promise<Result>,
): Promise<Result> =>
  unlessOfRequest(work, otherwise, (error) => {
    const isTooLarge = error.code === 'answer_too_large' && !(error instanceof ArchiveLoadError)
    return isTooLarge || error.code === 'work_limited'
  })

/**
 * Returns the same for a look-up of bets, which loses nothing without the archive: they are looked up again later.
 * @throws ApiError work_limited, and every error that does not come from the archive
 */
export const orStoredWithoutArchive = <Result>(
  work: () => Promise<Result>,
  otherwise: () => Result | Promise<Result>,
): Promise<Result> => unlessOfRequest(work, otherwise, ({ code }) => code === 'work_limited')

async function unlessOfRequest<Result>(
  work: () => Promise<Result>,
  otherwise: () => Result | Promise<Result>,
  isOfRequest: (error: ApiError) => boolean,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError) || isOfRequest(error)) throw error
    return otherwise()
  }
}
