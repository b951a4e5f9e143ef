/** A hook for the reader's profile: reads it, and saves what the reader changes of it on the pages. */

import { useCallback, useMemo, useRef, useState } from 'preact/hooks'
import type { Profile } from '../../wire.ts'
import type { Choices } from '../data/choices.ts'
import { ownBooksAs, type ProfileEdit } from '../data/profile.ts'
import { changeProfile, readProfile } from '../data/reference.ts'
import { keptProfile, session } from '../data/session.ts'

/** @returns the profile, null until `read` has read it, and the message of the last refused change */
export function useProfile() {
  const [ofAccount, setOfAccount] = useState<Profile | null>(null)
  const [kept, setKept] = useState<ProfileEdit>(keptProfile.read)
  const [refusal, setRefusal] = useState<string | null>(null)
  const hasOwnKey = session.hasOwnKey()
  const profile = useMemo(
    () => (ofAccount && !hasOwnKey ? { ...ofAccount, ...kept } : ofAccount),
    [ofAccount, kept, hasOwnKey],
  )
  const latest = useRef<Profile | null>(null)
  latest.current = profile
  /** Counts changes, because a read that began before one ended must not undo it. */
  const changes = useRef(0)
  const read = useCallback(async () => {
    const before = changes.current
    const next = await readProfile()
    if (changes.current === before) setOfAccount(next)
  }, [])
  const edit = useCallback(
    async (change: ProfileEdit) => {
      const shown = latest.current
      if (shown === null) return
      latest.current = { ...shown, ...change }
      if (!session.hasOwnKey()) {
        setKept((before) => {
          const next = { ...before, ...change }
          keptProfile.keep(next)
          return next
        })
        return
      }
      changes.current += 1
      setRefusal(null)
      setOfAccount(latest.current)
      try {
        await changeProfile(change)
        changes.current += 1
      } catch (error) {
        setRefusal((error as Error).message)
        await read().catch(() => setOfAccount(shown))
      }
    },
    [read],
  )
  /** Saves those of some choices that belong to the profile. */
  const save = useCallback(
    ({ format, books }: Partial<Choices>) => {
      const shown = latest.current
      if (shown === null || (format === undefined && books === undefined)) return
      edit({
        ...(format && { price_format: format }),
        ...(books && { sportsbooks: ownBooksAs(shown.sportsbooks, books) }),
      })
    },
    [edit],
  )
  return { profile, read, edit, save, refusal }
}
