/** What each type of target is sent: the signed JSON of a webhook, a text as the service of the target shows it, or mail. */

import { Webhook } from 'standardwebhooks'
import type { AlertTarget, TargetType } from '../../schemas/alert.ts'
import type { AlertMessage } from '../../schemas/http/alerts.ts'
import { textLines } from './message-texts.ts'
import type { Outgoing, OutgoingRequest } from './targets.ts'

interface Sent {
  readonly id: string
  /** JSON. */
  readonly message: string
  /** Epoch ms. */
  readonly at: number
}

/** What brings a message to a target; null where it is fetched from here. */
export const requestTo = (target: AlertTarget, sent: Sent): Outgoing | null =>
  requests[target.type](target, sent)

type ToRequest = (target: AlertTarget, sent: Sent) => Outgoing | null

const requests: Readonly<Record<TargetType, ToRequest>> = {
  webhook({ url, secret }, { id, message, at }) {
    return {
      url,
      headers: {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at / 1_000)),
        'webhook-signature': new Webhook(secret!).sign(id, new Date(at), message),
      },
      body: message,
    }
  },
  discord({ url }, sent) {
    const { title, lines, page } = textOf(sent)
    const embed = { title: cut(title, 256), url: page, description: cut(lines.join('\n'), 4_000) }
    return asJson(url, { embeds: [embed], allowed_mentions: { parse: [] } })
  },
  slack({ url }, sent) {
    const { title, lines } = textOf(sent)
    const text = [`*${slackText(title)}*`, ...lines.map(slackText)].join('\n')
    return asJson(url, { text: cut(text, 3_900), unfurl_links: false })
  },
  telegram({ url, secret, chatId }, sent) {
    const { title, lines } = textOf(sent)
    return asJson(`${url.replace(/\/$/, '')}/bot${secret}/sendMessage`, {
      chat_id: chatId,
      text: cut([title, ...lines].join('\n'), 4_000),
      link_preview_options: { is_disabled: true },
    })
  },
  ntfy({ url, secret }, sent) {
    const { title, lines, page } = textOf(sent)
    const address = new URL(url)
    const topic = address.pathname.replace(/^.*\//, '')
    const root = new URL('./', address).href
    const body = {
      topic,
      title: cut(title, 250),
      message: cut(lines.join('\n'), 3_500),
      click: page,
    }
    return asJson(root, body, secret === null ? {} : { authorization: `Bearer ${secret}` })
  },
  email({ url }, sent) {
    const { title, lines } = textOf(sent)
    const to = decodeURIComponent(new URL(url).pathname)
    return { id: sent.id, to, subject: cut(title, 200), text: lines.join('\n') }
  },
  browser: () => null,
}

const asJson = (
  url: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): OutgoingRequest => ({ url, headers, body: JSON.stringify(body) })

const cut = (text: string, length: number) =>
  text.length <= length ? text : `${text.slice(0, length - 1)}…`

/** Slack reads these three signs as its own. */
const slackText = (text: string) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

function textOf({ message }: Sent) {
  const told = JSON.parse(message) as AlertMessage
  const { title, simulated, links } = told.data
  return {
    title,
    page: links.page,
    lines: [
      ...(simulated ? ['SIMULATED PRICES: no bet can be made on them'] : []),
      ...textLines(told),
      `Page: ${links.page}`,
    ],
  }
}
