/**
 * The import rules of `biome.json`: each is broken once in a tree of probes, beside an allowed
 * import, so that a rule that has lost its effect is noticed.
 */

import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectRoot } from '../../schemas/project-root.ts'

interface Probe {
  /** The file that contains the import. */
  readonly file: string
  readonly allowed: readonly string[]
  readonly refused: readonly string[]
}

/** The layers of `api/stream`, lowest first. */
const streamLayers = ['framing', 'timeline', 'delivery', 'channels', 'fanout', 'sessions']

const probes: readonly Probe[] = [
  {
    file: 'schemas/http/probe.ts',
    allowed: [`import '../ids.ts'`, `import 'node:fs'`, `import 'zod'`],
    refused: [
      `import '../../pipeline/rules/odds/odds.ts'`,
      `import '../../api/errors.ts'`,
      `import '../../test/service.ts'`,
      `import 'kafkajs'`,
      `import 'lmdb'`,
      `import 'uWebSockets.js'`,
    ],
  },
  {
    file: 'pipeline/memory/probe.ts',
    allowed: [`import '../../schemas/ids.ts'`, `import '../invariant.ts'`],
    refused: [`import '../rules/odds/odds.ts'`, `import 'node:fs'`, `setTimeout(() => {}, 1)`],
  },
  {
    file: 'pipeline/rules/odds/probe.ts',
    allowed: [
      `import './odds.ts'`,
      `import '../names/matching.ts'`,
      `import '../../memory/bisect.ts'`,
      `import '../../../schemas/ids.ts'`,
      `new Date(0).getUTCDay()`,
    ],
    refused: [
      `import '../../log/log.ts'`,
      `import type { Log } from '../../log/log.ts'`,
      `import '../../processors/board.ts'`,
      `import '../../feeds/feed.ts'`,
      `import '../../settings/config.ts'`,
      `import 'node:fs'`,
      `import 'pino'`,
      `export * from '../../../api/errors.ts'`,
      `Date.now()`,
      `new Date().getTime()`,
      `performance.now()`,
      `console.log(1)`,
    ],
  },
  {
    file: 'pipeline/processors/prices/probe.ts',
    allowed: [
      `import '../processor.ts'`,
      `import '../../rules/odds/odds.ts'`,
      `import type { Append } from '../../log/log.ts'`,
    ],
    refused: [
      `import '../../run/run.ts'`,
      `import '../../async/mutex.ts'`,
      `import '../../settings/config.ts'`,
      `import '../../log/embedded/embedded-log.ts'`,
      `import { LogLockedError } from '../../log/log.ts'`,
      `import '../../views/board/journal.ts'`,
      `import '../../feeds/feed.ts'`,
      `import 'node:timers'`,
      `Date.now()`,
    ],
  },
  {
    file: 'pipeline/views/board/probe.ts',
    allowed: [
      `import '../query/probe.ts'`,
      `import '../../text/iso-time.ts'`,
      `import type { Position } from '../../log/log.ts'`,
    ],
    refused: [
      `import '../../processors/board.ts'`,
      `import '../../process/clock.ts'`,
      `import '../../log/kafka/kafka-log.ts'`,
      `import { LogUnavailableError } from '../../log/log.ts'`,
      `import '../../../api/errors.ts'`,
      `import 'lmdb'`,
      `performance.now()`,
    ],
  },
  {
    file: 'pipeline/feeds/kambi/probe.ts',
    allowed: [
      `import '../feed.ts'`,
      `import '../../rules/odds/odds.ts'`,
      `import type { Log } from '../../log/log.ts'`,
      `import 'node:timers/promises'`,
    ],
    refused: [
      `import '../../log/embedded/embedded-log.ts'`,
      `import '../../processors/board.ts'`,
      `import '../../views/board/journal.ts'`,
      `import 'kafkajs'`,
    ],
  },
  {
    file: 'pipeline/backtest/probe.ts',
    allowed: [
      `import '../processors/processor.ts'`,
      `import '../feeds/feed.ts'`,
      `import type { Log } from '../log/log.ts'`,
    ],
    refused: [
      `import '../log/embedded/embedded-log.ts'`,
      `import '../views/view.ts'`,
      `import '../../api/errors.ts'`,
      `import 'kafkajs'`,
    ],
  },
  {
    file: 'pipeline/log/embedded/probe.ts',
    allowed: [`import '../log.ts'`, `import 'lmdb'`],
    refused: [
      `import '../kafka/codec.ts'`,
      `import '../../feeds/feed.ts'`,
      `import '../../rules/odds/odds.ts'`,
      `import 'kafkajs'`,
      `import 'uWebSockets.js'`,
    ],
  },
  {
    file: 'pipeline/log/kafka/probe.ts',
    allowed: [`import '../log.ts'`, `import 'kafkajs'`],
    refused: [`import '../embedded/entry.ts'`, `import '../../feeds/feed.ts'`, `import 'lmdb'`],
  },
  {
    file: 'pipeline/probe.ts',
    allowed: [`import './log/log.ts'`, `import './processors/board.ts'`],
    refused: [
      `import './log/kafka/kafka-log.ts'`,
      `import './views/board/journal.ts'`,
      `import '../api/errors.ts'`,
    ],
  },
  ...['async', 'process', 'run', 'settings'].map((room) => ({
    file: `pipeline/${room}/probe.ts`,
    allowed: [`import '../log/log.ts'`, `import '../log/open-log.ts'`],
    refused: [
      `import '../log/kafka/kafka-log.ts'`,
      `import '../views/board/journal.ts'`,
      `import '../../api/errors.ts'`,
    ],
  })),
  {
    file: 'pipeline/log/open-log.ts',
    allowed: [`import './kafka/kafka-log.ts'`],
    refused: [`import 'kafkajs'`, `import '../../api/errors.ts'`],
  },
  {
    file: 'api/probe.ts',
    allowed: [
      `import '../pipeline/log/open-log.ts'`,
      `import '../pipeline/log/kafka/setup.ts'`,
      `import './server/server.ts'`,
    ],
    refused: [`import '../pipeline/log/kafka/kafka-log.ts'`, `import 'kafkajs'`],
  },
  {
    file: 'api/stream/probe.ts',
    allowed: [
      `import type { Log } from '../../pipeline/log/log.ts'`,
      `import '../server/server.ts'`,
      `import '../../pipeline/views/board/journal.ts'`,
    ],
    refused: [
      `import '../../pipeline/log/open-log.ts'`,
      `import '../../pipeline/log/embedded/embedded-log.ts'`,
      `import type { TemplatedApp } from 'uWebSockets.js'`,
      `import 'lmdb'`,
      `import '../../benchmarks/measure.ts'`,
      `import '../../test/service.ts'`,
      `import '../../infra/kafka-local/kafka-local.ts'`,
      `import '../routes/sports.ts'`,
    ],
  },
  ...streamLayers.map((layer, place) => ({
    file: `api/stream/${layer}/probe.ts`,
    allowed: streamLayers.slice(0, place).map((below) => `import '../${below}/any.ts'`),
    refused: [
      ...streamLayers
        .slice(place + 1)
        .map((above) => `import type { A } from '../${above}/any.ts'`),
      `import '../streams.ts'`,
    ],
  })),
  {
    file: 'api/stream/channels/odds/probe.ts',
    allowed: [`import '../stream-query.ts'`, `import '../../framing/frames.ts'`],
    refused: [`export * from '../../fanout/fanout.ts'`],
  },
  ...['answer', 'ask', 'describe', 'mcp', 'opportunities'].map((room) => ({
    file: `api/${room}/probe.ts`,
    allowed: [`import '../route.ts'`, `import '../errors.ts'`],
    refused: [`import '../routes/sports.ts'`, `import '../../pipeline/log/kafka/kafka-log.ts'`],
  })),
  {
    file: 'api/server/probe.ts',
    allowed: [`import './listeners/node.ts'`, `import '../route.ts'`],
    refused: [
      `import '../routes/sports.ts'`,
      `import 'uWebSockets.js'`,
      `import 'ws'`,
      `import '../../pipeline/log/kafka/kafka-log.ts'`,
    ],
  },
  {
    file: 'api/clients/typescript/src/stream/probe.ts',
    allowed: [`import '../errors.ts'`, `import './odds-book.ts'`],
    refused: [
      `import '../../../../errors.ts'`,
      `import '../../../../../schemas/ids.ts'`,
      `import '../../../../answer/json.ts'`,
      `import 'node:fs'`,
      `import 'ws'`,
      `import 'zod'`,
    ],
  },
  {
    file: 'api/server/listeners/probe.ts',
    allowed: [
      `import type { Response } from '../listener.ts'`,
      `import '../../../pipeline/settings/config.ts'`,
      `import 'uWebSockets.js'`,
      `import '@btc-vision/uwebsockets.js'`,
      `import 'ws'`,
    ],
    refused: [
      `import 'kafkajs'`,
      `import '../../route.ts'`,
      `import '../../routes/sports.ts'`,
      `import '../../../pipeline/run/run.ts'`,
      `import '../../../pipeline/log/log.ts'`,
    ],
  },
  {
    file: 'api/web/client/pages/probe.ts',
    allowed: [`new Date(0)`, `performance.now()`],
    refused: [`Date.now()`, `new Date()`],
  },
  {
    file: 'api/web/client/data/service-time.ts',
    allowed: [`Date.now()`],
    refused: [],
  },
  {
    file: 'infra/kafka-local/probe.ts',
    allowed: [`import 'kafkajs'`, `import './broker.ts'`],
    refused: [`import '../../pipeline/settings/config.ts'`],
  },
  ...['api/ask', 'api/access', 'pipeline/views/board'].flatMap((folder) => [
    { file: `${folder}/circle-a.ts`, allowed: [], refused: [`import './circle-b.ts'`] },
    {
      file: `${folder}/circle-b.ts`,
      allowed: [],
      refused: [`import type { A } from './circle-a.ts'`],
    },
  ]),
]

