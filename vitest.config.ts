import { configDefaults, defineConfig } from 'vitest/config'

/** Everything that needs no server; the Kafka tests have vitest.kafka.config.ts. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, '**/*.kafka.test.ts'],
    testTimeout: 60_000,
  },
})
