#!/usr/bin/env node
/**
 * The command `overround`: starts the service, queries a running one, and works on recordings. Results go to standard
 * output, everything else to standard error. `docs/command-line.md` is its guide.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import type { z } from 'zod'
import { describeSettings } from '../../pipeline/settings/settings.ts'
import type { adminAccount } from '../../schemas/http/account.ts'
import type { sourceItem } from '../../schemas/http/sources.ts'
import { ownVersion } from '../version.ts'
import { accountState } from './account-state.ts'
import { backupNotice, backupSecrets, dataDirOf, requireEmbeddedLog, runBackup } from './backup.ts'
import { bestTable, readBest, watchBest } from './best.ts'
import { examine } from './doctor.ts'
import { exitCodes, explain, UsageError } from './exit-codes.ts'
import { withoutOwn } from './own-variables.ts'
import { repairTable, runRepair } from './repair.ts'
import { openAdmin, openClient, ownAddressOf, type ServiceOptions } from './service.ts'
import { tail, tailedChannels } from './tail.ts'
import { styleFor, tableOf } from './terminal.ts'
import type { Applying, Principals } from './topics.ts'

interface Options extends ServiceOptions {
  readonly json?: boolean
}

type AccountJson = z.output<typeof adminAccount>
type SourceJson = z.output<typeof sourceItem>

const style = styleFor(process.stdout, process.env)
const stop = new AbortController()
/** Commands that end by themselves once `stop` aborts. A signal ends all others at once. */
const stoppable: ReadonlySet<string> = new Set(['top', 'tail', 'backup', 'restore'])
const pageSize = 100

const warn = (text: string) => process.stderr.write(`${text}\n`)

const list = (text: string) => text.split(',').filter((item) => item !== '')
const filter = (text: string) => {
  const items = list(text)
  if (items.length > 0) return items
  throw new InvalidArgumentError('It must name at least one; leave it out for all.')
}
const whole = (text: string) => {
  const value = Number(text)
  if (Number.isInteger(value) && value > 0) return value
  throw new InvalidArgumentError('It must be a whole number above 0.')
}

const ownDataDir = 'the data directory (OVERROUND_DATA_DIR, or ./data)'
/** An empty name would be the current directory. */
const directory = (text: string) => {
  if (text !== '') return text
  throw new InvalidArgumentError('It must name a directory.')
}

const program = new Command('overround')
  .description('A sports odds data service that you run yourself.')
  .version(ownVersion)
  .exitOverride()
  .showHelpAfterError('Run it with --help for all commands and options.')

program
  .command('start')
  .description('runs the service; settings come from the environment')
  .addHelpText('after', () => `\nSettings:\n${describeSettings()}`)
  .action(() => becomeService({}))

program
  .command('replay')
  .description('runs the service on a recording')
  .argument('<recording>', 'a file or a directory')
  .option('--speed <times>', 'speed, relative to the recording', '1')
  .option('--retime', 'move the recording to now')
  .option('--loop', 'start again at the end')
  .option('--data-dir <directory>', 'the data directory', directory, './data-replay')
  .action(async (recording: string, { speed, retime, loop, dataDir }) => {
    const { replaySpec } = await import('../../pipeline/feeds/replay/replay.ts')
    const parameters = new URLSearchParams({ speed })
    if (retime) parameters.set('retime', 'true')
    if (loop) parameters.set('loop', 'true')
    // No feed runs here, so settings of feeds may belong to another start.
    for (const name of [
      'OVERROUND_FEEDS_FILE',
      'OVERROUND_SIMULATOR_RATE',
      'OVERROUND_SIMULATOR_SEED',
    ]) {
      delete process.env[name]
    }
    return becomeService({
      OVERROUND_FEEDS: replaySpec(resolve(recording), parameters),
      OVERROUND_DATA_DIR: dataDir,
    })
  })

for (const [name, summary, run] of [
  ['backtest', 'evaluates a recording', () => import('../../pipeline/backtest/main.ts')],
  ['export', 'writes a season of history to a file', () => import('../export/main.ts')],
] as const) {
  program
    .command(name)
    .description(`${summary}; overround ${name} --help shows the options`)
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async () => {
      // The commands parse their arguments themselves, as they do when run by npm.
      process.argv.splice(2, 1)
      await run()
    })
}

