/** The navigation of pages without the board's script. The script draws its own from the same list. */

import { isCurrent, places } from './places.ts'

/** @param path of the current page @returns the links for a template's `{{places}}` */
export const placeLinks = (path: string): string =>
  places
    .map(([place, name]) => {
      const current = isCurrent(place, path) ? ' aria-current="page"' : ''
      return `<a href="${place}"${current}>${name}</a>`
    })
    .join(' ')
