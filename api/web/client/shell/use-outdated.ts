/** A hook that notices a restart of the service with other settings, which a page has from its load, or another build. */

import { isOutdated } from '../data/served-page.ts'
import { usePolled } from './polled.ts'

const everyMs = 60_000

const meta = document.querySelector<HTMLMetaElement>('meta[name=overround]')
const script = document.querySelector('script[type=module]')
const shown = `${meta?.content} ${script?.getAttribute('src')}`

/** Returns whether the page should be loaded anew. */
export function useOutdated(): boolean {
  const { value } = usePolled(
    async () => {
      // The browser revalidates its copy, so an unchanged page is not sent again.
      const response = await fetch('/', { cache: 'no-cache', credentials: 'omit' })
      return response.ok && isOutdated(shown, await response.text())
    },
    everyMs,
    [],
  )
  return value === true
}
