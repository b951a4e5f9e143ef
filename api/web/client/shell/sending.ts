/** Returns what a form does as it is sent, in place of the browser's own request. */
export const sending = (send: () => void) => (event: Event) => {
  event.preventDefault()
  send()
}
