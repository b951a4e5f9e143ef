/** American odds, which write even money in two ways. */

/** Returns American odds as prices show them: even money is 100, though people also write -100. */
export const shownAmerican = (odds: number) => (odds === -100 ? 100 : odds)
