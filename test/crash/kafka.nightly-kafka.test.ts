import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, test } from 'vitest'
import { openKafkaLog } from '../../pipeline/log/kafka/kafka-log.ts'
import { crashes, replayedMinutes, testCrashSafety } from './crash-safety.ts'

const kafka = inject('kafka')
const why = 'reason' in kafka ? ` (skipped: ${kafka.reason})` : ''

test.skipIf('reason' in kafka)(
  `${crashes} kills of a replay on Kafka end on the undisturbed tables${why}`,
  async () => {
    if ('reason' in kafka) return
    const { brokers, registryUrl } = kafka
    const workDir = mkdtempSync(join(tmpdir(), 'overround-crash-'))
    const prefix = `crash-${Date.now()}-`
    const partitions = 2
    try {
      await testCrashSafety({
        kills: crashes,
        minutes: replayedMinutes,
        workDir,
        env: (run) => ({
          OVERROUND_KAFKA_BROKERS: brokers.join(','),
          OVERROUND_SCHEMA_REGISTRY_URL: registryUrl,
          OVERROUND_KAFKA_TOPIC_PREFIX: `${prefix}${run}-`,
          OVERROUND_KAFKA_PARTITIONS: String(partitions),
          OVERROUND_DATA_DIR: join(workDir, run),
        }),
        openLog: (run) =>
          openKafkaLog({
            brokers,
            registryUrl,
            partitions,
            clientId: 'crash-test',
            topicPrefix: `${prefix}${run}-`,
          }),
        longestLifeMs: 9_000,
        report: console.log,
      })
    } finally {
      rmSync(workDir, { recursive: true, force: true })
    }
  },
)
