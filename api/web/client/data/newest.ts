/** A page that stays open for days keeps the newest entries only. */

/** Drops the oldest entries beyond `most`. */
export function dropOldest(kept: Map<string, unknown> | Set<string>, most: number) {
  while (kept.size > most) kept.delete(kept.keys().next().value!)
}
