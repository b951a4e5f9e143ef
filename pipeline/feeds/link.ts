/** Pages of sportsbooks: what an address must be so that a client may be sent there. */

export const linkMaxLength = 2_000

/** Whether a text is an http address and no other: a client may open it. */
export const isLink = (text: string): boolean =>
  typeof text === 'string' &&
  text.length <= linkMaxLength &&
  /^https?:\/\/[^\s/]/i.test(text) &&
  !/[\p{Cc}\p{Surrogate}]/u.test(text)

/** A stated page; null for what is none, because a price does not depend on its page. */
export const linkOf = (stated: string | null | undefined): string | null =>
  stated != null && isLink(stated) ? stated : null
