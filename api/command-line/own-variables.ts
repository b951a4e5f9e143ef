import type { Environment } from '../../pipeline/settings/config.ts'

/** Variables of the command line only; the service would refuse them as unknown settings. */
const ownVariables: ReadonlySet<string> = new Set([
  'OVERROUND_URL',
  'OVERROUND_KEY',
  'OVERROUND_EXPORT_KEY',
])

/** Returns the environment as the service reads it: a shell may have the variables of the command line as well. */
export const withoutOwn = (environment: Environment): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !ownVariables.has(name)))
