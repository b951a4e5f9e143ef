/** A page keeps what it was served with, to notice that the service was restarted with other settings or another build. */

/** Returns the settings and the script that a page names; null for a text that is none of our pages. */
export function servedWith(html: string): string | null {
  const settings = /<meta name="overround" content="([^"]*)"/.exec(html)?.[1]
  const script = /<script type="module" src="([^"]*)"/.exec(html)?.[1]
  if (settings === undefined || script === undefined) return null
  return `${settings.replaceAll('&quot;', '"').replaceAll('&amp;', '&')} ${script}`
}

/** Returns whether a page that is served now differs from the one that is shown. @param shown as `servedWith` */
export function isOutdated(shown: string, html: string): boolean {
  const served = servedWith(html)
  return served !== null && served !== shown
}