let tree: string
/** The lines of each probe that lint refuses. */
const refusals = new Map<string, Set<number>>()

beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'overround-imports-'))
  const lintFiles = ['biome.json', 'no-clock.grit', 'service-clock.grit', 'stream-layers.grit']
  for (const file of [...lintFiles, '.gitignore']) {
    await cp(join(projectRoot, file), join(tree, file), { recursive: true })
  }
  for (const { file, allowed, refused } of probes) {
    await mkdir(dirname(join(tree, file)), { recursive: true })
    await writeFile(join(tree, file), [...allowed, ...refused].join('\n'))
  }
  for (const { severity, location } of await lint()) {
    if (severity !== 'error') continue
    const lines = refusals.get(location.path) ?? new Set()
    refusals.set(location.path, lines.add(location.start.line))
  }
})
afterAll(() => rm(tree, { recursive: true, force: true }))

test.each(probes)('lint refuses forbidden imports in $file', ({ file, allowed, refused }) => {
  const lines = [...allowed, ...refused]
  const refusedLines = lines.filter((_line, index) => refusals.get(file)?.has(index + 1))
  expect(refusedLines).toEqual(refused)
})

interface Diagnostic {
  readonly severity: string
  readonly location: { readonly path: string; readonly start: { readonly line: number } }
}

async function lint(): Promise<Diagnostic[]> {
  const biome = join(projectRoot, 'node_modules', '.bin', 'biome')
  const args = ['lint', '--reporter=json', '--max-diagnostics=none', '.']
  // Lint exits with an error, because it refuses some lines.
  const report = await new Promise<string>((resolve) => {
    execFile(biome, args, { cwd: tree, maxBuffer: 2 ** 24 }, (_error, stdout) => resolve(stdout))
  })
  return JSON.parse(report).diagnostics
}
