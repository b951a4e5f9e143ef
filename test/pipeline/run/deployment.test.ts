/** Both kinds of log keep the same promises, so a directory stands for the cluster here; the settings name it. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openEmbeddedLog } from '../../../pipeline/log/embedded/embedded-log.ts'
import { type Log, LogSetupError } from '../../../pipeline/log/log.ts'
import { joinDeployment, watchDeployment } from '../../../pipeline/run/deployment.ts'
import { ConfigError, readConfig, StartError } from '../../../pipeline/settings/config.ts'
import type { DeploymentRow } from '../../../schemas/deployment.ts'
import { topics } from '../../../schemas/topics.ts'

let dir: string
let log: Log
const stop = new AbortController()
const { signal } = stop

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'overround-deployment-'))
  log = await openEmbeddedLog({ path: join(dir, 'log') })
})
afterEach(async () => {
  await log.close()
  rmSync(dir, { recursive: true })
})

const onKafka = {
  OVERROUND_KAFKA_BROKERS: 'kafka-1:9092',
  OVERROUND_SCHEMA_REGISTRY_URL: 'http://registry:8081',
  OVERROUND_KAFKA_TOPIC_PREFIX: 'odds.',
}
const live = { OVERROUND_FEEDS: 'none' }
const named = (name: string) => ({ OVERROUND_DEPLOYMENT: name })

function createLogger() {
  const lines: { level: string; fields: object; message: string }[] = []
  const note = (level: string) => (fields: object, message: string) => {
    lines.push({ level, fields, message })
  }
  return { lines, logger: { info: note('info'), warn: note('warn') } as never }
}

/** @returns the lines of the text log */
async function start(environment: Record<string, string>, self = 'this 1') {
  const { lines, logger } = createLogger()
  await joinDeployment(readConfig(environment), log, { logger, clock: () => 5_000, signal, self })
  return lines
}

const own = (value: DeploymentRow | null) => ({
  ...{ topic: topics.deployments, partitionKey: 0, key: 'own', value },
})

async function rows() {
  const found: Record<string, DeploymentRow> = {}
  for await (const records of log.replay([topics.deployments], { partitions: [0], signal })) {
    for (const { key, value } of records) found[key] = value as DeploymentRow
  }
  return found
}

describe('a log', () => {
  it('tells an API what its prices are, once a pipeline has started', async () => {
    const { logger } = createLogger()
    const join = (environment: Record<string, string>) =>
      joinDeployment(readConfig({ ...onKafka, ...environment }), log, {
        ...{ logger, clock: () => 5_000, signal },
      })
    const api = { OVERROUND_ROLE: 'api' }
    expect(await join(api)).toBeNull()
    expect(await join({ OVERROUND_ROLE: 'pipeline', OVERROUND_FEEDS: 'simulator' })).toBe(
      'simulated',
    )
    expect(await join(api)).toBe('simulated')
  })

  it('without a deployment belongs to the first pipeline that starts', async () => {
    const rules = { OVERROUND_FEES: 'betfair=0.02', OVERROUND_REFERENCES: 'our_model' }
    const lines = await start({ ...onKafka, ...named('desk'), ...rules })
    expect(lines).toMatchObject([
      { level: 'info', fields: { deployment: 'the deployment desk, with simulated prices' } },
    ])
    expect(await rows()).toEqual({
      own: {
        name: 'desk',
        prices: 'simulated',
        settings: {
          sharp_book: 'pinnacle',
          consensus: 'true',
          anchors: '',
          references: 'our_model',
          fees: '[["betfair",{"on":"net_winnings","rate":0.02}]]',
          keeps_history: 'true',
          simulator_seed: '1',
        },
        process: 'this 1',
        writtenAt: 5_000,
      },
    })
    // A second start logs and writes nothing.
    expect(await start({ ...onKafka, ...named('desk'), ...rules }, 'this 2')).toEqual([])
    expect((await rows()).own!.process).toBe('this 1')
  })

  it('belongs to no API, which has no right to write it', async () => {
    expect(await start({ ...onKafka, OVERROUND_ROLE: 'api' })).toEqual([])
    expect(await rows()).toEqual({})
  })

  it('of a deployment without a name takes the first name that comes', async () => {
    await start({ ...onKafka, ...live })
    expect(await start({ ...onKafka, ...live, ...named('desk') })).toEqual([])
    expect((await rows()).own!.name).toBe('desk')
  })
})

