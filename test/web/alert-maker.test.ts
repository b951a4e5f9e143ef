/** An alert of which no answer came is made once. */

import { expect, it } from 'vitest'
import { alertMaker } from '../../api/web/client/data/alert-maker.ts'
import { RefusedError } from '../../api/web/client/data/refused.ts'
import type { Alert } from '../../api/web/wire.ts'

const stated = { name: 'Knicks', filters: {} }

function service(failures: readonly (Error | null)[], isStoredAnyhow: boolean) {
  const stored: Alert[] = [{ id: 'old', name: 'Knicks' } as Alert]
  const left = [...failures]
  const changes: [string, object][] = []
  const make = alertMaker<{ readonly name: string; readonly filters: object }>(
    async () => [...stored],
    async ({ name }) => {
      const failure = left.shift() ?? null
      const alert = { id: `new ${stored.length}`, name } as Alert
      if (failure === null || isStoredAnyhow) stored.push(alert)
      if (failure) throw failure
      return alert
    },
    async (made, { filters }) => {
      const failure = left.shift() ?? null
      if (failure) throw failure
      changes.push([made.id, filters])
      return made
    },
  )
  return { stored, changes, make }
}

it.each([new TypeError('lost'), new RefusedError(502, null, null)])(
  'a second try after %s takes the alert that the first one made',
  async (failure) => {
    const { stored, make } = service([failure], true)
    await expect(make(stated)).rejects.toBe(failure)
    expect((await make(stated)).id).toBe('new 1')
    expect(stored).toHaveLength(2)
    // Another alert of the same name is another one.
    expect((await make(stated)).id).toBe('new 2')
  },
)

it('the alert of the first try is changed to what the second one states, also by a third one', async () => {
  const lost = new TypeError('lost')
  const refused = new RefusedError(400, { error: { code: 'validation_error' } }, null)
  const { stored, changes, make } = service([lost, refused], true)
  await expect(make(stated)).rejects.toBe(lost)
  await expect(make({ ...stated, filters: { league: 'x' } })).rejects.toBe(refused)
  await make({ ...stated, filters: { league: 'nba' } })
  expect(changes).toEqual([['new 1', { league: 'nba' }]])
  expect(stored).toHaveLength(2)
})

it('an alert that is renamed before another try is made once', async () => {
  const lost = new TypeError('lost')
  const { stored, changes, make } = service([lost], true)
  await expect(make(stated)).rejects.toBe(lost)
  await make({ name: 'Nets', filters: { league: 'nba' } })
  expect(stored).toHaveLength(2)
  expect(changes).toEqual([['new 1', { league: 'nba' }]])
})

it('a second try makes it if the first one did not', async () => {
  const { stored, make } = service([new TypeError('lost')], false)
  await expect(make(stated)).rejects.toThrow('lost')
  expect((await make(stated)).id).toBe('new 1')
  expect(stored).toHaveLength(2)
})

it('a refused alert is made anew', async () => {
  const refused = new RefusedError(400, { error: { code: 'validation_error' } }, null)
  const { stored, make } = service([refused], false)
  await expect(make(stated)).rejects.toBe(refused)
  await make(stated)
  expect(stored).toHaveLength(2)
})
