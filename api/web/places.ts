/** The paths of the pages. */

/** The address of the service in examples; guides replace it by the reader's. */
export const ownAddress = 'http://127.0.0.1:3000'

/** The navigation, in this order. */
export const places = [
  ['/', 'Board'],
  ['/opportunities', 'Opportunities'],
  ['/alerts', 'Alerts'],
  ['/bets', 'Bets'],
  ['/profile', 'Profile'],
  ['/record', 'Record'],
  ['/tools', 'Calculators'],
  ['/sources', 'Sources'],
  ['/keys', 'Keys'],
  ['/status', 'Status'],
  ['/docs', 'Guides'],
] as const

/** Whether a place is current at a path; all guides and references belong to the guides. */
export const isCurrent = (place: string, path: string) =>
  place === path || (place === '/docs' && path.startsWith('/docs/'))
