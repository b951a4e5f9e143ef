import { expect, it } from 'vitest'
import { createGoneLook } from '../../../api/alerts/gone-look.ts'
import type { AlertDeliveryRow } from '../../../schemas/alert.ts'

const messages = ['a', 'b'].map((id) => ({
  row: { id, accountId: 'acct_1', alertId: 'alert_1', occasion: id } as AlertDeliveryRow,
  opportunityId: id,
}))

/** Looks once for each list of what is gone. */
function looks(...lists: readonly (readonly string[])[]) {
  let gone: readonly string[] = []
  const look = createGoneLook(
    { standing: () => messages },
    { isGone: ({ opportunityId }) => gone.includes(opportunityId!) },
  )
  return lists.map((list) => {
    gone = list
    return look().map(({ id }) => id)
  })
}

it('a message is gone at the second look in a row, and is returned once', () => {
  expect(looks(['a'], ['a', 'b'], ['a', 'b'], ['a', 'b'])).toEqual([[], ['a'], ['b'], []])
})

it('a message that is there again in between is not gone', () => {
  expect(looks(['a'], [], ['a'], [], ['a'], ['a'])).toEqual([[], [], [], [], [], ['a']])
})
