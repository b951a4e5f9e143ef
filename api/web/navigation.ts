/** The navigation of pages that are made whole; the board's script draws its own from the same list. */

import { isCurrent, places } from './places.ts'

/** @param path of the page it stands on @returns links that go into a template's `{{places}}` */
export const placeLinks = (path: string): string =>
  places
    .map(([place, name]) => {
      const current = isCurrent(place, path) ? ' aria-current="page"' : ''
      return `<a href="${place}"${current}>${name}</a>`
    })
    .join(' ')
