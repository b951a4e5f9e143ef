/** Where the pages of the service are. */

/** In examples, which are read wherever the service is. */
export const ownAddress = 'http://127.0.0.1:3000'

/** The pages that every page leads to, in this order and by these names. */

export const places = [
  ['/', 'Board'],
  ['/opportunities', 'Opportunities'],
  ['/sources', 'Sources'],
  ['/keys', 'Keys'],
  ['/status', 'Status'],
  ['/docs', 'Guides'],
] as const

/** The place of a page is current there; of a guide and of the references, the place of the guides. */
export const isCurrent = (place: string, path: string) =>
  place === path || (place === '/docs' && path.startsWith('/docs/'))
