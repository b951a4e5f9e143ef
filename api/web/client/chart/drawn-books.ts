/** Which sportsbooks a chart draws: those that the reader has chosen, else the first of the default order. */

/** Most lines on the chart by default. A reader may choose more. */
const mostByDefault = 9

/** Returns the sportsbooks with the reader's own before the others, in their order. */
export const ownFirst = (ids: readonly string[], own: readonly string[]): readonly string[] => [
  ...own.filter((id) => ids.includes(id)),
  ...ids.filter((id) => !own.includes(id)),
]

/**
 * Returns the sportsbooks to draw.
 * @param offered those with a price of the line, the first of which are drawn by default
 * @param chosen by the reader, on any line; the default counts where none of them is offered
 */
export function drawnBooks(
  offered: readonly string[],
  chosen: readonly string[],
): readonly string[] {
  const kept = offered.filter((id) => chosen.includes(id))
  return kept.length > 0 ? kept : offered.slice(0, mostByDefault)
}

/** Returns the reader's choice after a click on one of the offered sportsbooks. Those of other lines stay chosen. */
export function toggled(
  id: string,
  offered: readonly string[],
  chosen: readonly string[],
): readonly string[] {
  const drawn = drawnBooks(offered, chosen)
  const others = chosen.filter((one) => !offered.includes(one))
  const next = drawn.includes(id) ? drawn.filter((one) => one !== id) : [...drawn, id]
  return [...others, ...next]
}
