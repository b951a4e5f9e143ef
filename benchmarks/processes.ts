/** Measured servers in processes of their own: start, orders, CPU core, CPU time and memory. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export interface Started<Ready> {
  readonly pid: number
  /** Its first message, sent when it is ready. */
  readonly ready: Ready
  /** Sends an order and waits for the response; one at a time. */
  order<Answer>(order: object): Promise<Answer>
  close(): Promise<void>
}

/** @param core the CPU core of all its threads once it is ready; null for any */
export async function start<Ready>(
  file: string,
  args: readonly string[],
  core: number | null,
): Promise<Started<Ready>> {
  const script = fileURLToPath(new URL(file, import.meta.url))
  const child = spawn(process.execPath, ['--expose-gc', script, ...args], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const pid = child.pid!
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const ready = await nextMessage<Ready>(child)
  if (core !== null) pin(pid, core)
  return {
    pid,
    ready: ready,
    async order<Answer>(order: object) {
      const answer = nextMessage<Answer>(child)
      child.send(order)
      return answer
    },
    async close() {
      process.off('exit', kill)
      kill()
      await gone
    },
  }
}

function nextMessage<Reply>(child: ChildProcess): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) =>
      reject(new Error(`${child.spawnargs.join(' ')} ended (${code})`))
    child.once('exit', ended)
    child.once('message', (reply) => {
      child.off('exit', ended)
      resolve(reply as Reply)
    })
  })
}

/** Pins all current threads of a process to a core. */
export function pin(pid: number, core: number) {
  execFileSync('taskset', ['-a', '-c', '-p', String(core), String(pid)], { stdio: 'ignore' })
}

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK']))

/** Returns user and system time of all threads of a process. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name in parentheses may contain spaces; user and system time are fields 12 and 13 after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/**
 * Returns a process's own resident memory, without socket buffers of the kernel and without mapped files such as the
 * log's, which the system caches.
 */
export function residentBytes(pid: number): number {
  const [, kilobytes] = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!
  return Number(kilobytes) * 1_024
}

/** Returns a process's limit of open file descriptors. */
export function descriptorLimit(pid: number): number {
  const limits = readFileSync(`/proc/${pid}/limits`, 'utf8')
  const [, soft] = /^Max open files\s+(\d+|unlimited)/m.exec(limits)!
  return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft)
}

export function hasCommand(name: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
