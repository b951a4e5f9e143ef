/** Browser notifications: messages of the account's alerts for browsers, shown while a page is open. */

import { useEffect } from 'preact/hooks'
import { type Delivery, listNotices } from '../data/alerts.ts'
import { RefusedError } from '../data/refused.ts'
import { serviceNow } from '../data/service-time.ts'

const leastMs = 5_000
/** Set once the reader has allowed notifications. */
const allowed = 'overround:notices-allowed'

/** @throws Error with a reason for the reader, if the browser does not let pages notify */
export async function askToNotify(): Promise<void> {
  if (!('Notification' in window)) throw new Error('This browser has no notifications.')
  if ((await Notification.requestPermission()) !== 'granted')
    throw new Error('Notifications of this page are blocked; allow them in the browser.')
  dispatchEvent(new Event(allowed))
}

const mayNotify = () => 'Notification' in window && Notification.permission === 'granted'

/**
 * Shows messages from now on, also in a tab in the background, and closes those that are gone.
 * @param key null: nobody is there to tell
 */
export function useNotices(key: string | null, paceMs: number) {
  useEffect(() => {
    if (key === null) return
    const since = serviceNow()
    /** Notifications by delivery; null once closed. */
    const shown = new Map<string, Notification | null>()
    let isOver = false
    let timer = 0
    async function look() {
      clearTimeout(timer)
      try {
        if (mayNotify()) for (const notice of await listNotices()) show(notice)
      } catch (error) {
        if (error instanceof RefusedError && error.isFinal) return
      }
      if (isOver || !mayNotify()) return
      // Another read may have begun meanwhile.
      clearTimeout(timer)
      timer = window.setTimeout(look, Math.max(leastMs, paceMs))
    }
    function show({ id, title, page, decided_at, gone_at }: Delivery) {
      if (isOver) return
      if (gone_at !== null) {
        shown.get(id)?.close()
        shown.set(id, null)
        return
      }
      if (shown.has(id) || title === null || Date.parse(decided_at) < since) return
      // Other tabs show it under the same tag: the browser keeps one.
      const notice = new Notification('overround', { body: title, tag: id, icon: '/icon.svg' })
      shown.set(id, notice)
      notice.onclick = () => {
        window.focus()
        if (page !== null) location.assign(page)
      }
    }
    look()
    addEventListener(allowed, look)
    return () => {
      isOver = true
      clearTimeout(timer)
      removeEventListener(allowed, look)
    }
  }, [key, paceMs])
}
