/** The paths of the pages. */

/** Address of the service in examples. Guides replace it with the reader's. */
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

/** Returns whether a place is current at a path. All guides and references belong to the guides. */
export const isCurrent = (place: string, path: string) =>
  place === path || (place === '/docs' && path.startsWith('/docs/'))
