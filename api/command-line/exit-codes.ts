/** The exit codes of the command line. `docs/command-line.md` explains them. */

import { LogSetupError, LogUnavailableError } from '../../pipeline/log/log.ts'
import { ConfigError } from '../../pipeline/settings/config.ts'
import { causeText } from '../../pipeline/text/cause-text.ts'
import { OverroundError } from '../clients/typescript/src/index.ts'

export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  unreachable: 3,
  refused: 4,
  later: 5,
  stopped: 130,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** A mistake in the input: an option, a file, a missing key. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A failure that its message explains. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError'
  readonly exitCode: ExitCode

  constructor(message: string, exitCode: ExitCode = exitCodes.failed) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Returns exit code and message of an expected error; null for a bug. */
export function explain(error: unknown): { code: ExitCode; message: string } | null {
  if (error instanceof UsageError) return { code: exitCodes.usage, message: error.message }
  if (error instanceof CommandError) return { code: error.exitCode, message: error.message }
  if (error instanceof ConfigError) return { code: exitCodes.usage, message: error.message }
  if (error instanceof LogSetupError) return { code: exitCodes.refused, message: error.message }
  if (error instanceof LogUnavailableError) {
    return { code: exitCodes.unreachable, message: error.message }
  }
  if (!(error instanceof OverroundError)) return null
  const code = exitCodeOf(error.status)
  const { cause } = error.details
  if (error.code !== 'connection_lost') return { code, message: `${error.message} (${error.code})` }
  const why = cause === undefined ? '' : ` ${causeText(cause)}.`
  const next = 'Does the service run (overround start), and is --url its address?'
  return { code, message: `${error.message} (${error.code})${why} ${next}` }
}

/** Returns the exit code for the status of a response that is no success; 0 stands for no response. */
export function exitCodeOf(status: number): ExitCode {
  if (status === 0 || status === 502 || status === 504) return exitCodes.unreachable
  if (status === 401 || status === 403) return exitCodes.refused
  if ([408, 425, 429, 503].includes(status)) return exitCodes.later
  return status >= 300 && status < 500 ? exitCodes.usage : exitCodes.failed
}
