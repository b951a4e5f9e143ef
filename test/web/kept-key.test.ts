/** Where the reader's key is kept. */

import { beforeEach, expect, it } from 'vitest'
import { createKeptKey, type KeyStore, openStore } from '../../api/web/client/data/kept-key.ts'

function memory(): KeyStore {
  const kept = new Map<string, string>()
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  }
}

let device: KeyStore
beforeEach(() => {
  device = memory()
})
const openTab = () => createKeptKey(memory(), device)

it('a key is the tab’s own, unless it is kept on the device', () => {
  const [one, other] = [openTab(), openTab()]
  one.keep('a key', false)
  expect([one.read(), other.read(), openTab().read()]).toEqual(['a key', null, null])
  one.keep('another key', true)
  expect([one.read(), other.read(), openTab().read()]).toEqual(Array(3).fill('another key'))
})

it('a key that is entered for the tab alone leaves none on the device', () => {
  const tab = openTab()
  tab.keep('a key', true)
  tab.keep('a key', false)
  expect([tab.read(), openTab().read()]).toEqual(['a key', null])
})

it('leaving removes the key of the tab and of the device', () => {
  const [one, other] = [openTab(), openTab()]
  one.keep('a key', true)
  other.keep('a key', false)
  one.keep('a key', true)
  other.forget()
  expect([one.read(), other.read()]).toEqual([null, null])
})

it('a refused key is removed from where it was read, so that the device’s own stays', () => {
  const [one, other] = [openTab(), openTab()]
  other.keep('a refused key', false)
  one.keep('a key', true)
  other.drop()
  expect([one.read(), other.read()]).toEqual(['a key', 'a key'])
  other.drop()
  expect([one.read(), other.read()]).toEqual([null, null])
})

it('a tab follows what others change, unless it has a key of its own', () => {
  const [one, own] = [openTab(), openTab()]
  own.keep('a key', false)
  const changes = ['overround.key', null, 'overround.choices']
  expect(changes.map(one.isChangedBy)).toEqual([true, true, false])
  expect(changes.map(own.isChangedBy)).toEqual([false, false, false])
})

it('a browser that lets pages keep nothing has a key in memory', () => {
  const blocked = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  }
  const full: KeyStore = { getItem: () => null, setItem: blocked, removeItem: () => {} }
  for (const find of [blocked, () => full]) {
    const one = createKeptKey(openStore(find), openStore(find))
    expect(one.read()).toBeNull()
    one.keep('a key', true)
    expect(one.read()).toBe('a key')
    one.drop()
    expect(one.read()).toBeNull()
  }
})
