/** The forms of the calculators: the input becomes a valid query, and all figures of the response are shown. */

import { describe, expect, it } from 'vitest'
import type { KeyAction } from '../../api/route.ts'
import { createToolRoutes } from '../../api/routes/tools.ts'
import {
  type Calculator,
  calculators,
  type Field,
  faultOf,
  figureIn,
  questionOf,
  startOf,
  type ToolName,
  type Typed,
  toolNames,
  withPricesAs,
} from '../../api/web/client/data/calculators.ts'
import { type PriceFormat, priceFormats } from '../../schemas/price-format.ts'

const routes = createToolRoutes(() => 0) as readonly KeyAction[]
const routeOf = (tool: string) => routes.find(({ path }) => path === `/api/v1/tools/${tool}`)!

/** Returns a form in which every price is 2.1, and every fair one 2.0. */
function filled(calculator: Calculator) {
  const typed = startOf(calculator, nothing)
  const prices = (fields: Calculator['fields']) =>
    Object.fromEntries(
      fields.flatMap(({ name, kind }) =>
        kind === 'price' ? [[name, name === 'fair_odds' ? '2' : '2.1']] : [],
      ),
    )
  const lines =
    calculator === calculators.middle ? { 'first.line': '-2.5', 'second.line': '3.5' } : {}
  return {
    fields: { ...typed.fields, ...prices(calculator.fields), ...lines },
    rows: typed.rows.map((row) => ({ ...row, ...prices(calculator.rows!.fields) })),
  }
}

function ask(tool: ToolName, typed: Typed, format: PriceFormat = 'decimal'): object {
  const route = routeOf(tool)
  const body = route.body!.schema.parse(questionOf(calculators[tool], typed, format))
  return (route.handle({ body } as never) as { body: { data: object } }).body.data
}

const nothing = { bankroll: null, kelly: null, stake_unit: null }

it('a form begins with the bankroll, fraction and unit of the profile, if it states them', () => {
  const own = { bankroll: 2_000, kelly: null, stake_unit: 5 }
  expect(startOf(calculators.kelly, own).fields).toEqual({
    ...{ bankroll: '2000', fraction: '0.25', unit: '5' },
  })
  expect(startOf(calculators.kelly, nothing).fields).toMatchObject({ bankroll: '1000', unit: '1' })
})

