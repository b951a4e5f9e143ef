/**
 * The longest wait of a test for anything (ms). It is no measure of speed: a busy machine must pass as well as a
 * quiet one. CI waits longer, because no one sits beside it.
 */
export const patienceMs = process.env.CI ? 600_000 : 120_000
