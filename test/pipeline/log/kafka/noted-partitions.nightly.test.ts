/** Which processes decide the number of partitions that a new log keeps. */

import { pino } from 'pino'
import { expect, it, vi } from 'vitest'
import type { KafkaLogConfig } from '../../../../pipeline/log/kafka/kafka-log.ts'
import { openLog } from '../../../../pipeline/log/open-log.ts'
import { createClock } from '../../../../pipeline/process/clock.ts'
import { readConfig } from '../../../../pipeline/settings/config.ts'

const openKafkaLog = vi.hoisted(() => vi.fn(async (_settings: KafkaLogConfig) => ({})))
vi.mock('../../../../pipeline/log/kafka/kafka-log.ts', () => ({ openKafkaLog }))

it.each([
  ['pipeline', true],
  ['standalone', true],
  ['api', false],
])('a process with the role %s: %s', async (role, notes) => {
  const config = readConfig({
    OVERROUND_ROLE: role,
    OVERROUND_KAFKA_BROKERS: '127.0.0.1:1',
    OVERROUND_SCHEMA_REGISTRY_URL: 'http://127.0.0.1:1',
    ...(role === 'pipeline' && { OVERROUND_FEEDS: 'none' }),
    ...(role !== 'pipeline' && {
      OVERROUND_ADMIN_TOKEN: 'a-token-that-is-long-enough-for-the-settings',
    }),
  })
  const { signal } = new AbortController()
  await openLog(config, pino({ level: 'silent' }), createClock(), { signal })
  expect(openKafkaLog.mock.lastCall![0].notesPartitions).toBe(notes)
})
