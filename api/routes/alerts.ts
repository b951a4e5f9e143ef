/**
 * `/api/v1/account/alerts`: an account's alerts, rules that send a message to a target. All routes are limited to the
 * key's account. Another account's alert counts as not found.
 */

import { randomBytes, randomUUID } from 'node:crypto'
import {
  type AlertDeliveryRow,
  type AlertRow,
  type AlertTarget,
  type QuietHours,
  targetTypes,
} from '../../schemas/alert.ts'
import {
  type AlertMessage,
  alertAnswer,
  alertChange,
  alertCreation,
  alertDeletionAnswer,
  alertItem,
  alertSecretAnswer,
  alertsAnswer,
  changeable,
  deliveriesAnswer,
  deliveryAnswer,
  deliveryItem,
} from '../../schemas/http/alerts.ts'
import { choice } from '../../schemas/http/query.ts'
import { familyOf } from '../../schemas/opportunity.ts'
import type { Scope } from '../access/scope.ts'
import { tierRights } from '../access/tiers.ts'
import type { AlertBook, NewAlert } from '../alerts/alert-book.ts'
import type { MessageParts } from '../alerts/alert-messages.ts'
import { setNamedBy } from '../alerts/opportunity-rule.ts'
import { timeOf } from '../alerts/quiet-hours.ts'
import { isBeyondRights } from '../alerts/refused-messages.ts'
import type { AlertRights, RuleDefinition } from '../alerts/rule-type.ts'
import { compileAlert, testMessage, typeOfRule } from '../alerts/rule-types.ts'
import { createSendsByHand, mostRedeliveries, mostTests } from '../alerts/sends-by-hand.ts'
import { changeOf, type PossibleTargets, partsOf } from '../alerts/stated-alerts.ts'
import { waitingAlerts } from '../alerts/waiting-alerts.ts'
import { itemOfRow } from '../answer/items.ts'
import { instant, objectBody } from '../answer/json.ts'
import { datedList, listAnswer, type PageQuery } from '../answer/list-page.ts'
import { ApiError } from '../errors.ts'
import { type Admitted, accountActions, jsonBody, type Route } from '../route.ts'
import { pageQuery } from './account.ts'

export interface AlertRoutesOptions extends PossibleTargets {
  readonly alerts: AlertBook
  readonly messages: MessageParts
  readonly clock: () => number
}

const action = accountActions('/api/v1/account/alerts', {
  alertId: 'The id of the alert.',
  deliveryId: 'The id of the delivery.',
})
const bodyBytes = 32_768
const targetType = choice(targetTypes, {
  description: 'Only for alerts with a target of this type.',
})
/** Longest wait for the target's response before ours. */
const settledWithinMs = 12_000
const refusals = ['feature_required', 'tier_restricted', 'invalid_filter'] as const
/** The least improvement for types that report everything once: no worth improves by this much. */
const anyBetter = 1
const secretWarning = 'Store the secret now; it is not shown again.'

