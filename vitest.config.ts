import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

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
 * Everything that needs no server, in two lanes. `npm test` runs the quick one, `npm run test:all`
 * both; a file is in the long one by its name, `*.long.test.ts`. The third lane, `*.kafka.test.ts`,
 * has vitest.kafka.config.ts.
 */
export default defineConfig({
  test: {
    setupFiles: 'test/property-seed.ts',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What is waited for ends the wait; how fast this machine is decides nothing.
    expect: { poll: { timeout: 50_000 } },
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
          exclude: ['test/**/*.{long,kafka}.test.ts'],
        },
      },
      { extends: true, test: { name: 'long', include: ['test/**/*.long.test.ts'] } },
    ],
  },
})
