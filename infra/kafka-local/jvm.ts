/** Java processes: starts them with their output in a file, waits for them, and ends them by pid. */

import { execFile, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Options of processes that live for minutes: they would spend most of their time on optimizing compilation. */
export const shortLived: readonly string[] = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1']

const pollMs = 100
const stopGraceMs = 15_000

/** Stands before the data directory in each command line, to identify our processes. */
const markProperty = '-Doverround.kafka-local='

export type Jvm = {
  pid: number
  logFile: string
  /** Lets the process outlive ours; without it, it is killed when ours exits. */
  release(): void
}

export type JvmOptions = {
  java: string
  args: readonly string[]
  dataDir: string
  /** Log file, emptied at the start. */
  logFile: string
  env?: Record<string, string>
  /** Whether it runs in a session of its own, which a Ctrl-C here does not reach: for a process to be released. */
  detached: boolean
}

export async function startJvm(options: JvmOptions): Promise<Jvm> {
  const { java, args, dataDir, logFile, env, detached } = options
  const output = openSync(logFile, 'w')
  const child = spawn(java, [`${markProperty}${dataDir}`, ...args], {
    cwd: dataDir,
    env: { ...process.env, ...env },
    stdio: ['ignore', output, output],
    detached,
  })
  closeSync(output)
  const { pid } = child
  if (pid === undefined) {
    const cause = await new Promise((resolve) => child.once('error', resolve))
    throw new Error(`cannot start ${java}`, { cause })
  }
  child.unref()
  const killAtExit = () => signalProcess(pid, 'SIGKILL')
  const release = () => {
    process.off('exit', killAtExit)
  }
  process.once('exit', killAtExit)
  child.once('exit', release)
  return { pid, logFile, release }
}

/**
 * Polls `isReady` until it is true.
 * @throws Error with the end of the log if the process ends first or `timeoutMs` passes
 */
export async function waitUntilReady(
  name: string,
  jvm: Jvm,
  isReady: () => Promise<boolean>,
  timeoutMs: number,
): Promise<void> {
  const deadline = Date.now() + timeoutMs
  while (!(await isReady())) {
    const alive = processIsAlive(jvm.pid)
    if (alive && Date.now() < deadline) {
      await sleep(pollMs)
      continue
    }
    const problem = alive ? `did not answer within ${timeoutMs} ms` : 'ended while starting'
    const log = (await readFile(jvm.logFile, 'utf8')).trimEnd().split('\n').slice(-15).join('\n')
    throw new Error(`the ${name} ${problem}; the end of ${jvm.logFile}:\n${log}`)
  }
}

function processIsAlive(pid: number): boolean {
  return signalProcess(pid, 0) && !isZombie(pid)
}

/** Returns whether a process has ended but was not reaped, as may happen in containers. */
function isZombie(pid: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false // no /proc here
  }
}

/** Returns whether `pid` is alive and was started for `dataDir`, and is not another process with a reused pid. */
export async function isOurProcess(pid: number, dataDir: string): Promise<boolean> {
  if (!processIsAlive(pid)) return false
  // Read /proc on Linux: slim images have no `ps`.
  const fromProc = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => null)
  const command = fromProc ?? (await run('ps', ['-o', 'command=', '-p', String(pid)])).stdout
  return command.split(/[\0\s]/).includes(`${markProperty}${dataDir}`)
}

/** Sends SIGTERM, and SIGKILL after the grace period. Resolves when the process is gone. */
export async function endProcess(pid: number, graceMs = stopGraceMs): Promise<void> {
  signalProcess(pid, 'SIGTERM')
  resumeProcess(pid) // a paused process would not get the signal
  for (let waited = 0; waited < graceMs; waited += pollMs) {
    if (!processIsAlive(pid)) return
    await sleep(pollMs)
  }
  await killProcess(pid)
}

/** Pauses a process; its connections stay open. */
export const pauseProcess = (pid: number) => signalProcess(pid, 'SIGSTOP')

export const resumeProcess = (pid: number) => signalProcess(pid, 'SIGCONT')

/** Sends SIGKILL, like a crash. Resolves when the process is gone. */
export async function killProcess(pid: number): Promise<void> {
  signalProcess(pid, 'SIGKILL')
  while (processIsAlive(pid)) await sleep(pollMs)
}

function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

/**
 * Below the ports that Linux gives to whoever asks for any (from 32768 on by default): such a port stays free while the
 * process that has it is restarted.
 */
const givenPorts = [15_000, 32_000] as const

/** Returns a port that was free on loopback a moment ago. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...givenPorts)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    )
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/** Returns whether something accepts connections on that loopback port. */
export function portAccepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const finish = (accepted: boolean) => {
      socket.destroy()
      resolve(accepted)
    }
    socket.once('connect', () => finish(true)).once('error', () => finish(false))
  })
}
