import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { patienceMs } from './test/patience.ts'

/**
 * By default the largest files start first, where it is not known which take longest. The long lane
 * goes before the quick one, and of it first the crash test, a small file that takes a minute: last,
 * it would be alone.
 */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) =>
      moduleId.includes('/test/crash/') ? 0 : moduleId.endsWith('.long.test.ts') ? 1 : 2
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => rank(a) - rank(b))
  }
}

/**
 * Everything that needs no broker, in three lanes; the name of a file says its lane. `npm test` runs the quick one,
 * `.ci/run` also `*.long.test.ts`, and `npm run test:nightly` the rest, `*.nightly.test.ts`. What needs a broker has
 * vitest.kafka.config.ts.
 */
export default defineConfig({
  test: {
    setupFiles: 'test/property-seed.ts',
    globalSetup: 'test/leftovers.ts',
    // What is waited for ends the wait; how fast this machine is decides nothing. The limit is for what never ends.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    expect: { poll: { timeout: patienceMs } },
    // By default one core is left to vitest itself: of two, one would have all the tests.
    maxWorkers: '100%',
    sequence: { sequencer: LongFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'quick',
          // Files share a process and what is imported: half of the time would go to that.
          isolate: false,
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.{long,nightly,kafka,nightly-kafka}.test.ts'],
        },
      },
      {
        extends: true,
        test: { name: 'long', isolate: false, include: ['test/**/*.long.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'nightly',
          include: ['test/**/*.nightly.test.ts'],
          // Forty kills and starts take three quarters of an hour where the machine has ten times too much to do.
          testTimeout: 7_200_000,
        },
      },
    ],
  },
})
