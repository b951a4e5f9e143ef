/** Calls of the caller's own functions. */

/**
 * Calls a caller's function. An error that it throws is thrown again in a microtask, where it is an uncaught error of
 * the caller's program, and changes nothing here.
 */
export function call<Value>(callback: ((value: Value) => void) | undefined, value: Value) {
  try {
    callback?.(value)
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
