/** A hook for the profile of the account: reads it, and saves what the reader changes of it on the pages. */

import { useCallback, useRef, useState } from 'preact/hooks'
import type { Choices } from '../data/choices.ts'
import { ownBooksAs, type Profile } from '../data/profile.ts'
import { changeProfile, readProfile } from '../data/reference.ts'

/** @returns the profile, null until `read` has read it, and the message of the last refusal to change it */
export function useProfile() {
  const [profile, setProfile] = useState<Profile | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const latest = useRef<Profile | null>(null)
  latest.current = profile
  /** A read that began before the end of a change must not undo it. */
  const changes = useRef(0)
  const read = useCallback(async () => {
    const before = changes.current
    const next = await readProfile()
    if (changes.current === before) setProfile(next)
  }, [])
  const save = useCallback(
    async ({ format, books }: Partial<Choices>) => {
      const shown = latest.current
      if (shown === null || (format === undefined && books === undefined)) return
      const edit = {
        ...(format && { price_format: format }),
        ...(books && { sportsbooks: ownBooksAs(shown.sportsbooks, books) }),
      }
      changes.current += 1
      setRefusal(null)
      latest.current = { ...shown, ...edit }
      setProfile(latest.current)
      try {
        await changeProfile(edit)
        changes.current += 1
      } catch (error) {
        setRefusal((error as Error).message)
        await read().catch(() => setProfile(shown))
      }
    },
    [read],
  )
  return { profile, read, save, refusal }
}
