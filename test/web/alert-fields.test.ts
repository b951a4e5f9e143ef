/** The fields of the forms of alerts, held to the contract of the service. */

import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { opportunityFilters } from '../../api/alerts/opportunity-rule.ts'
import { queryOf } from '../../api/alerts/rule-types.ts'
import {
  opportunityFields,
  settingFields,
  settingValues,
  statedSettings,
  wantOf,
  wants,
} from '../../api/web/client/data/alert-fields.ts'
import { type Fields, filterValues, statedFilters } from '../../api/web/client/data/fields.ts'
import { kinds } from '../../api/web/client/data/kinds.ts'
import type { Alert } from '../../api/web/wire.ts'
import { ruleTypes } from '../../schemas/alert.ts'
import { moveFilters, priceFilters, sourceFilters } from '../../schemas/http/alert-filters.ts'
import { alertChange, alertCreation } from '../../schemas/http/alerts.ts'
import { createQueryReader, type QueryShape } from '../../schemas/http/query.ts'
import { familyOf, opportunityKinds } from '../../schemas/opportunity.ts'
import { priceFormats } from '../../schemas/price-format.ts'

const zone = 'Europe/London'
const target = { type: 'browser' } as const
const filtersOf = { price: priceFilters, move: moveFilters, source: sourceFilters }

/** The fields of each form, with the filters that the service has for its rules. */
const forms: readonly (readonly [string, Fields, QueryShape])[] = [
  ...Object.entries(wants).map(
    ([id, { type, fields }]) => [id, fields, filtersOf[type] as QueryShape] as const,
  ),
  ...kinds.map((kind) => {
    const own = opportunityKinds.find((one) => familyOf(one) === kind)!
    return [kind, opportunityFields(kind), opportunityFilters[own]] as const
  }),
]

describe.each(forms)('the filters of the form %s', (_, fields, filters) => {
  it('are those of the service', () => {
    expect(Object.keys(filters)).toEqual(expect.arrayContaining(Object.keys(fields)))
  })

  it('are taken at the ends of their ranges, and no further', () => {
    const read = createQueryReader(filters, [])
    /** Returns what the service makes of a number: it refuses some, and takes the end of the range for others. */
    const taken = (name: string, value: number) => {
      const answer = read(queryOf({ [name]: value }))
      return answer.ok ? (answer.query as Record<string, unknown>)[name] : null
    }
    for (const [name, { range = [] }] of Object.entries(fields)) {
      for (const [i, end] of range.entries()) {
        // The least number of sportsbooks of steam is one of its rule, not of its filter.
        if (end === undefined || (name === 'min_books' && i === 0)) continue
        const beyond = taken(name, i === 0 ? end - 1 : end + 1)
        expect([name, taken(name, end), [null, end]]).toEqual([
          ...[name, end],
          expect.arrayContaining([beyond]),
        ])
      }
    }
  })
})

/** The bounds of the settings in the contract, by path. */
function boundsOf(type: (typeof ruleTypes)[number]) {
  type Schema = { properties?: Record<string, Schema>; oneOf?: Schema[]; const?: string } & {
    minimum?: number
    exclusiveMinimum?: number
    maximum?: number
  }
  const { oneOf } = z.toJSONSchema(alertCreation, { io: 'input', unrepresentable: 'any' }) as Schema
  const { properties } = oneOf!.find((one) => one.properties!.type!.const === type)!
  return (path: string) => {
    const [name, member] = path.split('.') as [string, string?]
    const schema = member ? properties![name]?.properties?.[member] : properties![name]
    return schema && [schema.minimum ?? schema.exclusiveMinimum, schema.maximum]
  }
}

