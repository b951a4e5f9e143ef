/**
 * Converts the fields of an alert in a request into those that are stored. The filters are checked
 * elsewhere.
 */

import { randomBytes } from 'node:crypto'
import type { AlertRow, AlertStakes, AlertTarget, QuietHours } from '../../schemas/alert.ts'
import {
  changeable,
  type StatedAlert,
  type StatedChange,
  type StatedTarget,
} from '../../schemas/http/alerts.ts'
import { familyOf, opportunityKinds } from '../../schemas/opportunity.ts'
import { invalid } from '../errors.ts'
import type { AlertChange } from './alert-book.ts'
import { minutesOf } from './quiet-hours.ts'
import { queryOf } from './rule-types.ts'
import { type AllowedTargets, targetProblem } from './targets.ts'

/** The targets that alerts may have. */
export interface PossibleTargets {
  readonly alertTargets: AllowedTargets
  readonly sendsMail: boolean
}

/** @throws ApiError validation_error for an address that is not allowed */
export function partsOf(stated: StatedChange, possible: PossibleTargets): AlertChange {
  const { name, kind, filters, once_per, improvement, per_hour, quiet_hours, target } = stated
  return {
    ...(name !== undefined && { name }),
    ...(kind !== undefined && { kind: opportunityKinds.find((one) => familyOf(one) === kind)! }),
    ...(filters !== undefined && { query: queryOf(filters) }),
    ...(once_per !== undefined && { occasion: once_per }),
    ...(improvement !== undefined && { improvement: improvement / 100 }),
    ...(per_hour !== undefined && { perHour: per_hour }),
    ...(quiet_hours !== undefined && { quiet: quietOf(quiet_hours) }),
    ...(stated.stakes !== undefined && { stakes: stakesOf(stated.stakes) }),
    ...(target !== undefined && { target: targetOf(target, possible) }),
  }
}

/** @throws ApiError validation_error as `partsOf`, and for fields that rules of the type do not have */
export function changeOf(
  stated: StatedChange,
  { type }: AlertRow,
  possible: PossibleTargets,
): AlertChange {
  const members = changeable(type)
  const strangers = Object.keys(stated).filter((member) => !members.has(member))
  if (strangers.length === 0) return partsOf(stated, possible)
  throw invalid(strangers, `Alerts of the type ${type} have no ${strangers.join(', ')}.`)
}

function targetOf(stated: StatedTarget, { alertTargets, sendsMail }: PossibleTargets): AlertTarget {
  const target = targetAsStated(stated)
  if (target.type === 'browser') return target
  if (target.type === 'email') {
    if (sendsMail) return target
    throw invalid(
      ['target'],
      'This service sends no mail; its operator can set OVERROUND_SMTP_URL.',
    )
  }
  const problem = targetProblem(target.url, alertTargets)
  if (problem === null) return target
  throw invalid(['target'], `The address of the target ${problem}.`)
}

function targetAsStated(stated: StatedTarget): AlertTarget {
  switch (stated.type) {
    case 'webhook': {
      const secret = `whsec_${randomBytes(24).toString('base64')}`
      return { type: stated.type, url: stated.url, secret, chatId: null }
    }
    case 'telegram': {
      const { type, bot_token: secret, chat_id: chatId, url = telegramUrl } = stated
      return { type, url, secret, chatId }
    }
    case 'ntfy':
      return { type: stated.type, url: stated.url, secret: stated.token ?? null, chatId: null }
    case 'email':
      return { type: stated.type, url: `mailto:${stated.to}`, secret: null, chatId: null }
    case 'browser':
      return { type: stated.type, url: 'browser:', secret: null, chatId: null }
    default:
      return { type: stated.type, url: stated.url, secret: null, chatId: null }
  }
}

const telegramUrl = 'https://api.telegram.org'

const quietOf = (stated: StatedAlert['quiet_hours']): QuietHours | null =>
  stated && {
    from: minutesOf(stated.from),
    to: minutesOf(stated.to),
    timeZone: stated.time_zone,
  }

const stakesOf = ({ total, unit, kelly }: NonNullable<StatedChange['stakes']>): AlertStakes => ({
  total: total ?? null,
  unit: unit ?? null,
  kelly: kelly ?? null,
})