describe('the page of calculators', () => {
  it('has one for every route', () => {
    expect(new Set(toolNames.map((tool) => routeOf(tool)))).toEqual(new Set(routes))
  })

  it.each(toolNames)(
    'has fields for all that %s takes, and shows every figure of its response',
    (tool) => {
      const calculator: Calculator = calculators[tool]
      const answer = ask(tool, filled(calculator))
      for (const { name } of calculator.figures) expect(figureIn(answer, name), name).toBeDefined()
      if (!calculator.table) return
      const [line] = figureIn(answer, calculator.table.name) as object[]
      for (const { name } of calculator.table.columns)
        expect(figureIn(line!, name), name).toBeDefined()
    },
  )

  it('counts legs from 1, leaves out empty fields, and the total beside a leg that is bet', () => {
    const { rows, fields } = filled(calculators.arbitrage)
    const typed = { rows, fields: { ...fields, 'fixed.leg': '2', 'fixed.stake': '12,5' } }
    expect(questionOf(calculators.arbitrage, typed, 'decimal')).toEqual({
      odds_format: 'decimal',
      fixed: { leg: 1, stake: 12.5 },
      unit: 1,
      legs: [{ odds: '2.1' }, { odds: '2.1' }],
    })
    expect(ask('arbitrage', typed)).toMatchObject({ legs: [{ stake: 13 }, { stake: 12.5 }] })
  })

  it('knows which numbers may be below zero, for which the keys of a phone need a minus', () => {
    for (const tool of toolNames) {
      const calculator: Calculator = calculators[tool]
      const isTaken = (field: Field) => {
        const { fields, rows } = filled(calculator)
        const typed = { fields: { ...fields, [field.name]: '-3' }, rows }
        return routeOf(tool).body!.schema.safeParse(questionOf(calculator, typed, 'decimal'))
          .success
      }
      for (const field of calculator.fields.filter(({ kind }) => kind === 'number'))
        expect([field.label, isTaken(field)]).toEqual([field.label, field.isSigned ?? false])
    }
  })

  it('refuses a number that can be two, beside its field and when it is sent', () => {
    const typed = { fields: { bankroll: '10,000', fraction: '0,25' }, rows: [{ odds: '2.1' }] }
    const [bankroll, fraction] = calculators.kelly.fields
    const fault = '10,000 can be 10000 or 10. Write one of these.'
    expect(faultOf(bankroll!, '10,000')).toBe(fault)
    expect(faultOf(fraction!, '0,25')).toBeNull()
    expect(() => questionOf(calculators.kelly, typed, 'decimal')).toThrow(`Bankroll: ${fault}`)
    const clear = { ...typed, fields: { ...typed.fields, bankroll: '10,000.00' } }
    expect(questionOf(calculators.kelly, clear, 'decimal')).toMatchObject({
      bankroll: 10_000,
      fraction: 0.25,
    })
  })

  it('writes typed prices anew when odds are in another format', () => {
    const calculator: Calculator = calculators.arbitrage
    const [price] = calculator.rows!.fields.filter(({ kind }) => kind === 'price')
    const typed = {
      ...startOf(calculator, nothing),
      rows: [{ [price!.name]: '+150' }, { [price!.name]: 'one' }],
    }
    const as = withPricesAs(calculator, typed, 'american', 'decimal')
    expect(as.rows).toEqual([{ [price!.name]: '2.5' }, { [price!.name]: 'one' }])
    expect(as.fields).toEqual(typed.fields)
    expect(withPricesAs(calculator, typed, 'american', 'american')).toBe(typed)
  })

  it.each(priceFormats)('works out of the typed prices while they are shown as %s', (format) => {
    const calculator: Calculator = calculators.arbitrage
    const start = filled(calculator)
    const typed = { ...start, rows: [{ odds: '1.93' }, { odds: '2.08' }] }
    const shown = withPricesAs(calculator, typed, 'decimal', format)
    const before = ask('arbitrage', typed)
    expect(before).toMatchObject({ profit_percent: 0.1097 })
    expect(ask('arbitrage', shown, format)).toEqual(before)
    // Through a third format and back, the texts are those that were typed.
    const third = withPricesAs(calculator, shown, format, 'fractional')
    const back = withPricesAs(calculator, third, 'fractional', 'decimal')
    expect(back.rows).toEqual(typed.rows)
    expect(questionOf(calculator, back, 'decimal')).toEqual(
      questionOf(calculator, typed, 'decimal'),
    )
  })

  it('takes a price that is typed anew as it is, beside one that is shown in another format', () => {
    const calculator: Calculator = calculators.arbitrage
    const typed = { ...startOf(calculator, nothing), rows: [{ odds: '1.93' }, { odds: '2.08' }] }
    const shown = withPricesAs(calculator, typed, 'decimal', 'american')
    expect(shown.rows).toEqual([{ odds: '-108' }, { odds: '+108' }])
    const legs = (odds: string) => {
      const anew = { ...shown, rows: [shown.rows[0]!, { odds }] }
      return questionOf(calculator, anew, 'american')
    }
    expect(legs('+150')).toMatchObject({
      odds_format: 'decimal',
      legs: [{ odds: 1.93 }, { odds: 2.5 }],
    })
    // The service names what is no price, in the format of the page.
    expect(legs('1.5')).toMatchObject({
      odds_format: 'american',
      legs: [{ odds: '-108' }, { odds: '1.5' }],
    })
  })
})
