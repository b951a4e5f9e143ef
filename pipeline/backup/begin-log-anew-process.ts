/**
 * Opens a restored log and makes it its own log, in a separate process, which may crash without
 * harm.
 *
 *     node begin-log-anew-process.js <directory of the log> <group>
 *
 * Sends its parent the fault, if there is one.
 */

import { beginAnew } from '../log/embedded/backup.ts'

const [, , path, group] = process.argv
if (!path || !group) throw new Error('usage: begin-log-anew-process.js <directory> <group>')

// LMDB creates its lock file, which must be readable only for the owner, like the log.
process.umask(0o077)
try {
  await beginAnew(path, [group])
  process.disconnect()
} catch (error) {
  process.send?.((error as Error).message, () => process.exit(1))
}