readCommand('best', 'the best price of each outcome, main lines only')
  .addOption(leagueOption())
  .option('--market <market>', 'a market or a family of them', 'moneyline')
  .option('--limit <count>', 'at most so many outcomes', whole, 50)
  .action(async (options) => {
    const prices = await readBest(openClient(options, process.env), options, warn)
    print(options, prices, () => bestTable(prices, style))
  })

readCommand('top', 'the same as a live table; q ends it')
  .addOption(leagueOption())
  .option('--market <market>', 'a market or a family of them', 'moneyline')
  .option('--limit <count>', 'at most so many outcomes', whole, 50)
  .action(async (options) => {
    const client = openClient(options, process.env)
    // Without a terminal, print one table.
    if (process.stdout.isTTY && !options.json) return watchBest(client, options, style, stop.signal)
    const prices = await readBest(client, options, warn)
    print(options, prices, () => bestTable(prices, style))
  })

readCommand('tail', 'prints each change on a line')
  .argument('[channel]', `one of ${tailedChannels.join(', ')}`, 'odds')
  .addOption(leagueOption())
  .option('--market <markets>', 'comma-separated', filter, [])
  .action(async (channel, options) => {
    const known = tailedChannels.find((one) => one === channel)
    if (!known) throw new UsageError(`The channel is one of ${tailedChannels.join(', ')}.`)
    const { league, market, json = false } = options
    const tailOptions = { channel: known, league, market, json }
    await tail(openClient(options, process.env), tailOptions, style, stop.signal)
  })

adminCommand(program, 'sources', 'the state of live sources').action(async (options: Options) => {
  const sources = await openAdmin(options, process.env).request<readonly SourceJson[]>(
    'GET',
    '/sources',
  )
  const rows = sources.map(({ id, state, reason, rows, last_success, advice }) => [
    id,
    state,
    reason ?? '',
    String(rows),
    last_success ?? '',
    advice ?? '',
  ])
  const head = ['source', 'state', 'reason', 'prices', 'last success', 'advice']
  print(options, sources, () =>
    rows.length > 0
      ? tableOf(head, rows, style, new Set(['prices']))
      : 'No live source runs. Name some in OVERROUND_FEEDS: see docs/sources.md.',
  )
})

const keys = program.command('keys').description('accounts and their keys, for the operator')

adminCommand(keys, 'list', 'all accounts').action(async (options: Options) => {
  const admin = openAdmin(options, process.env)
  const accounts: AccountJson[] = []
  for (let offset = 0; ; offset += pageSize) {
    const path = `/admin/accounts?limit=${pageSize}&offset=${offset}`
    const page = await admin.request<readonly AccountJson[]>('GET', path)
    accounts.push(...page)
    if (page.length < pageSize) break
  }
  const now = Date.now()
  const rows = accounts.map((account) => [
    account.account_id,
    account.name,
    account.tier,
    accountState(account, now),
    account.keys.map(({ id }) => id).join(' '),
  ])
  const head = ['account', 'name', 'tier', 'state', 'keys']
  print(options, accounts, () =>
    rows.length > 0
      ? tableOf(head, rows, style)
      : 'There are no accounts. Create one: overround keys create <name> --tier <tier>',
  )
})

adminCommand(keys, 'create', 'makes an account and its first key, which is shown only once')
  .argument('<name>')
  .requiredOption('--tier <tier>', 'free, hobby, pro, sharp or enterprise')
  .option('--addons <names>', 'comma-separated', list)
  .option('--expires <instant>', 'when the account ends, such as 2027-01-01T00:00:00Z')
  .action(
    async (
      name: string,
      options: Options & { tier: string; addons?: string[]; expires?: string },
    ) => {
      const { tier, addons, expires } = options
      const body = {
        name,
        tier,
        ...(addons && { addons }),
        ...(expires && { expires_at: expires }),
      }
      const made = await openAdmin(options, process.env).request<{
        key: string
        account_id: string
      }>('POST', '/admin/accounts', body)
      print(options, made, () => `${made.account_id}  ${made.key}`)
    },
  )

