/** A file that a setting names is read, and so is a pipe that ends; nothing is waited for, or read, without end. */

import { execFileSync, spawn } from 'node:child_process'
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { awaitNamedFile, readNamedFile } from '../../../pipeline/settings/named-file.ts'

const directory = mkdtempSync(join(tmpdir(), 'overround-named-'))
const at = (name: string) => join(directory, name)
afterAll(() => rmSync(directory, { recursive: true }))

it('a file is read, through links too', async () => {
  writeFileSync(at('secret'), 'hunter2é\n')
  await symlink('secret', at('..data'))
  await symlink('..data', at('mounted'))
  expect(readNamedFile(at('mounted'))).toBe('hunter2é\n')
  writeFileSync(at('empty'), '')
  expect(readNamedFile(at('empty'))).toBe('')
})

it('a device, a directory and a file without end are refused', () => {
  expect(() => readNamedFile('/dev/zero')).toThrow('it is a device or a socket, not a file')
  expect(() => readNamedFile(directory)).toThrow('EISDIR')
  expect(() => readNamedFile(at('nowhere'))).toThrow('ENOENT')
  writeFileSync(at('large'), Buffer.alloc(4 * 1_024 ** 2, 'a'))
  expect(readNamedFile(at('large'))).toHaveLength(4 * 1_024 ** 2)
  writeFileSync(at('large'), 'a', { flag: 'a' })
  expect(() => readNamedFile(at('large'))).toThrow('it has more than 4194304 bytes')
})

describe('a pipe', () => {
  const pipe = (name: string) => {
    execFileSync('mkfifo', [at(name)])
    return at(name)
  }

  it('is read to its end', () => {
    const path = pipe('written')
    // It keeps what was written until it is read.
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    writeFileSync(path, 'hunter2')
    expect(readNamedFile(path)).toBe('hunter2')
    closeSync(reader)
  })

  it('is waited for until a process writes to it', () => {
    const path = pipe('late')
    const writer = spawn('sh', ['-c', `sleep 0.2; printf hunter2 > '${path}'`])
    expect(readNamedFile(path, 60_000)).toBe('hunter2')
    writer.kill()
  })

  it('is waited for without blocking, so that this process itself may write to it', async () => {
    const path = pipe('own')
    const reading = awaitNamedFile(path, 60_000)
    const writer = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
    writeSync(writer, 'hunter2')
    closeSync(writer)
    expect(await reading).toBe('hunter2')
    await expect(awaitNamedFile(at('nowhere'))).rejects.toThrow('ENOENT')
    await expect(awaitNamedFile(path, 50)).rejects.toThrow('it is a pipe that no process wrote to')
  })

  it('is refused if no process writes to it in time, or closes it', () => {
    const path = pipe('silent')
    const refusal = 'it is a pipe that no process wrote to and closed within 50 ms'
    expect(() => readNamedFile(path, 50)).toThrow(refusal)
    const writer = openSync(path, constants.O_RDWR)
    expect(() => readNamedFile(path, 50)).toThrow(refusal)
    writeSync(writer, 'hunter2')
    expect(() => readNamedFile(path, 50)).toThrow(refusal)
    closeSync(writer)
  })
})
