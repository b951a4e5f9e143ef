#!/usr/bin/env node
/**
 * The command `overround`: starts the service, asks a running one, and works on recordings. Results go to
 * standard output, all else to standard error. `docs/command-line.md` is its guide.
 */

import { resolve } from 'node:path'
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { describeSettings } from '../../pipeline/settings/config.ts'
import { ownVersion } from '../version.ts'
import { requireEmbeddedLog, runBackup } from './backup.ts'
import { bestTable, readBest, watchBest } from './best.ts'
import { examine } from './doctor.ts'
import { exitCodes, explain, UsageError } from './exit-codes.ts'
import { repairTable, runRepair } from './repair.ts'
import {
  openAdmin,
  openClient,
  ownAddressOf,
  ownVariables,
  type ServiceOptions,
} from './service.ts'
import { tail, tailedChannels } from './tail.ts'
import { styleFor, tableOf } from './terminal.ts'
import type { Principals } from './topics.ts'

interface Asked extends ServiceOptions {
  readonly json?: boolean
}

interface AccountJson {
  readonly account_id: string
  readonly name: string
  readonly tier: string
  readonly disabled: boolean
  readonly keys: readonly { readonly id: string; readonly is_active: boolean }[]
}

interface SourceJson {
  readonly id: string
  readonly state: string
  readonly reason: string | null
  readonly advice: string | null
  readonly rows: number
  readonly last_success: string | null
}

const style = styleFor(process.stdout, process.env)
const stop = new AbortController()
const pageSize = 100

