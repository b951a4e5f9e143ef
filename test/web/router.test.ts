/** The address of the board that pages lead back to. */

import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

/** Loads the router as in a page opened at an address. */
async function openedAt(address: string) {
  const location = new URL(address, 'http://localhost')
  vi.stubGlobal('location', location)
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('scrollTo', () => {})
  vi.stubGlobal('document', { addEventListener: () => {} })
  vi.stubGlobal('history', {
    pushState: (_: unknown, __: string, path: string) => {
      location.href = new URL(path, location).href
    },
  })
  return await import('../../api/web/client/shell/router.ts')
}

it('the board that pages lead back to is the one opened first, with its filters', async () => {
  const { go, lastBoard } = await openedAt('/?league=nba&market=total')
  expect(lastBoard()).toBe('/?league=nba&market=total')
  go('/events/knicks_nets')
  expect(lastBoard()).toBe('/?league=nba&market=total')
  go('/?league=nhl')
  go('/opportunities')
  expect(lastBoard()).toBe('/?league=nhl')
})

it('from a page opened directly the way back is to the whole board', async () => {
  const { lastBoard } = await openedAt('/events/knicks_nets?market=moneyline')
  expect(lastBoard()).toBe('/')
})
