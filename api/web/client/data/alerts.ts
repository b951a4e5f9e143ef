/** Alerts of the reader's account. */

import type { Alert, Delivery, Page } from '../../wire.ts'
import type { Kind } from './kinds.ts'
import { type CountedPage, offsetPageOf, pageItems, readPages } from './pages.ts'
import { change, get } from './rest.ts'

/** Addresses and tokens that each kind of target needs, with their labels. */
export const targetFields = {
  browser: {},
  discord: { url: 'Webhook address of the channel' },
  telegram: { bot_token: 'Token of your bot', chat_id: 'Chat id' },
  slack: { url: 'Address of the incoming webhook' },
  ntfy: { url: 'Address with the topic' },
  email: { to: 'Mail address' },
  webhook: { url: 'Address of your receiver' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>
export type TargetType = keyof typeof targetFields

/** The subject of a new alert's rule. */
export type About = { readonly kind: Kind } | { readonly type: 'price' | 'move' | 'source' }

/** The part of an alert that a reader states; settings as the service takes them. */
export interface StatedAlert {
  readonly name: string
  readonly filters: Readonly<Record<string, string>>
  /** Absent to keep the target of an alert that is changed. */
  readonly target?: Readonly<Record<string, string>>
}

const path = '/account/alerts'

export async function listAlerts(): Promise<readonly Alert[]> {
  const read = async (offset: number) =>
    offsetPageOf(await get<CountedPage<Alert>>(`${path}?limit=${pageItems}&offset=${offset}`))
  return (await readPages(read, ({ id }) => id)).items
}
export const createAlert = async (alert: About & StatedAlert) =>
  (await change<{ data: Alert }>(path, 'POST', alert)).data
export const changeAlert = async ({ id }: Alert, alert: StatedAlert) =>
  (await change<{ data: Alert }>(`${path}/${id}`, 'PATCH', alert)).data
export const removeAlert = ({ id }: Alert) => change(`${path}/${id}`, 'DELETE')
export const pauseAlert = ({ id }: Alert) => change(`${path}/${id}/pause`, 'POST')
export const resumeAlert = ({ id }: Alert) => change(`${path}/${id}/resume`, 'POST')
export const testAlert = async ({ id }: Alert) =>
  (await change<{ data: Delivery }>(`${path}/${id}/test`, 'POST')).data
/** Reads the newest messages of an alert, more than it may send in an hour, and the number of all. */
export const listDeliveries = async ({ id }: Alert) =>
  offsetPageOf(await get<CountedPage<Delivery>>(`${path}/${id}/deliveries?limit=100`))
/** Reads the messages of alerts that notify browsers, newest first. */
export const listNotices = async () =>
  (await get<Page<Delivery>>(`${path}/deliveries?target=browser&limit=20`)).data
export const redeliver = (alert: Alert, delivery: Delivery) =>
  change(`${path}/${alert.id}/deliveries/${delivery.id}/redeliver`, 'POST')