describe('a stranger on a cluster', () => {
  const simulated = { OVERROUND_FEEDS: 'simulator' }
  const recorded = { OVERROUND_FEEDS: 'replay:day.ndjson' }
  it.each([
    ['of another name', { ...live, ...named('desk') }, { ...live, ...named('staging') }],
    ['without a name', { ...live, ...named('desk') }, live],
    ['an API of another name', live, { ...named('staging'), OVERROUND_ROLE: 'api' }, named('desk')],
    ['a simulator beside live prices', live, simulated],
    ['pushed prices beside a simulator', simulated, live],
    ['a recording beside live prices', live, recorded],
  ])('is refused: %s', async (_what, first, second, more: Record<string, string> = {}) => {
    await start({ ...onKafka, ...first, ...more })
    const before = await rows()
    await expect(start({ ...onKafka, ...second }, 'that 2')).rejects.toThrow(StartError)
    const { own, refused } = await rows()
    expect(own).toEqual(before.own)
    expect(refused!.process).toBe('that 2')
  })

  it('is refused too where both started at the same moment', async () => {
    await start({ ...onKafka, ...live, ...named('staging') }, 'that 2')
    const { own: theirs } = await rows()
    await log.append([own(null)])
    const both = {
      ...log,
      // The other writes between our write and our second look.
      async append(records: Parameters<Log['append']>[0]) {
        await log.append(records)
        if (records[0]!.key === 'own') await log.append([own(theirs!)])
      },
    }
    const config = readConfig({ ...onKafka, ...live, ...named('desk') })
    const { logger } = createLogger()
    const options = { logger, clock: () => 5_000, signal, self: 'this 1' }
    await expect(joinDeployment(config, both, options)).rejects.toThrow(
      'belong to the deployment staging',
    )
    expect((await rows()).refused!.process).toBe('this 1')
  })

  it('gets both names and advice', async () => {
    await start({ ...onKafka, ...live, ...named('desk') }, 'host-1 7')
    await expect(start({ ...onKafka, ...named('staging') })).rejects.toThrow(
      'The topics odds.* on kafka-1:9092 belong to the deployment desk, with live prices (written by host-1 7 at 1970-01-01T00:00:05.000Z), and this process is of the deployment staging, with simulated prices: both would write to one board, and accept the same keys. Set another OVERROUND_KAFKA_TOPIC_PREFIX. If both are meant to be one deployment, give all its processes the same OVERROUND_DEPLOYMENT; if this one is to follow the other, which no longer runs, start it once with OVERROUND_ADOPT_LOG=true.',
    )
  })

  it('takes the log over if its operator allows it', async () => {
    await start({ ...onKafka, ...named('desk') })
    const lines = await start({
      ...{ ...onKafka, ...live, ...named('prod'), OVERROUND_ADOPT_LOG: 'true' },
    })
    expect(lines.map(({ message }) => message)).toEqual([
      'the log is taken over from another deployment; its rows stay',
    ])
    expect((await rows()).own).toMatchObject({ name: 'prod' })
  })

  it('is not an API beside any prices, which brings none', async () => {
    await start({ ...onKafka, ...simulated })
    expect(await start({ ...onKafka, ...live, OVERROUND_ROLE: 'api' })).toEqual([])
    expect(Object.keys(await rows())).toEqual(['own'])
  })
})

