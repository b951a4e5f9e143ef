/**
 * The dialogue that creates an alert for a price, a move or a source. Alerts for opportunities are created in their
 * list.
 */

import { useState } from 'preact/hooks'
import { decimalToAmerican } from '../../../../pipeline/rules/odds/odds.ts'
import { readPrice } from '../../../../pipeline/rules/odds/price-formats.ts'
import type { NewRule } from '../data/alerts.ts'
import { marketText } from '../format/names.ts'
import { formatNames, priceText } from '../format/odds.ts'
import { type Desk, useDesk } from '../shell/context.ts'
import { AlertForm } from './alert-form.tsx'

/** The input of a filter: a price, a number, a text, or one of several choices. */
interface Field {
  readonly label: string
  readonly hint?: string
  /** Whether it is a price, in the reader's format. */
  readonly isPrice?: boolean
  readonly usual?: string
  /** Range of a number. Without it the input is a text. */
  readonly range?: readonly [min: number, max: number]
  /** Returns the choices; without them the input is typed. */
  readonly choices?: (desk: Desk) => readonly (readonly [value: string, name: string])[]
  readonly isRequired?: boolean
  /** Required while all of these filters are empty. */
  readonly unless?: readonly string[]
}

const league: Field = {
  label: 'League',
  choices: ({ leagues }) => [
    ['', 'All leagues'],
    ...leagues.map(({ id, shortName }) => [id, shortName] as const),
  ],
}
const markets = ({ markets: ids }: Desk) => ids.map((id) => [id, marketText(id)] as const)
const game: Field = { label: 'Team or game', hint: 'a part of a name' }
const seconds: Field = { label: 'Within seconds', usual: '60', range: [1, 3_600] }
const anyMarket: Field = {
  label: 'Market',
  choices: (desk) => [['', 'All markets'], ...markets(desk)],
}

interface Want {
  readonly name: string
  readonly type: 'price' | 'move' | 'source'
  readonly fields: Readonly<Record<string, Field>>
}

const wants = {
  price: {
    name: 'A price or a line that I want',
    type: 'price',
    fields: {
      market: { label: 'Market', usual: 'moneyline', choices: markets, isRequired: true },
      league,
      q: game,
      selection: { label: 'Side', hint: 'home, over, or a part of a name' },
      min_odds: {
        label: 'Odds of at least',
        isPrice: true,
        unless: ['min_line', 'max_line'],
      },
      min_line: { label: 'Line of at least', range: [-10_000, 10_000] },
      max_line: { label: 'Line of at most', range: [-10_000, 10_000] },
    },
  },
  drop: {
    name: 'A price that drops',
    type: 'move',
    fields: {
      min_drop: { label: 'By at least, %', usual: '5', range: [0.1, 99], isRequired: true },
      seconds,
      of: {
        label: 'Price',
        choices: () => [
          ['offer', 'At each sportsbook'],
          ['best', 'The best of all'],
        ],
        usual: 'offer',
      },
      market: anyMarket,
      league,
      q: game,
    },
  },
  steam: {
    name: 'Steam: several sportsbooks move',
    type: 'move',
    fields: {
      min_books: { label: 'At least sportsbooks', usual: '3', range: [2, 50], isRequired: true },
      min_move: {
        label: 'Each by at least, percentage points of probability',
        usual: '1',
        range: [0, 100],
      },
      seconds,
      market: anyMarket,
      league,
      q: game,
    },
  },
  source: {
    name: 'A sportsbook whose prices stop',
    type: 'source',
    fields: {
      sportsbook: {
        label: 'Sportsbook',
        choices: ({ sportsbooks }) => [
          ['', 'All that I see'],
          ...sportsbooks.map(({ id, display_name }) => [id, display_name] as const),
        ],
      },
    },
  },
} as const satisfies Readonly<Record<string, Want>>

type WantId = keyof typeof wants

const usualOf = ({ fields }: Want): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(fields).map(([filter, { usual }]) => [filter, usual ?? '']))

interface PriceAlertProps {
  readonly onClose: () => void
  readonly onMade: () => void
}

export function PriceAlert({ onClose, onMade }: PriceAlertProps) {
  const desk = useDesk()
  const [id, setId] = useState<WantId>('price')
  const [values, setValues] = useState(usualOf(wants.price))
  const [isOnlyMine, setOnlyMine] = useState(desk.choices.isOnlyMine)
  const want: Want = wants[id]
  const { mine } = desk

  function rule(): NewRule {
    const stated = Object.entries(values).filter(([, value]) => value.trim() !== '')
    const filters = stated.map(([filter, value]) => [
      filter,
      want.fields[filter]?.isPrice ? americanOf(value) : value.trim(),
    ])
    const among = isOnlyMine && mine.length > 0 ? { books: mine.join() } : {}
    return { type: want.type, filters: { ...Object.fromEntries(filters), ...among } }
  }

  /** Converts a price to American odds, which the service takes for bounds. */
  function americanOf(text: string): string {
    const { format } = desk.choices
    const price = readPrice(text, format)
    if (price === null) throw new Error(`${text} is not a price in ${formatNames[format]} odds.`)
    return String(decimalToAmerican(price))
  }

  return (
    <AlertForm usualName={want.name} rule={rule} onClose={onClose} onMade={onMade}>
      <label>
        Tell me of
        <select
          value={id}
          onChange={(event) => {
            const next = event.currentTarget.value as WantId
            setId(next)
            setValues(usualOf(wants[next]))
          }}
        >
          {(Object.keys(wants) as WantId[]).map((one) => (
            <option key={one} value={one}>
              {wants[one].name}
            </option>
          ))}
        </select>
      </label>
      {Object.entries(want.fields).map(([filter, field]) => (
        <FilterField
          key={filter}
          field={field}
          value={values[filter] ?? ''}
          isRequired={
            field.isRequired === true || field.unless?.every((other) => !values[other]) === true
          }
          onChange={(value) => setValues({ ...values, [filter]: value })}
        />
      ))}
      {mine.length > 0 && (
        <label class="field">
          <input
            type="checkbox"
            checked={isOnlyMine}
            onChange={(event) => setOnlyMine(event.currentTarget.checked)}
          />
          Only at my sportsbooks
        </label>
      )}
    </AlertForm>
  )
}

interface FilterFieldProps {
  readonly field: Field
  readonly value: string
  readonly isRequired: boolean
  readonly onChange: (value: string) => void
}

function FilterField({ field, value, isRequired, onChange }: FilterFieldProps) {
  const { label, hint = '', isPrice, range, choices } = field
  const desk = useDesk()
  const set = (event: { readonly currentTarget: { readonly value: string } }) =>
    onChange(event.currentTarget.value)
  if (choices) {
    return (
      <label>
        {label}
        <select value={value} required={isRequired} onChange={set}>
          {choices(desk).map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
    )
  }
  if (range) {
    const [min, max] = range
    return (
      <label>
        {label}
        <input
          type="number"
          min={min}
          max={max}
          value={value}
          step="any"
          required={isRequired}
          onInput={set}
        />
      </label>
    )
  }
  const example = isPrice ? `such as ${priceText(2.2, desk.choices.format)}, or a line below` : hint
  return (
    <label>
      {label}
      <input placeholder={example} required={isRequired} value={value} onInput={set} />
    </label>
  )
}
