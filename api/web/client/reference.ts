/** The API reference: a component that reads the service's own document. */
import 'rapidoc'

const element = document.querySelector('rapi-doc')!
const light = matchMedia('(prefers-color-scheme: light)')
// There is no room for its list of routes there: they are unfolded one by one instead.
const narrow = matchMedia('(max-width: 768px)')

/** In the colours of the other pages. */
function dress() {
  const style = getComputedStyle(document.documentElement)
  const colours = {
    'bg-color': '--ground',
    'text-color': '--text',
    'primary-color': '--accent',
    'nav-bg-color': '--panel',
    'nav-text-color': '--muted',
    'nav-hover-bg-color': '--raised',
    'nav-hover-text-color': '--text',
    'nav-accent-color': '--accent',
  }
  for (const [attribute, name] of Object.entries(colours)) {
    element.setAttribute(attribute, style.getPropertyValue(name).trim())
  }
  element.setAttribute('theme', light.matches ? 'light' : 'dark')
  element.setAttribute('render-style', narrow.matches ? 'view' : 'focused')
}
dress()
light.addEventListener('change', dress)
narrow.addEventListener('change', dress)

const root = element.shadowRoot
if (root) {
  new MutationObserver(() => {
    // Its pane scrolls, but only a mouse could: whoever has but a keyboard has to be able to come to it.
    root.querySelector('main')?.setAttribute('tabindex', '0')
    // The licence stands fifteen pixels left of everything else, on a phone out of sight.
    root.querySelector<HTMLElement>('#api-info')?.style.setProperty('margin-left', '0')
  }).observe(root, { childList: true, subtree: true })
}
