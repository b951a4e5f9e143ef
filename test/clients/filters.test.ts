import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectRoot } from '../../schemas/project-root.ts'
import { filtersSource } from './filters-source.ts'

it('of streams are typed by the client as the service has them (`vitest -u` writes them)', async () => {
  const file = join(projectRoot, 'api/clients/typescript/src/generated/stream-filters.ts')
  await expect(filtersSource()).toMatchFileSnapshot(file)
})