export function createAlertRoutes({
  alerts,
  messages,
  clock,
  ...possible
}: AlertRoutesOptions): Route[] {
  const byHand = createSendsByHand(alerts, clock)

  /** Returns why alerts of the account wait, by their id. */
  const waitingOf = (by: Admitted) =>
    waitingAlerts(alerts.of(by.caller.accountId), {
      tierOf: () => by.caller.tier,
      setOf: (alert) => setNamedBy(alert, rightsOf(by)),
    })

  /** Returns an alert for a response, without secrets. */
  function itemOf(alert: AlertRow, by: Admitted, waiting = waitingOf(by)) {
    const { type, query, improvement, target, isPaused, pauseReason } = alert
    const ofOpportunities = type === 'opportunity' ? alert : null
    const blocked = waiting.get(alert.id) ?? problemOf(() => check(alert, by))
    const { list, page } = typeOfRule(type).paths(alert)
    const pending = alerts.deliveriesOf(alert).filter(({ state }) => state === 'pending')
    return itemOfRow(alertItem, alert, {
      kind: ofOpportunities && familyOf(ofOpportunities.kind),
      filters: Object.fromEntries(new URLSearchParams(query)),
      list,
      page,
      once_per: ofOpportunities?.occasion ?? null,
      improvement: changeable(type).has('improvement') ? Math.round(improvement * 1e6) / 1e4 : null,
      quiet_hours: shownQuiet(alert.quiet),
      stakes: ofOpportunities?.stakes ?? null,
      target: { type: target.type, url_preview: previewOf(target) },
      state: isPaused ? 'paused' : blocked === null ? 'active' : 'blocked',
      reason: isPaused ? pauseReason : blocked,
      pending: pending.length,
      created_at: instant(alert.createdAt)!,
      updated_at: instant(alert.updatedAt)!,
    })
  }

  const answer = (alert: AlertRow, by: Admitted) => ({
    body: objectBody(itemOf(alert, by), alert.updatedAt),
  })

  function withSecret(alert: AlertRow, by: Admitted) {
    const { target } = alert
    // The account already knows the tokens of other targets.
    if (target.type !== 'webhook') return answer(alert, by)
    const item = itemOf(alert, by)
    const data = { ...item, target: { ...item.target, secret: target.secret } }
    return { body: objectBody(data, alert.updatedAt, { warning: secretWarning }) }
  }

  /** @throws ApiError for filters that are invalid or outside the account's rights */
  function check(alert: RuleDefinition, by: Admitted) {
    compileAlert(alert, rightsOf(by))
  }

  function newDelivery(alert: AlertRow): AlertDeliveryRow {
    return {
      id: `msg_${randomBytes(12).toString('hex')}`,
      accountId: alert.accountId,
      alertId: alert.id,
      revision: randomUUID(),
      type: 'test',
      occasion: '',
      worth: 0,
      decidedAt: clock(),
      state: 'pending',
      isRetried: false,
      attempts: 0,
      attemptedAt: null,
      problem: null,
      deliveredAt: null,
      message: JSON.stringify(testMessage(alert, messages)),
      ...{ remoteId: null, goneAt: null, editedAt: null },
    }
  }

  /** @throws ApiError rate_limited */
  async function send(row: AlertDeliveryRow, scope: Scope) {
    const takeBack = byHand.count(row)
    try {
      await alerts.addDelivery(row)
    } catch (error) {
      takeBack()
      throw error
    }
    const after = await alerts.whenNotPending(row, settledWithinMs)
    return { body: objectBody(shownDelivery(after, scope), clock()) }
  }

  const paused = (isPaused: boolean, summary: string, description: string) =>
    action('post', `/:alertId/${isPaused ? 'pause' : 'resume'}`, {
      summary,
      description,
      answer: { description: 'The alert.', schema: alertAnswer },
      async handle({ path: { alertId = '' }, ...by }) {
        const change = { isPaused, pauseReason: null }
        return answer(await alerts.change(by.caller.accountId, alertId, change), by)
      },
    })

  return [
    action('post', '', {
      summary: 'A new alert: sends messages to a target.',
      description:
        'By `type` it reports an `opportunity` (the default), with the filters of the list of its kind; a wanted `price` or line; a `move`, which is a price drop or steam; a `source` that is down or up again. Current matches are sent too, within what the key may see. Only this response has the secret that signs webhooks.',
      body: jsonBody(alertCreation, bodyBytes, exampleBody),
      answer: { status: 201, description: 'The alert.', schema: alertSecretAnswer },
      errors: refusals,
      async handle({ body, ...by }) {
        const { type = 'opportunity' } = body
        const stated = { improvement: anyBetter, ...partsOf(body, possible), type } as NewAlert
        check(stated, by)
        const { accountId, tier } = by.caller
        return withSecret(await alerts.add(accountId, stated, tierRights[tier].alerts), by)
      },
    }),

    action('get', '', {
      summary: 'Your alerts, oldest first.',
      query: pageQuery,
      answer: { description: 'The alerts.', schema: alertsAnswer },
      handle({ query, ...by }) {
        const { accountId, tier } = by.caller
        const waiting = waitingOf(by)
        const show = (row: AlertRow) => itemOf(row, by, waiting)
        const meta = { max_alerts: tierRights[tier].alerts }
        return { body: datedList(alerts.of(accountId), query, show, meta) }
      },
    }),

    action('get', '/deliveries', {
      summary: 'The messages of your alerts in the last two days, the newest first.',
      description:
        'For the target `browser`, the messages that your page has to show. At most the last 500 of each alert.',
      query: { ...pageQuery, target: targetType },
      answer: { description: 'The deliveries.', schema: deliveriesAnswer },
      handle({ query, caller, scope }) {
        const rows = alerts
          .of(caller.accountId)
          .filter(({ target }) => query.target === undefined || target.type === query.target)
          .flatMap((alert) => alerts.deliveriesOf(alert))
          .sort((a, b) => b.decidedAt - a.decidedAt)
        const filters = query.target === undefined ? {} : { target: query.target }
        return deliveryList(rows, query, scope, filters)
      },
    }),

    action('get', '/:alertId', {
      summary: 'One of your alerts.',
      answer: { description: 'The alert.', schema: alertAnswer },
      handle: ({ path: { alertId = '' }, ...by }) =>
        answer(alerts.find(by.caller.accountId, alertId), by),
    }),

    action('patch', '/:alertId', {
      summary: 'Changes an alert; absent fields stay.',
      description:
        '`filters`, `stakes` and `target` are replaced whole. A new target of the type `webhook` has a new secret, which is in this answer alone. The messages already sent are remembered.',
      body: jsonBody(alertChange, bodyBytes, { per_hour: 5 }),
      answer: { description: 'The alert.', schema: alertSecretAnswer },
      errors: refusals,
      async handle({ body, path: { alertId = '' }, ...by }) {
        const { accountId } = by.caller
        const before = alerts.find(accountId, alertId)
        const change = changeOf(body, before, possible)
        check({ ...before, ...change } as AlertRow, by)
        const alert = await alerts.change(accountId, alertId, change)
        return change.target ? withSecret(alert, by) : answer(alert, by)
      },
    }),

    action('delete', '/:alertId', {
      summary: 'Deletes an alert; messages that wait are not sent.',
      answer: { description: 'It is deleted.', schema: alertDeletionAnswer },
      async handle({ path: { alertId = '' }, caller }) {
        await alerts.remove(caller.accountId, alertId)
        return { body: objectBody({ deleted: true, id: alertId }, clock()) }
      },
    }),

    paused(true, 'Pauses an alert.', 'Messages that wait are kept until it is resumed.'),
    paused(
      false,
      'Resumes an alert, also one that the service paused.',
      'Messages that wait are sent, and new ones about what matches by now.',
    ),

    action('post', '/:alertId/test', {
      summary: 'Sends a test to the target of an alert, even if it is paused.',
      description: `Tried once. The response has the result, or says that it is still pending after some seconds. At most ${mostTests} an hour.`,
      answer: { description: 'The delivery.', schema: deliveryAnswer },
      errors: ['rate_limited'],
      handle({ path: { alertId = '' }, caller, scope }) {
        return send(newDelivery(alerts.find(caller.accountId, alertId)), scope)
      },
    }),

    action('get', '/:alertId/deliveries', {
      summary: 'The messages of an alert in the last two days, the newest first.',
      description: 'At most the last 500. The messages of the last 100 can be sent again.',
      query: pageQuery,
      answer: { description: 'The deliveries.', schema: deliveriesAnswer },
      handle({ path: { alertId = '' }, query, caller, scope }) {
        const alert = alerts.find(caller.accountId, alertId)
        return deliveryList(alerts.deliveriesOf(alert), query, scope)
      },
    }),

    action('post', '/:alertId/deliveries/:deliveryId/redeliver', {
      summary: 'Sends a message again, under the same `webhook-id`.',
      description: `Tried once, even if the alert is paused. At most ${mostRedeliveries} an hour of each alert. A message that had arrived stays \`delivered\` if this fails, and \`problem\` says why.`,
      answer: { description: 'The delivery.', schema: deliveryAnswer },
      errors: ['rate_limited'],
      handle({ path: { alertId = '', deliveryId = '' }, caller: { accountId }, scope }) {
        alerts.find(accountId, alertId)
        const row = alerts.findDelivery({ accountId, alertId, id: deliveryId })
        if (!row) throw new ApiError('not_found', 'The alert has no delivery with this id.')
        const why = whyNotAgain(row, scope)
        if (why !== null) throw new ApiError('validation_error', `The message ${why}.`)
        return send({ ...row, revision: randomUUID(), state: 'pending', isRetried: false }, scope)
      },
    }),
  ]
}