describe('live prices on a directory with others, and others on one with live prices,', () => {
  const recorded = { OVERROUND_FEEDS: 'replay:games.csv' }
  it.each([
    ['live', live, {}],
    ['live', live, { OVERROUND_FEEDS: 'simulator' }],
    ['simulated', {}, live],
    ['live', live, recorded],
    ['recorded', recorded, live],
  ])('are refused, with the ways out: %s, then %j', async (prices, first, second) => {
    await start(first, 'host-1 7')
    const before = await rows()
    const refused = start({ ...second, OVERROUND_DATA_DIR: './own' })
    await expect(refused).rejects.toThrow(ConfigError)
    await expect(refused).rejects.toThrow(
      `The data directory ./own has ${prices} prices (of host-1 7 at 1970-01-01T00:00:05.000Z), and`,
    )
    await expect(refused).rejects.toThrow('in another directory, such as OVERROUND_DATA_DIR=')
    expect(await rows()).toEqual(before)
  })

  it.each([
    ['simulated', live, {}],
    ['live', {}, live],
  ])('take it over if its operator allows it: %s', async (prices, first, second) => {
    await start(first)
    const lines = await start({ ...second, OVERROUND_ADOPT_LOG: 'true' })
    expect(lines.map(({ level }) => level)).toEqual(['warn'])
    expect((await rows()).own!.prices).toBe(prices)
    expect(await start(second)).toEqual([])
  })
})

describe('settings that decide', () => {
  it('may change one process after the other, with a warning of the differences', async () => {
    await start({ ...onKafka, ...live })
    const lines = await start({ ...onKafka, ...live, OVERROUND_SHARP_BOOK: 'circa' })
    expect(lines).toEqual([
      {
        level: 'warn',
        fields: {
          process: 'this 1',
          differences: { sharp_book: { here: 'circa', log: 'pinnacle' } },
        },
        message: 'settings that decide differ from those of this log',
      },
    ])
    expect((await rows()).own!.settings.sharp_book).toBe('circa')
  })

  it('are the same in other words', async () => {
    const anchors = (text: string) => start({ ...onKafka, ...live, OVERROUND_ANCHORS: text })
    await anchors('NBA=our_model,consensus;soccer=pinnacle')
    expect(await anchors('soccer = Pinnacle; nba = our_model, consensus;')).toEqual([])
    expect(await anchors('nba=consensus;soccer=pinnacle')).toMatchObject([
      {
        fields: {
          differences: {
            anchors: {
              here: 'nba=consensus;soccer=pinnacle',
              log: 'nba=our_model,consensus;soccer=pinnacle',
            },
          },
        },
      },
    ])
  })

  it('and any others in a directory, which one process has at a time, give a warning', async () => {
    await start({ ...named('desk'), OVERROUND_SIMULATOR_SEED: '2' })
    const reseeded = await start(named('desk'))
    expect(reseeded).toMatchObject([
      { level: 'warn', fields: { differences: { simulator_seed: { here: '1', log: '2' } } } },
    ])
    const lines = await start({ ...named('other'), OVERROUND_FEEDS: 'replay:day.ndjson' })
    expect(lines).toMatchObject([
      { level: 'warn', fields: { as: 'the deployment other, with recorded prices' } },
    ])
    expect((await rows()).own!.name).toBe('other')
  })
})

/** Watches as a process that runs already. */
function watch(environment: Record<string, string>) {
  const { lines, logger } = createLogger()
  const ending = new AbortController()
  const strangers = { count: 0 }
  const refusals: Error[] = []
  let isFollowing = () => {}
  const following = new Promise<void>((resolve) => {
    isFollowing = resolve
  })
  async function* follow(...options: Parameters<Log['follow']>) {
    for await (const chunk of log.follow(...options)) {
      yield chunk
      if (chunk.caughtUp) isFollowing()
    }
  }
  const watching = watchDeployment(
    readConfig(environment),
    { ...log, follow },
    {
      ...{ logger, signal: ending.signal, self: 'this 1' },
      onStranger() {
        strangers.count++
      },
      onTakenOver: (refusal) => void refusals.push(refusal),
    },
  )
  return {
    ...{ lines, strangers, refusals, following },
    async end() {
      ending.abort()
      await watching
    },
  }
}

