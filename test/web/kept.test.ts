/** Choices that the tabs of a browser keep together. */

import { expect, it } from 'vitest'
import type { Choices } from '../../api/web/client/data/choices.ts'
import { createKept } from '../../api/web/client/data/kept.ts'

function openTabs(count: number, texts = new Map<string, string>()) {
  const store = {
    getItem: (name: string) => texts.get(name) ?? null,
    setItem: (name: string, text: string) => void texts.set(name, text),
  }
  return Array.from({ length: count }, () => createKept<Choices>(store, 'choices'))
}

it('a tab changes what it names, and undoes no change of another tab', () => {
  const [one, other] = openTabs(2)
  for (const tab of [one, other]) expect(tab!.read()).toEqual({})
  one!.change({ figures: ['best'], isCompact: true })
  expect(other!.change({ scheme: 'dark' })).toEqual({
    ...{ figures: ['best'], isCompact: true, scheme: 'dark' },
  })
  one!.change({ isCompact: false })
  expect(other!.read()).toEqual({ figures: ['best'], isCompact: false, scheme: 'dark' })
})

it('a tab changes a list by what it adds, takes away and moves, and keeps what another tab did', () => {
  const [one, other] = openTabs(2)
  const shown = { figures: ['best', 'hold', 'fair'] } as const
  one!.change({ figures: ['best', 'hold'] }, shown)
  expect(other!.change({ figures: [...shown.figures, 'move'] }, shown)).toEqual({
    figures: ['best', 'hold', 'move'],
  })
  one!.change({ figures: ['hold', 'best'] }, { figures: ['best', 'hold'] })
  expect(one!.read()).toEqual({ figures: ['hold', 'best', 'move'] })
})

it('what cannot be read counts as nothing, and can be changed', () => {
  const [tab] = openTabs(1, new Map([['choices', '{"scheme":']]))
  expect(tab!.read()).toEqual({})
  tab!.change({ zone: 'utc' })
  expect(tab!.read()).toEqual({ zone: 'utc' })
})
