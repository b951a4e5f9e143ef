/**
 * Ends the processes that the tests of a run started and did not end, and fails the run for them: a leftover server
 * takes memory and a core from whatever runs next. Every process of a run inherits its mark.
 */

import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

const mark = 'TEST_RUN'

export default function setup() {
  const run = randomUUID()
  process.env[mark] = run
  return () => {
    const left = processesOf(run)
    for (const { pid } of left) process.kill(pid, 'SIGKILL')
    if (left.length === 0) return
    const commands = left.map(({ pid, command }) => `  ${pid} ${command}`)
    console.error(`The tests left processes behind, which are ended now:\n${commands.join('\n')}`)
    // vitest would report an error thrown here, but still succeed.
    process.exitCode = 1
  }
}

/** Returns the run's processes except this one and its children, vitest's workers. Linux only; elsewhere none. */
function processesOf(run: string): Array<{ readonly pid: number; readonly command: string }> {
  return pids().flatMap((pid) => {
    const about = (file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8')
    try {
      if (!about('environ').split('\0').includes(`${mark}=${run}`)) return []
      const [state, parent] = about('stat')
        .replace(/^.*\) /s, '')
        .split(' ')
      if (pid === process.pid || Number(parent) === process.pid || state === 'Z') return []
      return [{ pid, command: about('cmdline').replaceAll('\0', ' ').slice(0, 200) }]
    } catch {
      // It has ended, or belongs to another user.
      return []
    }
  })
}

function pids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}