const rightsOf = ({ caller, ...by }: Admitted): AlertRights => ({
  ...by,
  features: caller.features,
})

/** Returns the message of an ApiError; null if there is none. */
function problemOf(work: () => unknown): string | null {
  try {
    work()
    return null
  } catch (error) {
    if (error instanceof ApiError) return error.message
    throw error
  }
}

/** Shows only the end of an address's path, because it may be a secret. */
function previewOf({ type, url }: AlertTarget): string {
  if (type === 'browser') return ''
  if (type === 'email') return url.replace(/^mailto:(.).*@/, '$1…@')
  const { origin, pathname, search } = new URL(url)
  const rest = pathname.slice(1) + search
  return rest === '' ? origin : `${origin}/…${rest.length > 12 ? rest.slice(-4) : ''}`
}

const shownQuiet = (quiet: QuietHours | null) =>
  quiet && { from: timeOf(quiet.from), to: timeOf(quiet.to), time_zone: quiet.timeZone }

/** Returns the content of a message; null if it is no longer kept. */
const saidBy = ({ message }: AlertDeliveryRow) =>
  message === '' ? null : (JSON.parse(message) as AlertMessage).data

/** Returns why a message cannot be sent again, as the end of a sentence; null if it can. */
function whyNotAgain(row: AlertDeliveryRow, scope: Scope): string | null {
  if (row.message === '') return 'is not kept any more'
  if (row.state === 'pending') return 'is being sent already'
  return isBeyondRights(row, scope) ? 'tells of more than your account sees now' : null
}

