/** The API reference: a component that reads the service's own document. */
import 'rapidoc'

// Its pane scrolls, but only a mouse could: whoever has but a keyboard has to be able to come to it.
const root = document.querySelector('rapi-doc')?.shadowRoot
if (root) {
  new MutationObserver(() => root.querySelector('main')?.setAttribute('tabindex', '0')).observe(
    root,
    { childList: true, subtree: true },
  )
}
