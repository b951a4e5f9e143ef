/** What bets say where the archive cannot answer now. */

import { ApiError } from '../errors.ts'

/**
 * The result of `work`, or that of `otherwise` where the archive has failed.
 * @throws ApiError work_limited, and every error that is no answer of the archive
 */
export async function orWithoutArchive<Result>(
  work: () => Promise<Result>,
  otherwise: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'work_limited') throw error
    return otherwise()
  }
}