function shownDelivery(row: AlertDeliveryRow, scope: Scope) {
  const said = isBeyondRights(row, scope) ? null : saidBy(row)
  return itemOfRow(deliveryItem, row, {
    title: said?.title ?? null,
    page: said?.links.page ?? null,
    decided_at: instant(row.decidedAt)!,
    attempted_at: instant(row.attemptedAt ?? 0),
    delivered_at: instant(row.deliveredAt ?? 0),
    gone_at: instant(row.goneAt ?? 0),
    edited_at: instant(row.editedAt ?? 0),
    can_redeliver: whyNotAgain(row, scope) === null,
  })
}

function deliveryList(
  rows: readonly AlertDeliveryRow[],
  query: PageQuery,
  scope: Scope,
  filters: Readonly<Record<string, string>> = {},
) {
  const updatedAt = rows.reduce(
    (newest, { decidedAt, attemptedAt, goneAt, editedAt }) =>
      Math.max(newest, decidedAt, attemptedAt ?? 0, goneAt ?? 0, editedAt ?? 0),
    0,
  )
  const show = (row: AlertDeliveryRow) => shownDelivery(row, scope)
  return { body: listAnswer(rows, query, show, { updatedAt, meta: { filters } }) }
}

const exampleBody = {
  name: 'NBA above 3 %',
  kind: 'ev',
  filters: { league: 'nba', min_ev: 3 },
  target: { type: 'webhook', url: 'https://hooks.example.com/odds/9f2c' },
}