const list = (text: string) => text.split(',').filter((item) => item !== '')
const whole = (text: string) => {
  const value = Number(text)
  if (Number.isInteger(value) && value > 0) return value
  throw new InvalidArgumentError('It must be a whole number above 0.')
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
  .option('--data-dir <directory>', 'the data directory', './data-replay')
  .action((recording: string, { speed, retime, loop, dataDir }) => {
    const parameters = new URLSearchParams({ speed })
    if (retime) parameters.set('retime', 'true')
    if (loop) parameters.set('loop', 'true')
    return becomeService({
      OVERROUND_FEEDS: `replay:${resolve(recording)}?${parameters}`,
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
      // They read their own arguments, as the npm scripts of these names give them.
      process.argv.splice(2, 1)
      await run()
    })
}

asking('best', 'the best price of each outcome, main lines only')
  .addOption(leagueOption())
  .option('--market <market>', 'a market or a family of them', 'moneyline')
  .option('--limit <count>', 'at most so many outcomes', whole, 50)
  .action(async (asked) => {
    const prices = await readBest(openClient(asked, process.env), asked)
    print(asked, prices, () => bestTable(prices, style))
  })

asking('top', 'the same as a live table; q ends it')
  .addOption(leagueOption())
  .option('--market <market>', 'a market or a family of them', 'moneyline')
  .option('--limit <count>', 'at most so many outcomes', whole, 50)
  .action(async (asked) => {
    const client = openClient(asked, process.env)
    // Where nobody watches, one table.
    if (process.stdout.isTTY && !asked.json) return watchBest(client, asked, style, stop.signal)
    const prices = await readBest(client, asked)
    print(asked, prices, () => bestTable(prices, style))
  })

asking('tail', 'prints each change on a line')
  .argument('[channel]', `one of ${tailedChannels.join(', ')}`, 'odds')
  .addOption(leagueOption())
  .option('--market <markets>', 'comma-separated', list, [])
  .action(async (channel, asked) => {
    const known = tailedChannels.find((one) => one === channel)
    if (!known) throw new UsageError(`The channel is one of ${tailedChannels.join(', ')}.`)
    const { league, market, json = false } = asked
    const options = { channel: known, league, market, json }
    await tail(openClient(asked, process.env), options, style, stop.signal)
  })

administering(program, 'sources', 'the state of live sources').action(async (asked: Asked) => {
  const sources = await openAdmin(asked, process.env).ask<readonly SourceJson[]>('GET', '/sources')
  const rows = sources.map(({ id, state, reason, rows, last_success, advice }) => [
    id,
    state,
    reason ?? '',
    String(rows),
    last_success ?? '',
    advice ?? '',
  ])
  const head = ['source', 'state', 'reason', 'prices', 'last success', 'advice']
  print(asked, sources, () =>
    rows.length > 0
      ? tableOf(head, rows, style, new Set(['prices']))
      : 'No live source is set up. See docs/sources.md.',
  )
})

const keys = program.command('keys').description('accounts and their keys, for the operator')

administering(keys, 'list', 'all accounts').action(async (asked: Asked) => {
  const admin = openAdmin(asked, process.env)
  const accounts: AccountJson[] = []
  for (let offset = 0; ; offset += pageSize) {
    const path = `/admin/accounts?limit=${pageSize}&offset=${offset}`
    const page = await admin.ask<readonly AccountJson[]>('GET', path)
    accounts.push(...page)
    if (page.length < pageSize) break
  }
  const rows = accounts.map(({ account_id, name, tier, disabled, keys: held }) => [
    account_id,
    name,
    tier,
    disabled ? 'disabled' : 'active',
    held.map(({ id }) => id).join(' '),
  ])
  const head = ['account', 'name', 'tier', 'state', 'keys']
  print(asked, accounts, () =>
    rows.length > 0
      ? tableOf(head, rows, style)
      : 'There are no accounts: overround keys create <name> --tier <tier> makes one.',
  )
})

administering(keys, 'create', 'makes an account and its first key, which is shown only once')
  .argument('<name>')
  .requiredOption('--tier <tier>', 'free, hobby, pro, sharp or enterprise')
  .option('--addons <names>', 'comma-separated', list)
  .option('--expires <instant>', 'when the account ends, such as 2027-01-01T00:00:00Z')
  .action(
    async (name: string, asked: Asked & { tier: string; addons?: string[]; expires?: string }) => {
      const { tier, addons, expires } = asked
      const body = {
        name,
        tier,
        ...(addons && { addons }),
        ...(expires && { expires_at: expires }),
      }
      const made = await openAdmin(asked, process.env).ask<{ key: string; account_id: string }>(
        'POST',
        '/admin/accounts',
        body,
      )
      print(asked, made, () => `${made.account_id}  ${made.key}`)
    },
  )

administering(keys, 'add', 'adds a key to an account; it is shown only once')
  .argument('<account>')
  .option('--name <name>', 'name of the key', 'further')
  .action(async (account: string, asked: Asked & { name: string }) => {
    const path = `/admin/accounts/${encodeURIComponent(account)}/keys`
    const made = await openAdmin(asked, process.env).ask<{ key: string }>('POST', path, {
      name: asked.name,
    })
    print(asked, made, () => made.key)
  })

administering(keys, 'revoke', 'ends a key')
  .argument('<account>')
  .argument('<key>', 'its id')
  .action(async (account: string, key: string, asked: Asked) => {
    const path = `/admin/accounts/${encodeURIComponent(account)}/keys/${encodeURIComponent(key)}`
    const ended = await openAdmin(asked, process.env).ask<{ message: string }>('DELETE', path)
    print(asked, ended, () => ended.message)
  })

for (const [name, summary, disabled] of [
  ['disable', 'refuses the keys of an account until it is enabled', true],
  ['enable', 'accepts the keys of an account again', false],
] as const) {
  administering(keys, name, summary)
    .argument('<account>')
    .action(async (account: string, asked: Asked) => {
      const path = `/admin/accounts/${encodeURIComponent(account)}`
      const changed = await openAdmin(asked, process.env).ask<AccountJson>('PATCH', path, {
        disabled,
      })
      print(asked, changed, () => `${changed.account_id} is ${disabled ? 'disabled' : 'active'}`)
    })
}

for (const [name, summary, done] of [
  ['backup', 'writes the data directory to a file, while the service runs', 'Written to'],
  ['restore', 'makes a data directory from a backup file', 'Restored from'],
] as const) {
  withStop(program.command(name))
    .description(summary)
    .argument('<file>')
    .option('--data-dir <directory>', 'the data directory (OVERROUND_DATA_DIR, or ./data)')
    .option('--json', 'as JSON')
    .action(async (file: string, asked: Asked & { dataDir?: string }) => {
      if (name === 'backup' && asked.dataDir === undefined) requireEmbeddedLog(process.env)
      const dataDir = asked.dataDir ?? process.env.OVERROUND_DATA_DIR ?? './data'
      const made = await runBackup(name, file, dataDir, stop.signal)
      print(asked, made, () => `${done} ${made.file}: ${made.data_dir} as of ${made.created_at}`)
    })
}

program
  .command('repair')
  .description('rebuilds a damaged log from its undamaged records, and reports the losses')
  .option('--data-dir <directory>', 'the data directory (OVERROUND_DATA_DIR, or ./data)')
  .option('--json', 'as JSON')
  .action(async (asked: Asked & { dataDir?: string }) => {
    const repair = await runRepair(asked.dataDir ?? process.env.OVERROUND_DATA_DIR ?? './data')
    print(asked, repair, () => repairTable(repair, style))
  })

const cluster = program
  .command('topics')
  .description('topics, schemas and rights on a Kafka cluster; settings come from the environment')

onCluster(
  'manifest',
  'shows the topics, schemas and rights that the service needs, as YAML',
).action(async (asked: Asked & Principals) => {
  const { manifestYaml, readManifest } = await topicsCommand()
  const manifest = readManifest(withoutOwn(process.env), asked)
  print(asked, manifest, () => manifestYaml(manifest).trimEnd())
})

for (const [name, summary, mend] of [
  ['diff', 'shows how the cluster differs', false],
  ['apply', 'creates and sets what differs, and lists what it cannot set', true],
] as const) {
  onCluster(name, summary).action(async (asked: Asked & Principals) => {
    const { differences, differenceTable } = await topicsCommand()
    const left = await differences(withoutOwn(process.env), asked, mend)
    print(asked, left, () => differenceTable(left, style))
    if (left.length > 0) process.exitCode = exitCodes.failed
  })
}

program
  .command('doctor')
  .description('checks settings, port, disk or brokers, listener, archive, clock and sources')
  .option('--url <address>', 'address of the service')
  .option('--json', 'as JSON')
  .action(async (asked: Asked) => {
    const checks = await examine(withoutOwn(process.env), ownAddressOf(asked, process.env))
    const marks = {
      ok: style('green', 'ok  '),
      warn: style('yellow', 'warn'),
      fail: style('red', 'fail'),
    }
    print(asked, checks, () =>
      checks
        .map(({ name, state, found, next }) => {
          const told = `${marks[state]}  ${name.padEnd(10)}${found}`
          return next === null ? told : `${told}\n      ${''.padEnd(10)}-> ${next}`
        })
        .join('\n'),
    )
    if (checks.some(({ state }) => state === 'fail')) process.exitCode = exitCodes.failed
  })

try {
  await program.parseAsync()
  // A stream that was closed may leave a connection open behind it for a while.
  if (stop.signal.aborted) process.exit(exitCodes.done)
} catch (error) {
  process.exit(codeOf(error))
}

function codeOf(error: unknown): number {
  // It has told the person already.
  if (error instanceof CommanderError)
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
  if (stop.signal.aborted) return exitCodes.stopped
  const known = explain(error)
  if (!known) throw error
  console.error(`overround: ${known.message}`)
  return known.code
}

/** The rest of this process is the service. */
async function becomeService(settings: Readonly<Record<string, string>>) {
  Object.assign(process.env, settings)
  for (const name of ownVariables) delete process.env[name]
  process.argv.splice(2)
  await import('../main.ts')
}

function withoutOwn(environment: NodeJS.ProcessEnv) {
  const own: ReadonlySet<string> = new Set(ownVariables)
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !own.has(name)))
}

