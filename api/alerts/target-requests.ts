/**
 * Requests to each type of target: signed JSON to a webhook, text in the format of a chat service, or mail. If the
 * service supports it, also the request that edits a message.
 */

import { createHash } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { AlertTarget, TargetType } from '../../schemas/alert.ts'
import type { AlertMessage } from '../../schemas/http/alerts.ts'
import { type Reading, secondsText, textLines } from './message-texts.ts'
import type { Outgoing, OutgoingRequest } from './targets.ts'

interface Sent {
  readonly id: string
  /** Message as JSON. */
  readonly message: string
  /** Epoch ms. */
  readonly at: number
  /** How texts show prices and times. */
  readonly reading: Reading
}

/** Returns the request that sends a message to a target; null for a browser, which fetches messages from here. */
export const requestTo = (target: AlertTarget, sent: Sent): Outgoing | null =>
  services[target.type].send(target, sent)

/**
 * Returns the id of a message at its target, from the target's reply; null if the target cannot edit messages. The id
 * includes the target's fingerprint, because a message can be edited only at the target that it was sent to.
 */
export function remoteIdOf(target: AlertTarget, reply: string): string | null {
  const { idIn } = services[target.type]
  if (!idIn) return null
  try {
    const id = String(idIn(JSON.parse(reply)) ?? '')
    return messageIdPattern.test(id) ? `${fingerprint(target)} ${id}` : null
  } catch {
    return null
  }
}

/**
 * Returns the request that edits a message to say that its opportunity or price is gone; null if the alert has another
 * target now.
 * @param remoteId from `remoteIdOf`
 */
export function editRequest(target: AlertTarget, sent: Gone, remoteId: string): Outgoing | null {
  const [sentTo, id] = remoteId.split(' ') as [string, string]
  return sentTo === fingerprint(target)
    ? (services[target.type].edit?.(target, sent, id) ?? null)
    : null
}

interface Gone extends Sent {
  /** When it was found to be gone (epoch ms). */
  readonly goneAt: number
}

interface Service {
  send(target: AlertTarget, sent: Sent): Outgoing | null
  /** The id of the message in the reply to `send`. */
  idIn?(reply: Reply): unknown
  edit?(target: AlertTarget, sent: Gone, id: string): Outgoing
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of others
type Reply = any

const services: Readonly<Record<TargetType, Service>> = {
  webhook: {
    send({ url, secret }, { id, message, at }) {
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
  },
  discord: {
    send: ({ url }, sent) => withReply(asJson(withQuery(url, { wait: 'true' }), discordBody(sent))),
    idIn: (reply) => reply.id,
    edit({ url }, sent, id) {
      const address = new URL(url)
      address.pathname = `${address.pathname.replace(/\/$/, '')}/messages/${id}`
      return { ...asJson(address.href, discordBody(sent)), method: 'PATCH' }
    },
  },
  slack: {
    send({ url }, sent) {
      const { title, lines } = textOf(sent)
      const text = [`*${slackText(title)}*`, ...lines.map(slackText)].join('\n')
      return asJson(url, { text: cut(text, 3_900), unfurl_links: false })
    },
  },
  telegram: {
    send: (target, sent) =>
      withReply(asJson(telegramAddress(target, 'sendMessage'), telegramBody(target, sent))),
    idIn: (reply) => reply.result.message_id,
    edit: (target, sent, id) =>
      asJson(telegramAddress(target, 'editMessageText'), {
        ...telegramBody(target, sent),
        message_id: Number(id),
      }),
  },
  ntfy: {
    send: (target, sent) => withReply(ntfyRequest(target, sent)),
    // Servers before 2.16 ignore the sequence, and would show an edit as another message.
    idIn: (reply) => reply.sequence_id,
    edit: ntfyRequest,
  },
  email: {
    send({ url }, sent) {
      const { title, lines } = textOf(sent)
      const to = decodeURIComponent(new URL(url).pathname)
      return { id: sent.id, to, subject: cut(title, 200), text: lines.join('\n') }
    },
  },
  browser: { send: () => null },
}

/** Replies come from outside. An id of another form could change the path of the address that edits the message. */
const messageIdPattern = /^[\w-]{1,64}$/

const fingerprint = ({ type, url, secret, chatId }: AlertTarget) =>
  createHash('sha256').update([type, url, secret, chatId].join('|')).digest('hex').slice(0, 12)

function discordBody(sent: Sent) {
  const { title, lines, page } = textOf(sent)
  const embed = { title: cut(title, 256), url: page, description: cut(lines.join('\n'), 4_000) }
  return { embeds: [embed], allowed_mentions: { parse: [] } }
}

const telegramAddress = ({ url, secret }: AlertTarget, method: string) =>
  `${url.replace(/\/$/, '')}/bot${secret}/${method}`

function telegramBody({ chatId }: AlertTarget, sent: Sent) {
  const { title, lines } = textOf(sent)
  return {
    chat_id: chatId,
    text: cut([title, ...lines].join('\n'), 4_000),
    link_preview_options: { is_disabled: true },
  }
}

function ntfyRequest({ url, secret }: AlertTarget, sent: Sent): OutgoingRequest {
  const { title, lines, page } = textOf(sent)
  const address = new URL(url)
  const topic = address.pathname.replace(/^.*\//, '')
  const root = new URL('./', address).href
  const body = {
    topic,
    sequence_id: sent.id,
    title: cut(title, 250),
    message: cut(lines.join('\n'), 3_500),
    click: page,
  }
  return asJson(root, body, secret === null ? {} : { authorization: `Bearer ${secret}` })
}

function withQuery(url: string, parameters: Readonly<Record<string, string>>): string {
  const address = new URL(url)
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
  return address.href
}

const withReply = (request: OutgoingRequest): OutgoingRequest => ({ ...request, readsReply: true })

const asJson = (
  url: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): OutgoingRequest => ({ url, headers, body: JSON.stringify(body) })

const cut = (text: string, length: number) =>
  text.length <= length ? text : `${text.slice(0, length - 1)}…`

/** Escapes the three characters that Slack interprets. */
const slackText = (text: string) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

/** A text that is sent later than this states the time of its prices. */
const lateAfterMs = 60_000

function textOf({ message, reading, ...sent }: Sent | Gone) {
  const parsed = JSON.parse(message) as AlertMessage
  const { title, simulated, links } = parsed.data
  const goneAt = 'goneAt' in sent ? sent.goneAt : null
  const decidedAt = Date.parse(parsed.timestamp)
  const isLate = goneAt === null && sent.at - decidedAt > lateAfterMs
  return {
    title: goneAt === null ? title : `Gone: ${title}`,
    page: links.page,
    lines: [
      ...(goneAt === null ? [] : [`NO LONGER THERE at ${secondsText(goneAt, reading)}`]),
      ...(isLate ? [`LATE: as it was at ${secondsText(decidedAt, reading)}`] : []),
      ...(simulated ? ['SIMULATED PRICES: no bet can be made on them'] : []),
      ...textLines(parsed, reading),
    ],
  }
}
