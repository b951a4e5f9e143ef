import { defineConfig } from 'vitest/config'

/** What needs a real broker and schema registry; `test/kafka-setup.ts` finds or starts them. */
export default defineConfig({
  test: {
    name: 'kafka',
    include: ['test/**/*.kafka.test.ts'],
    globalSetup: 'test/kafka-setup.ts',
    setupFiles: 'test/property-seed.ts',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What is waited for ends the wait.
    expect: { poll: { timeout: 50_000 } },
    // One broker on one machine: files in turn.
    fileParallelism: false,
  },
})
