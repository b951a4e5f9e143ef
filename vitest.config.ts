import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * By default the largest files start first, where it is not known which take longest. The crash test
 * is a small one, and would be alone at the end.
 */
class CrashTestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isFirst = ({ moduleId }: TestSpecification) => moduleId.includes('/test/crash/')
    const sorted = await super.sort(files)
    return [...sorted.filter(isFirst), ...sorted.filter((file) => !isFirst(file))]
  }
}

/** Everything that needs no server; the Kafka tests have vitest.kafka.config.ts. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, '**/*.kafka.test.ts'],
    testTimeout: 60_000,
    // By default one core is left to vitest itself: of two, one would have all the tests.
    maxWorkers: '100%',
    sequence: { sequencer: CrashTestFirst },
  },
})