it('a running pipeline learns of strangers and of other settings, and of nothing from before', async () => {
  const environment = { ...onKafka, ...live, ...named('desk') }
  await start(environment)
  await expect(start({ ...environment, ...named('early') }, 'that 1')).rejects.toThrow(StartError)
  const { lines, strangers, following, end } = watch(environment)
  await following
  await expect(start({ ...environment, ...named('staging') }, 'that 2')).rejects.toThrow(StartError)
  await expect.poll(() => lines.length).toBe(1)
  await start({ ...environment, OVERROUND_SHARP_BOOK: 'circa' }, 'this 2')
  await expect.poll(() => lines.length).toBe(2)
  await start({ ...environment, ...named('usurper'), OVERROUND_ADOPT_LOG: 'true' }, 'that 3')
  await expect.poll(() => lines.length).toBe(3)
  expect(lines).toMatchObject([
    { message: expect.stringContaining('was refused'), fields: { process: 'that 2' } },
    {
      message: 'another pipeline decides by other settings',
      fields: { differences: { sharp_book: { here: 'pinnacle', log: 'circa' } } },
    },
    { message: expect.stringContaining('has taken over this log'), fields: { process: 'that 3' } },
  ])
  expect(strangers.count).toBe(2)
  await end()
})

it('a running pipeline without a name learns that its log has got one, which is no stranger', async () => {
  const environment = { ...onKafka, ...live }
  await start(environment)
  const { lines, strangers, following, end } = watch(environment)
  await following
  await start({ ...environment, ...named('desk') }, 'this 2')
  await expect
    .poll(() => lines)
    .toMatchObject([
      {
        level: 'info',
        fields: { name: 'desk', process: 'this 2' },
        message: expect.stringContaining('the log has a name now'),
      },
    ])
  expect(strangers.count).toBe(0)
  await end()
})

it('a running pipeline learns of a deployment that took its log over before it looked', async () => {
  const environment = { ...onKafka, ...live, ...named('desk') }
  await start(environment)
  await start({ ...environment, ...named('usurper'), OVERROUND_ADOPT_LOG: 'true' }, 'that 3')
  const { lines, strangers, following, end } = watch(environment)
  await following
  expect(lines).toMatchObject([{ message: expect.stringContaining('has taken over this log') }])
  expect(strangers.count).toBe(1)
  await end()
})

describe('a running pipeline whose log another deployment takes over', () => {
  const desk = { ...live, ...named('desk') }

  it('has to end, and the reason names both; one that was refused is no reason', async () => {
    await start({ ...onKafka, ...desk })
    const { refusals, lines, following, end } = watch({ ...onKafka, ...desk })
    await following
    await expect(start({ ...onKafka, ...live, ...named('staging') }, 'that 2')).rejects.toThrow()
    await expect.poll(() => lines.length).toBe(1)
    expect(refusals).toEqual([])
    // Both had read an empty log, and this one's row was there when it looked again.
    await log.append([own({ ...(await rows()).refused!, process: 'that 3' })])
    await expect.poll(() => refusals).toHaveLength(1)
    expect(refusals[0]).toBeInstanceOf(LogSetupError)
    expect(refusals[0]!.message).toMatch(
      /belong to the deployment staging, .* \(written by that 3 .* this process is of the deployment desk/,
    )
    await end()
  })

  it.each([
    ['adopts logs itself', { ...onKafka, ...desk, OVERROUND_ADOPT_LOG: 'true' }],
    ['has a directory', desk],
  ])('only warns where it %s', async (_what, environment) => {
    await start(environment)
    const { refusals, lines, following, end } = watch(environment)
    await following
    const { own: ours } = await rows()
    await log.append([own({ ...ours!, name: 'staging', process: 'that 2' })])
    await expect
      .poll(() => lines)
      .toMatchObject([{ message: expect.stringContaining('has taken over this log') }])
    expect(refusals).toEqual([])
    await end()
  })
})
