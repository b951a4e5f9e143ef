/** Compressed bodies are decompressed a few at a time, for all senders together. */

import { expect, test } from 'vitest'
import { createInflating } from '../../api/server/body-coding.ts'

test('at most two run, the others in turn, and a failure frees its place', async () => {
  const inflating = createInflating()
  const begun: number[] = []
  const finish: ((isFailing?: boolean) => void)[] = []
  const tasks = Array.from({ length: 5 }, (_, index) =>
    inflating
      .run(
        () =>
          new Promise<void>((resolve, reject) => {
            begun.push(index)
            finish[index] = (isFailing = false) =>
              isFailing ? reject(new Error('bad')) : resolve()
          }),
      )
      .catch((error: Error) => error.message),
  )
  expect(begun).toEqual([0, 1])
  finish[1]!(true)
  expect(await tasks[1]).toBe('bad')
  await expect.poll(() => begun).toEqual([0, 1, 2])
  finish[0]!()
  await expect.poll(() => begun).toEqual([0, 1, 2, 3])
  finish[2]!()
  finish[3]!()
  await expect.poll(() => begun.length).toBe(5)
  finish[4]!()
  await Promise.all(tasks)
  // All slots are free again.
  let ran = 0
  await Promise.all([1, 2, 3].map(() => inflating.run(async () => void ran++)))
  expect(ran).toBe(3)
})

test('beyond two hundred waiting ones, more are asked to retry', async () => {
  const inflating = createInflating()
  let finish = () => {}
  const held = new Promise<void>((resolve) => {
    finish = resolve
  })
  const tasks = Array.from({ length: 202 }, () => inflating.run(() => held))
  await expect(inflating.run(() => held)).rejects.toMatchObject({ code: 'service_unavailable' })
  finish()
  await Promise.all(tasks)
})
