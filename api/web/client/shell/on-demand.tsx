/** Pages whose script is loaded only when the reader opens one of them. */

import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/**
 * Returns a component that loads another one, and shows it once it is there.
 * @param load as of a dynamic import, which browsers do once for all calls
 */
export function onDemand<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let Loaded: ComponentType<Props> | null = null
  return function OnDemand(props: Props) {
    const [hasFailed, setFailed] = useState(false)
    const [, redraw] = useState(0)
    useEffect(() => {
      if (Loaded) return
      load().then(
        (component) => {
          Loaded = component
          redraw((n) => n + 1)
        },
        () => setFailed(true),
      )
    }, [])
    if (Loaded) return <Loaded {...props} />
    return (
      <main class="waiting" aria-busy={!hasFailed}>
        {hasFailed ? <NotLoaded /> : <p role="status">Loading the page…</p>}
      </main>
    )
  }
}

/** Browsers remember a script that failed, and a new build has other scripts: only a reload helps. */
const NotLoaded = () => (
  <>
    <p role="alert">
      The page was not loaded: the service does not respond, or it has been updated.
    </p>
    <button type="button" onClick={() => location.reload()}>
      Reload
    </button>
  </>
)
