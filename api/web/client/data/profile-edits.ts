/**
 * Changes of the profile, one after the other. Each is applied to the profile as it is read just before it is written:
 * another tab or device may have changed it, and a list replaces the former one.
 */

import type { Profile } from '../../wire.ts'
import { LostAnswerError } from './lost-answer.ts'
import type { ProfileEdit } from './profile.ts'
import { leavesWriteOpen } from './refused.ts'

/** Returns what to change of a profile. It is called again with a newer one. */
export type ProfileChange = (profile: Profile) => ProfileEdit

export interface ProfileEditsOptions {
  /** @param signal ends the request of a change that takes too long */
  readonly read: (signal?: AbortSignal) => Promise<Profile>
  readonly write: (edit: ProfileEdit, signal: AbortSignal) => Promise<void>
  readonly onProfile: (profile: Profile) => void
  /**
   * @param message why the last change was refused; null as another one begins
   * @param mayBeDone whether the change may be stored all the same
   */
  readonly onRefused: (message: string | null, mayBeDone: boolean) => void
}

export interface ProfileEdits {
  /** Reads the profile. What was read beside a change is out of date, and ignored. */
  read(): Promise<void>
  /** Shows the change at once, and writes it. Before the first read it does nothing. */
  edit(change: ProfileChange): Promise<void>
}

/** A change without an answer fails after this time, because later ones wait for it. */
const longestChangeMs = 20_000

export function createProfileEdits(options: ProfileEditsOptions): ProfileEdits {
  const { read, write, onProfile, onRefused } = options
  /** The profile as it was read or written last. */
  let known: Profile | null = null
  /** Changes that are shown and not written yet. */
  let pending: readonly ProfileChange[] = []
  /** Counts begun and ended changes. */
  let turns = 0
  let last: Promise<void> = Promise.resolve()

  function show() {
    if (known === null) return
    let shown = known
    for (const change of pending) shown = { ...shown, ...change(shown) }
    onProfile(shown)
  }

  async function store(change: ProfileChange) {
    const limit = new AbortController()
    let isSent = false
    const timer = setTimeout(() => limit.abort(new LostAnswerError(isSent)), longestChangeMs)
    try {
      const before = await read(limit.signal)
      known = before
      const edit = change(before)
      isSent = true
      await write(edit, limit.signal)
      known = { ...before, ...edit }
    } catch (error) {
      onRefused((error as Error).message, isSent && leavesWriteOpen(error))
    } finally {
      clearTimeout(timer)
    }
    turns++
    pending = pending.filter((one) => one !== change)
    show()
  }

  return {
    async read() {
      const turn = turns
      const profile = await read()
      if (turn !== turns || pending.length > 0) return
      known = profile
      show()
    },
    edit(change) {
      if (known === null) return Promise.resolve()
      turns++
      onRefused(null, false)
      pending = [...pending, change]
      show()
      last = last.then(() => store(change))
      return last
    },
  }
}
