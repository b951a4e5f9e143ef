/** Tells whether the service now serves its pages with other settings or another script than the open page has. */

/** Returns the settings and the script that a page names; null for another page, such as a proxy's sign-in. */
export function servedWith(html: string): string | null {
  const settings = /<meta name="overround" content="([^"]*)"/.exec(html)?.[1]
  const script = /<script type="module" src="([^"]*)"/.exec(html)?.[1]
  if (settings === undefined || script === undefined) return null
  return `${settings.replaceAll('&quot;', '"').replaceAll('&amp;', '&')} ${script}`
}

/** Returns whether a page that is served now differs from the one that is shown. @param shown the result of `servedWith` for the open page */
export function isOutdated(shown: string, html: string): boolean {
  const served = servedWith(html)
  return served !== null && served !== shown
}
