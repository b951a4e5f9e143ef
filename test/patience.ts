/**
 * How long a test waits for what has to come before it gives up. No measure of speed: a machine that does ten other
 * things is as right as a quiet one. CI waits longer, as nobody sits beside it.
 */
export const patienceMs = process.env.CI ? 600_000 : 120_000
