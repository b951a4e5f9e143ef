/** Replaces results of the archive when it is unavailable. */

import { ApiError, type ErrorCode } from '../errors.ts'

/** Refusals that are about the request: another try of the same would not help, or has to wait for the account. */
const ofRequest: ReadonlySet<ErrorCode> = new Set(['work_limited', 'answer_too_large'])

/**
 * Returns the result of `work`, or that of `otherwise` if the archive failed.
 * @throws ApiError work_limited, answer_too_large, and every error that does not come from the archive
 */
export async function orWithoutArchive<Result>(
  work: () => Promise<Result>,
  otherwise: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError) || ofRequest.has(error.code)) throw error
    return otherwise()
  }
}