adminCommand(keys, 'add', 'adds a key to an account; it is shown only once')
  .argument('<account>')
  .option('--name <name>', 'name of the key', 'further')
  .action(async (account: string, options: Options & { name: string }) => {
    const path = `/admin/accounts/${encodeURIComponent(account)}/keys`
    const made = await openAdmin(options, process.env).request<{ key: string }>('POST', path, {
      name: options.name,
    })
    print(options, made, () => made.key)
  })

adminCommand(keys, 'revoke', 'ends a key')
  .argument('<account>')
  .argument('<key>', 'its id')
  .action(async (account: string, key: string, options: Options) => {
    const path = `/admin/accounts/${encodeURIComponent(account)}/keys/${encodeURIComponent(key)}`
    const ended = await openAdmin(options, process.env).request<{ message: string }>('DELETE', path)
    print(options, ended, () => ended.message)
  })

for (const [name, summary, disabled] of [
  ['disable', 'refuses the keys of an account until it is enabled', true],
  ['enable', 'accepts the keys of an account again', false],
] as const) {
  adminCommand(keys, name, summary)
    .argument('<account>')
    .action(async (account: string, options: Options) => {
      const path = `/admin/accounts/${encodeURIComponent(account)}`
      const changed = await openAdmin(options, process.env).request<AccountJson>('PATCH', path, {
        disabled,
      })
      const state = accountState(changed, Date.now())
      print(options, changed, () => `${changed.account_id} is ${state}`)
    })
}

for (const [name, summary, done] of [
  ['backup', 'writes the data directory to a file, while the service runs', 'Written to'],
  ['restore', 'makes a data directory from a backup file', 'Restored from'],
] as const) {
  withStop(program.command(name))
    .description(summary)
    .argument('<file>')
    .option('--data-dir <directory>', ownDataDir, directory)
    .option('--json', 'as JSON')
    .action(async (file: string, options: Options & { dataDir?: string }) => {
      if (name === 'backup' && options.dataDir === undefined) requireEmbeddedLog(process.env)
      const dataDir = dataDirOf(options, process.env)
      const made = await runBackup(name, file, dataDir, stop.signal)
      const secrets = name === 'backup' ? `\n${backupSecrets}` : ''
      print(
        options,
        made,
        () => `${done} ${made.file}: ${made.data_dir} as of ${made.created_at}${secrets}`,
      )
      const notice = backupNotice(made)
      if (notice !== null) console.error(`overround: ${notice}`)
    })
}

program
  .command('repair')
  .description('rebuilds a damaged log from its undamaged records, and reports the losses')
  .option('--data-dir <directory>', ownDataDir, directory)
  .option('--json', 'as JSON')
  .action(async (options: Options & { dataDir?: string }) => {
    const repair = await runRepair(dataDirOf(options, process.env))
    print(options, repair, () => repairTable(repair, style))
  })

const cluster = program
  .command('topics')
  .description('topics, schemas and rights on a Kafka cluster; settings come from the environment')

clusterCommand(
  'manifest',
  'shows the topics, schemas and rights that the service needs, as YAML',
).action(async (options: Options & Principals) => {
  const { manifestYaml, readManifest } = await topicsCommand()
  const manifest = readManifest(withoutOwn(process.env), options)
  print(options, manifest, () => manifestYaml(manifest).trimEnd())
})

clusterCommand('diff', 'shows how the cluster differs').action((options: Options & Principals) =>
  printDifferences(options, null),
)

clusterCommand('apply', 'creates and sets what differs, and lists what it cannot set')
  .option('--anew', 'also makes topics, empty, that were deleted from a log in use')
  .action((options: Options & Principals & { anew?: boolean }) => {
    const note = (text: string) => console.error(`overround: ${text}`)
    return printDifferences(options, { anew: options.anew ?? false, note })
  })

