/** Keeps a second click from repeating work that still runs. */

/**
 * Returns a function that runs one piece of work at a time. It drops work that comes while another runs.
 * @param onBusy called when work begins (true) and when it ends (false)
 */
export function oneAtATime(onBusy: (isBusy: boolean) => void) {
  let isBusy = false
  function set(to: boolean) {
    isBusy = to
    onBusy(to)
  }
  return async (work: () => Promise<void>): Promise<void> => {
    if (isBusy) return
    set(true)
    try {
      await work()
    } finally {
      set(false)
    }
  }
}
