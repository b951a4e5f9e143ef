/** A count with its noun. */

/** Returns a text such as `1 game` or `1,200 games`. @param name of one */
export const countText = (count: number, name: string) =>
  `${count.toLocaleString('en')} ${name}${count === 1 ? '' : 's'}`
