/** Replaces results of the archive when it is unavailable. */

import { ApiError } from '../errors.ts'

/**
 * Returns the result of `work`, or that of `otherwise` if the archive failed.
 * @throws ApiError work_limited, and every error that does not come from the archive
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
