/** Browser notifications: messages of the account's alerts for browsers, shown while a page is open. */

import { useEffect } from 'preact/hooks'
import type { Delivery } from '../../wire.ts'
import { listNotices } from '../data/alerts.ts'
import { createNoticeChoice } from '../data/notices.ts'
import { isRefusedWith } from '../data/refused.ts'

const leastMs = 5_000
/** Reads the messages once; null without an account. */
let lookNow: (() => Promise<void>) | null = null

/**
 * Asks the reader to allow notifications, shows one, and waits until messages are looked for.
 * @throws Error with a reason for the reader, if the browser does not let pages notify
 */
export async function askToNotify(): Promise<void> {
  if (!('Notification' in window)) throw new Error('This browser has no notifications.')
  if ((await Notification.requestPermission()) !== 'granted')
    throw new Error('Notifications of this page are blocked; allow them in the browser.')
  if (!notify('Messages of alerts look like this.', 'allowed'))
    throw new Error('This browser shows no notifications of a page; choose another target.')
  await lookNow?.()
}

const mayNotify = () => 'Notification' in window && Notification.permission === 'granted'

/**
 * @param tag the browser keeps one notification of those with a tag, so that several tabs show one
 * @returns null if the browser has notifications, but not of pages, as mobile Chrome
 */
function notify(body: string, tag: string): Notification | null {
  try {
    // The page itself names its icon, whose address changes with its content.
    const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')!.href
    return new Notification('overround', { body, tag, icon })
  } catch {
    return null
  }
}

/**
 * Shows messages from now on, also in a tab in the background, and closes those that are gone.
 * @param key null without an account
 */
export function useNotices(key: string | null, paceMs: number) {
  useEffect(() => {
    if (key === null) return
    const choose = createNoticeChoice()
    const shown = new Map<string, Notification>()
    let isOver = false
    let timer = 0
    async function look() {
      clearTimeout(timer)
      try {
        if (mayNotify() && !showAll(await listNotices())) return
      } catch (error) {
        if (isRefusedWith(error, 401, 403)) return
      }
      if (isOver || !mayNotify()) return
      // Another read may have begun meanwhile.
      clearTimeout(timer)
      timer = window.setTimeout(look, Math.max(leastMs, paceMs))
    }
    /** Returns false if no more can be shown. */
    function showAll(listing: readonly Delivery[]): boolean {
      if (isOver) return false
      for (const { id, gone_at } of listing) if (gone_at !== null) shown.get(id)?.close()
      return choose(listing).every(show)
    }
    function show({ id, title, page }: Delivery): boolean {
      const notice = notify(title!, id)
      if (!notice) return false
      shown.set(id, notice)
      notice.onclick = () => {
        window.focus()
        if (page !== null) location.assign(page)
      }
      return true
    }
    look()
    lookNow = look
    return () => {
      isOver = true
      clearTimeout(timer)
      lookNow = null
    }
  }, [key, paceMs])
}
