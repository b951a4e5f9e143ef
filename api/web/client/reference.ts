/** The API reference: a component that shows the service's OpenAPI document. */
import 'rapidoc'

const element = document.querySelector('rapi-doc')!
const light = matchMedia('(prefers-color-scheme: light)')
// Narrow screens have no room for the list of routes, so routes unfold one by one.
const narrow = matchMedia('(max-width: 768px)')

/** Applies the colours of the other pages. */
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
    // Makes the scrolling pane reachable by keyboard.
    root.querySelector('main')?.setAttribute('tabindex', '0')
    // The component puts the licence 15 pixels too far left, off a phone's screen.
    root.querySelector<HTMLElement>('#api-info')?.style.setProperty('margin-left', '0')
  }).observe(root, { childList: true, subtree: true })
}
