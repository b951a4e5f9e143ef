/** The state of an account, as the operator's commands print it. */

interface Account {
  readonly disabled: boolean
  /** ISO time; null for never. */
  readonly expires_at: string | null
}

/** @param now epoch ms */
export function accountState({ disabled, expires_at }: Account, now: number) {
  if (disabled) return 'disabled'
  return expires_at !== null && now >= Date.parse(expires_at) ? 'expired' : 'active'
}