function asking(name: string, summary: string) {
  return withStop(program.command(name))
    .description(summary)
    .option('--url <address>', 'of the service (OVERROUND_URL)')
    .option('--key-file <file>', 'holds the key (OVERROUND_KEY)')
    .option('--json', 'as JSON')
}

function administering(parent: Command, name: string, summary: string) {
  return withStop(parent.command(name))
    .description(summary)
    .option('--url <address>', 'of the service (OVERROUND_URL)')
    .option('--token-file <file>', 'holds the admin token (OVERROUND_ADMIN_TOKEN)')
    .option('--json', 'as JSON')
}

/** Only those who use Kafka load its client. */
async function topicsCommand() {
  return import('./topics.ts')
}

function onCluster(name: string, summary: string) {
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

/** The service, the backtest and the export stop in ways of their own. */
function withStop(command: Command): Command {
  return command.hook('preAction', () => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
    // Whoever reads the output may have seen enough, as `head` does.
    process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
      process.exit(code === 'EPIPE' ? exitCodes.done : exitCodes.failed)
    })
  })
}

function leagueOption(): Option {
  return new Option('--league <leagues>', 'comma-separated').argParser(list).default([], 'all')
}

function print({ json }: Asked, value: unknown, text: () => string) {
  process.stdout.write(`${json ? JSON.stringify(value) : text()}\n`)
}
