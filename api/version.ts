/** The version of the package. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../schemas/project-root.ts'

export const { version: ownVersion } = JSON.parse(
  readFileSync(join(projectRoot, 'package.json'), 'utf8'),
) as { readonly version: string }
