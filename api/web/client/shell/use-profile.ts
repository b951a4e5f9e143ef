/** A hook for the reader's profile: reads it, and saves what the reader changes of it on the pages. */

import { useCallback, useMemo, useRef, useState } from 'preact/hooks'
import type { Profile } from '../../wire.ts'
import type { Choices } from '../data/choices.ts'
import { booksIn, chosenBy, ownBooksAs, type ProfileEdit } from '../data/profile.ts'
import { createProfileEdits, type ProfileChange } from '../data/profile-edits.ts'
import { changeProfile, readProfile } from '../data/reference.ts'
import { keptProfile, session } from '../data/session.ts'

/** @returns the profile, null until `read` has read it, and what is said of the last refused change */
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
  const [edits] = useState(() =>
    createProfileEdits({
      read: readProfile,
      write: changeProfile,
      onProfile: setOfAccount,
      onRefused: (message, mayBeDone) =>
        setRefusal(
          message &&
            `Your profile ${mayBeDone ? 'may not have been' : 'was not'} changed: ${message}`,
        ),
    }),
  )
  const edit = useCallback((change: ProfileChange) => {
    if (session.hasOwnKey()) {
      edits.edit(change)
      return
    }
    if (latest.current === null) return
    // A list replaces the former one, so it is made of that which is kept now.
    const next = keptProfile.change(change({ ...latest.current, ...keptProfile.read() }))
    latest.current = { ...latest.current, ...next }
    setKept(next)
  }, [])
  /** Saves those of some choices that belong to the profile. */
  const save = useCallback(
    ({ format, books }: Partial<Choices>) => {
      const shown = latest.current
      if (shown === null || (format === undefined && books === undefined)) return
      const before = booksIn(shown)
      edit((profile) => ({
        ...(format && { price_format: format }),
        ...(books && {
          sportsbooks: ownBooksAs(profile.sportsbooks, chosenBy(profile, before, books)),
        }),
      }))
    },
    [edit],
  )
  return { profile, read: edits.read, edit, save, refusal }
}