describe.each(ruleTypes)('the settings of a rule of the type %s', (type) => {
  const fields = settingFields(type)
  const kind = type === 'opportunity' ? { kind: 'ev' as const } : { type }
  const filters = { market: 'moneyline', min_odds: '-115' }
  const stated = (values: Record<string, string>) => ({
    ...{ ...kind, name: 'Knicks', filters, target },
    ...statedSettings(fields, { ...settingValues(fields, undefined, zone), ...values }),
  })

  it('have the bounds of the contract', () => {
    const bounds = boundsOf(type)
    for (const [name, { range }] of Object.entries(fields)) {
      const [min, max] = range ?? []
      // The contract's greatest total is no bound that a reader meets.
      if (range) expect([name, bounds(name)]).toEqual([name, [min, max ?? bounds(name)![1]]])
    }
  })

  it('are a body that the service takes, with nothing typed and with everything', () => {
    const usual = alertCreation.parse(stated({}))
    expect(usual).toMatchObject({ per_hour: 10, quiet_hours: null })
    const all = stated({
      ...{ per_hour: '5', 'quiet_hours.from': '23:00', 'quiet_hours.to': '07:00' },
      ...(type === 'opportunity' && { once_per: 'market', 'stakes.total': '2000' }),
      // With a decimal comma too.
      ...(type === 'opportunity' && { 'stakes.kelly': '0,25', 'stakes.unit': '5' }),
      ...('improvement' in fields && { improvement: '2.5' }),
    })
    expect(alertCreation.parse(all)).toMatchObject({
      per_hour: 5,
      quiet_hours: { from: '23:00', to: '07:00', time_zone: zone },
      ...(type === 'opportunity' && {
        once_per: 'market',
        stakes: { total: 2_000, kelly: 0.25, unit: 5 },
      }),
      ...('improvement' in fields && { improvement: 2.5 }),
    })
    const { kind: _, type: __, target: ___, ...change } = all as Record<string, unknown>
    expect(alertChange.parse(change)).toEqual(change)
  })

  it('stay as they are when an alert is changed without a word', () => {
    const { stakes = {}, ...others } = statedSettings(fields, {
      ...settingValues(fields, undefined, zone),
      ...{ per_hour: '7', 'quiet_hours.from': '22:30', 'quiet_hours.to': '06:00' },
      'quiet_hours.time_zone': 'America/New_York',
      'stakes.total': '300',
    }) as { stakes?: object }
    const alert = {
      ...{ once_per: null, improvement: null, ...others },
      stakes: { total: null, unit: null, kelly: null, ...stakes },
    } as unknown as Alert
    const again = statedSettings(fields, settingValues(fields, alert, zone))
    expect(again).toEqual({ ...others, ...('stakes.total' in fields && { stakes }) })
  })
})

describe('the filters that a form states', () => {
  const { fields } = wants.price

  it('are what is filled in, with prices in American odds', () => {
    const values = { ...filterValues(fields, undefined, 'decimal'), min_odds: '1.87', q: ' ' }
    expect(statedFilters(fields, values, 'decimal')).toEqual({
      market: 'moneyline',
      min_odds: '-115',
    })
    expect(() => statedFilters(fields, { min_odds: 'x' }, 'decimal')).toThrow('x is not a price')
  })

  it('keep those of an alert that the form has no field for', () => {
    const before = { market: 'point_spread', max_odds: '150', team: 'knicks', live: 'true' }
    const values = filterValues(fields, before, 'decimal')
    expect(values).toMatchObject({ max_odds: '2.5', live: 'true', min_odds: '' })
    expect(statedFilters(fields, values, 'decimal', before)).toEqual(before)
    const cleared = { ...values, live: '' }
    expect(Object.keys(statedFilters(fields, cleared, 'decimal', before)).sort()).toEqual(
      ['market', 'max_odds', 'team'].sort(),
    )
  })

  it('are the bounds of prices that the alert had, where nobody has changed them', () => {
    const bounds = Array.from({ length: 1_901 }, (_, i) => 100 + i).flatMap((odds) => [odds, -odds])
    const altered = priceFormats.flatMap((format) =>
      bounds.filter((bound) => {
        const before = { market: 'moneyline', min_odds: String(bound), max_odds: `${bound + 0.5}` }
        const after = statedFilters(fields, filterValues(fields, before, format), format, before)
        return after.min_odds !== before.min_odds || after.max_odds !== before.max_odds
      }),
    )
    expect(altered).toEqual([])
    const before = { market: 'moneyline', min_odds: '-1050' }
    const typed = { ...filterValues(fields, before, 'decimal'), min_odds: '1.5' }
    expect(statedFilters(fields, typed, 'decimal', before)).toMatchObject({ min_odds: '-200' })
  })

  it('tell which of the forms an alert belongs to', () => {
    const of = (type: Alert['type'], filters: Record<string, string> = {}) =>
      wantOf({ type, filters })
    expect([of('price'), of('source'), of('opportunity')]).toEqual(['price', 'source', null])
    expect(of('move', { min_drop: '5' })).toBe('drop')
    expect(of('move', { min_books: '3' })).toBe('steam')
  })
})
