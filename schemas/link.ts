/** Pages of sportsbooks: the addresses a client may be sent to. */

export const linkMaxLength = 2_000

/** Returns whether a text is an http or https address, which a client may open. */
export const isLink = (text: string): boolean =>
  typeof text === 'string' &&
  text.length <= linkMaxLength &&
  /^https?:\/\/[^\s/]/i.test(text) &&
  !/[\p{Cc}\p{Surrogate}]/u.test(text)

/** Returns the address as stated, or null: a bad address does not invalidate the price. */
export const linkOf = (stated: string | null | undefined): string | null =>
  stated != null && isLink(stated) ? stated : null
