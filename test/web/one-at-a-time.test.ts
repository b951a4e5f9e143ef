/** Work of buttons that are clicked twice. */

import { expect, it } from 'vitest'
import { oneAtATime } from '../../api/web/client/data/one-at-a-time.ts'

it('drops work while another runs, and runs the next once it has ended, also by an error', async () => {
  const busy: boolean[] = []
  const ran: string[] = []
  const run = oneAtATime((isBusy) => busy.push(isBusy))
  let end = () => {}
  const first = run(async () => {
    ran.push('first')
    await new Promise<void>((resolve) => {
      end = resolve
    })
    throw new Error('refused')
  })
  await run(async () => {
    ran.push('dropped')
  })
  end()
  await expect(first).rejects.toThrow('refused')
  await run(async () => {
    ran.push('next')
  })
  expect(ran).toEqual(['first', 'next'])
  expect(busy).toEqual([true, false, true, false])
})
