/** What `meta` says of an answer about the past. */

import { isoTime } from '../../pipeline/text/iso-time.ts'
import type { Scope } from '../access/scope.ts'

export const pastMetaOf = ({ then }: Scope) =>
  then === undefined
    ? {}
    : {
        as_of: isoTime(then.asOf),
        archived_until: then.archivedUntil === null ? null : isoTime(then.archivedUntil),
      }
