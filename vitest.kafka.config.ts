import { defineConfig } from 'vitest/config'
import { patienceMs } from './test/patience.ts'

/** Of each project, because what is set up for all runs for the root and again for each of them. */
const onBrokers = { globalSetup: 'test/kafka-setup.ts' }

/**
 * What needs a real broker and schema registry; `test/kafka-setup.ts` finds or starts them. `.ci/run` runs the lane
 * `*.kafka.test.ts`, `npm run test:nightly` also `*.nightly-kafka.test.ts`.
 */
export default defineConfig({
  test: {
    globalSetup: 'test/leftovers.ts',
    setupFiles: 'test/property-seed.ts',
    // What is waited for ends the wait; how fast this machine is decides nothing. The limit is for what never ends.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    expect: { poll: { timeout: patienceMs } },
    // One broker on one machine: files in turn.
    fileParallelism: false,
    projects: [
      {
        extends: true,
        test: { ...onBrokers, name: 'kafka', include: ['test/**/*.kafka.test.ts'] },
      },
      {
        extends: true,
        test: {
          ...onBrokers,
          name: 'nightly-kafka',
          include: ['test/**/*.nightly-kafka.test.ts'],
          // As in `vitest.config.ts`: forty kills take long where the machine has ten times too much to do.
          testTimeout: 7_200_000,
        },
      },
    ],
  },
})