program
  .command('doctor')
  .description('checks settings, port, disk or brokers, listener, archive, clock and sources')
  .option('--url <address>', 'address of the service')
  .option('--json', 'as JSON')
  .action(async (options: Options) => {
    const checks = await examine(withoutOwn(process.env), ownAddressOf(options, process.env))
    const marks = {
      ok: style('green', 'ok  '),
      warn: style('yellow', 'warn'),
      fail: style('red', 'fail'),
    }
    print(options, checks, () =>
      checks
        .map(({ name, state, found, next }) => {
          const line = `${marks[state]}  ${name.padEnd(10)}${found}`
          return next === null ? line : `${line}\n      ${''.padEnd(10)}-> ${next}`
        })
        .join('\n'),
    )
    if (checks.some(({ state }) => state === 'fail')) process.exitCode = exitCodes.failed
  })

try {
  // LMDB distinguishes readers by process id. The first process of each container, or the first
  // after its init, has the same id.
  if (process.ppid <= 1 && process.argv[2] === 'backup') process.exit(await runAsChild())
  await program.parseAsync()
  // A closed stream may keep its connection open for a while.
  if (stop.signal.aborted) process.exit()
} catch (error) {
  process.exit(codeOf(error))
}

/** Runs this command in a process of another id. @returns its exit code */
async function runAsChild(): Promise<number> {
  const own = [...process.execArgv, ...process.argv.slice(1)]
  // In a group of its own: it would get a signal of the terminal twice.
  const child = spawn(process.execPath, own, { stdio: 'inherit', detached: true })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? exitCodes.failed
}

function codeOf(error: unknown): number {
  // Commander has printed its message.
  if (error instanceof CommanderError)
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
  if (stop.signal.aborted) return exitCodes.stopped
  const known = explain(error)
  if (!known) throw error
  console.error(`overround: ${known.message}`)
  return known.code
}

/** Runs the service in this process from now on. */
async function becomeService(settings: Readonly<Record<string, string>>) {
  Object.assign(process.env, settings)
  process.argv.splice(2)
  await import('../main.ts')
}

function readCommand(name: string, summary: string) {
  return withStop(program.command(name))
    .description(summary)
    .option('--url <address>', 'of the service (OVERROUND_URL)')
    .option('--key-file <file>', 'holds the key (OVERROUND_KEY)')
    .option('--json', 'as JSON')
}

function adminCommand(parent: Command, name: string, summary: string) {
  return withStop(parent.command(name))
    .description(summary)
    .option('--url <address>', 'of the service (OVERROUND_URL)')
    .option('--token-file <file>', 'holds the admin token (OVERROUND_ADMIN_TOKEN)')
    .option('--json', 'as JSON')
}

async function printDifferences(options: Options & Principals, applying: Applying | null) {
  const { differences, differenceTable, isFailure } = await topicsCommand()
  const remaining = await differences(withoutOwn(process.env), options, applying)
  print(options, remaining, () => differenceTable(remaining, style))
  if (isFailure(remaining, applying)) process.exitCode = exitCodes.failed
}

/** Loads the Kafka client only when it is needed. */
async function topicsCommand() {
  return import('./topics.ts')
}

function clusterCommand(name: string, summary: string) {
  return withStop(cluster.command(name))
    .description(summary)
    .option(
      '--principal <role=principal>',
      'who runs as a role, such as api=User:odds; once a role',
      (pair: string, before: readonly string[]) => [...before, pair],
      [] as readonly string[],
    )
    .option('--json', 'as JSON')
}

/** Heeds signals. The service, the backtest and the export handle them themselves. */
function withStop(command: Command): Command {
  return command.hook('preAction', () => {
    const isStoppable = stoppable.has(command.name())
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => (isStoppable ? stop.abort() : process.exit(exitCodes.stopped)))
    }
    // A reader such as `head` may close the pipe early.
    process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
      process.exit(code === 'EPIPE' ? exitCodes.done : exitCodes.failed)
    })
  })
}

function leagueOption(): Option {
  return new Option('--league <leagues>', 'comma-separated').argParser(filter).default([], 'all')
}

function print({ json }: Options, value: unknown, text: () => string) {
  process.stdout.write(`${json ? JSON.stringify(value) : text()}\n`)
}
