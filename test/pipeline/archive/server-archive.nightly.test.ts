/**
 * The archive over HTTP, as with a ClickHouse server: always against the engine behind an address,
 * and against the official image where Docker is available.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers'
import { expect, it } from 'vitest'
import { openArchive } from '../../../pipeline/archive/archive.ts'
import { startEngine } from '../../../pipeline/archive/engine/supervisor.ts'
import { migrate } from '../../../pipeline/archive/migrations.ts'
import { archiveContract } from '../../contracts/archive.ts'

const image = 'clickhouse/clickhouse-server:26.7'

/** Starts an engine and forwards a port to its socket. */
async function startAtPort(database: string) {
  const directory = mkdtempSync(join(tmpdir(), 'overround-archive-'))
  const engine = startEngine({ directory, database }, pino({ level: 'silent' }))
  await engine.whenDecided()
  const server = createServer((client) => {
    const upstream = connect(engine.socket)
    client.pipe(upstream).pipe(client)
    for (const socket of [client, upstream]) socket.on('error', () => client.destroy())
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    address: { url: `http://127.0.0.1:${port}` },
    async stop() {
      server.close()
      await engine.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

archiveContract('the engine behind an address', startAtPort)

const hasDocker = await getContainerRuntimeClient().then(
  () => true,
  () => false,
)

if (hasDocker) {
  archiveContract(`a server (${image})`, async (database) => {
    const container = await new GenericContainer(image)
      .withEnvironment({ CLICKHOUSE_USER: 'overround', CLICKHOUSE_PASSWORD: 'overround' })
      .withEnvironment({ CLICKHOUSE_DB: database })
      .withExposedPorts(8123)
      .withWaitStrategy(Wait.forHttp('/ping', 8123))
      .start()
    const at = `${container.getHost()}:${container.getMappedPort(8123)}`
    return {
      address: { url: `http://overround:overround@${at}` },
      stop: async () => {
        await container.stop()
      },
    }
  })
} else {
  it.skip(`an archive: a server (${image}) (skipped: there is no Docker)`, () => {})
}

it('creates the tables of a cluster with statements that the engine accepts', async () => {
  const { address, stop } = await startAtPort('overround')
  const archive = openArchive(address, 'overround')
  const statements: string[] = []
  try {
    await migrate(
      {
        async query() {
          return []
        },
        async command(statement) {
          statements.push(statement)
        },
        async insert() {},
      },
      { database: 'overround', cluster: 'main', keptDays: 30 },
    )
    expect(statements.length).toBeGreaterThan(4)
    for (const statement of statements) {
      // The engine's own parser formats the statement and refuses unknown syntax.
      const [row] = await archive.query<{ text: string }>(
        'SELECT formatQuery({statement:String}) AS text',
        { statement },
        { seconds: 5, resultRows: 1, readRows: 1e6, memoryBytes: 1e8 },
      )
      expect(row!.text).toMatch(/^(CREATE TABLE IF NOT EXISTS|ALTER TABLE) \w+ ON CLUSTER main\n/)
      if (row!.text.startsWith('ALTER')) continue
      expect(statement).toMatch(
        /ENGINE = Replicated\w*MergeTree\('\/clickhouse\/tables\/\{shard\}\/\{database\}\/\{table\}', '\{replica\}'/,
      )
      expect(statement).toContain('replicated_deduplication_window = 10000')
    }
  } finally {
    await archive.close()
    await stop()
  }
})
