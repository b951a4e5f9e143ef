/** The sportsbook of a new bet. */

import { booksIn } from '../data/profile.ts'
import { useDesk } from '../shell/context.ts'
import { Select } from '../shell/select.tsx'

interface BookInputProps {
  /** Empty until one is named: a bet must not be kept at another by an oversight. */
  readonly value: string
  readonly onChoose: (sportsbook: string) => void
}

export function BookInput({ value, onChoose }: BookInputProps) {
  const { sportsbooks, profile } = useDesk()
  // The service does not list a name that is pushed while it has no prices.
  const unlisted = booksIn(profile).filter((book) => sportsbooks.every(({ id }) => id !== book))
  return (
    <label class="field">
      Sportsbook
      <Select
        required
        choices={[
          ['', 'Choose…'],
          ...sportsbooks
            .filter((book) => !book.is_reference)
            .map(({ id, display_name }) => [id, display_name] as const),
          ...unlisted.map((id) => [id, id] as const),
        ]}
        value={value}
        onChoose={onChoose}
      />
    </label>
  )
}
