/** The forms of texts that only the service issues, and clients send back. Whether one is ours is checked elsewhere. */

import { formed } from './query.ts'

/** A signature of 16 characters, and the place that it signs. */
export const cursorForm = /^[A-Za-z0-9_-]{18,}$/

/**
 * `v3:…`, or an older position without a version: the log and the offsets of two to four tables.
 */
const positionForm = /^(?:v[1-9][0-9]*:.+|[^:]+:[0-9][0-9.]*(?:-[0-9][0-9.]*){1,3})$/

/**
 * The most characters of a position: a sealed one of 200 partitions has 8,102. The service issues none that is longer,
 * so that it takes each one back.
 */
export const longestPosition = 8_200

/** A position of the board. */
export const position = (of: { readonly description: string }) =>
  formed({
    ...of,
    pattern: positionForm,
    problem: 'must be a position from a stream',
    maxLength: longestPosition,
  })
