/** Fields of `meta` in responses about the past. */

import type { ArchiveHealth } from '../../pipeline/archive/archive-watch.ts'
import { isoTime } from '../../pipeline/text/iso-time.ts'
import type { Scope } from '../access/scope.ts'

export const pastMetaOf = ({ then }: Scope) =>
  then === undefined
    ? {}
    : {
        as_of: isoTime(then.asOf),
        archived_until: then.archivedUntil === null ? null : isoTime(then.archivedUntil),
      }

/** Returns how far the archive is behind the log, in the words of `/health`. Empty if it is not behind. */
export function archiveMetaOf(health: ArchiveHealth | null): {
  readonly archive?: { readonly records_behind: number; readonly seconds_behind: number | null }
} {
  if (!health?.behindRecords) return {}
  const { behindRecords, behindMs } = health
  const seconds = behindMs === null ? null : behindMs / 1_000
  return { archive: { records_behind: behindRecords, seconds_behind: seconds } }
}
