/** How often the rows of sources are written, and how long one counts that is not (ms). */

/** The rows of running sources are written so often; between times, when a state changes. */
export const sourceWriteMs = 5_000
/** A row that was not written for so long is of a process that has ended. */
export const sourceSilentMs = 6 * sourceWriteMs
/** A row that was not written for so long is of a source that nobody runs any more. */
export const sourceForgottenMs = 10 * 60_000
