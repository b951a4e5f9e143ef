/** A running overround: the real process, as started by `npm start`, on a free port with its own data. */

import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { projectRoot } from '../schemas/project-root.ts'
import { patienceMs } from './patience.ts'

export interface Service {
  /** `http://127.0.0.1:<port>/api/v1` */
  readonly address: string
  readonly output: () => string
  readonly pid: number
  /** Resolves with the exit code when it has ended, for whatever reason. */
  readonly ended: Promise<number | null>
  /** Sends SIGKILL: no handler runs, nothing is flushed. */
  kill(): Promise<void>
  /** Sends SIGTERM and returns the exit code. */
  stop(): Promise<number | null>
}

export interface StartOptions {
  readonly env: Readonly<Record<string, string>>
  /** Whether to resolve as soon as the process is spawned, without waiting for its greeting. */
  readonly early?: boolean
  /** Directory of its installation; default: this tree. */
  readonly root?: string
  /** Working directory; default: that of the tests. */
  readonly cwd?: string
}

/**
 * Returns the league with the most games among those with matching prices. Which leagues play depends on the day.
 * @param address of the API of a service with test keys
 * @param query of `/odds`, as in `market=spread`
 */
export async function playingLeague(address: string, query = 'market=moneyline'): Promise<string> {
  const ask = async (path: string) => {
    const headers = { 'X-API-Key': 'sk_test_sandbox_sharp' }
    const answer = await fetch(`${address}${path}`, { headers })
    const { data } = (await answer.json()) as { data: { id: string; event_count: number }[] }
    return data
  }
  const leagues = await ask('/leagues')
  for (const { id } of leagues.toSorted((a, b) => b.event_count - a.event_count)) {
    if ((await ask(`/odds?league=${id}&${query}&limit=1`)).length > 0) return id
  }
  throw new Error(`no league has prices of ${query}`)
}

/** @throws Error with the process's output if it ends before it greets, or does not greet in time and is killed */
export async function startService({
  env,
  early = false,
  root = projectRoot,
  cwd = process.cwd(),
}: StartOptions): Promise<Service> {
  const child = spawn(process.execPath, [join(root, 'dist', 'api', 'main.js')], {
    cwd,
    env: { ...inherited(), OVERROUND_PORT: '0', OVERROUND_LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (text) => {
    output += text
  })
  child.stderr.on('data', (text) => {
    output += text
  })
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  if (!early) await greeted(child, () => output)
  return {
    get address() {
      return addressIn(output) ?? ''
    },
    output: () => output,
    pid: child.pid!,
    ended: exited,
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
    async stop() {
      child.kill('SIGTERM')
      return exited
    },
  }
}

async function greeted(child: ChildProcess, output: () => string) {
  const deadline = Date.now() + patienceMs
  while (addressIn(output()) === undefined) {
    if (child.exitCode !== null) throw new Error(`the service ended:\n${output()}`)
    if (Date.now() > deadline) {
      child.kill('SIGKILL')
      throw new Error(`the service did not greet:\n${output()}`)
    }
    await delay(10)
  }
}

const addressIn = (output: string) => /overround is at (\S+)/.exec(output)?.[1]

/** Settings of the user's environment must not reach the service under test, except for its listener. */
export function inherited(): Record<string, string> {
  const others = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || name.startsWith('OVERROUND_') ? [] : [[name, value]],
    ),
  )
  const listener = process.env.OVERROUND_TEST_LISTENER
  return listener === undefined ? others : { ...others, OVERROUND_LISTENER: listener }
}
