/** Sends a file of bets from `/bets`, and shows the count taken and the lines refused. */

import { useState } from 'preact/hooks'
import type { TakenFile } from '../../wire.ts'
import { type FileReading, sendBetFile } from '../data/bet-file.ts'
import { otherCurrencyText, takenText } from '../format/bet.ts'
import { formatChoices } from '../format/odds.ts'
import { useDesk } from '../shell/context.ts'
import { Figures } from '../shell/figures.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { Select } from '../shell/select.tsx'
import { useAction } from '../shell/use-action.ts'

type Choice = readonly [value: string, name: string]

const asShown: Choice = ['', 'as the file shows']
const dateOrders: readonly Choice[] = [
  asShown,
  ['mdy', 'month, day, year'],
  ['dmy', 'day, month, year'],
  ['ymd', 'year, month, day'],
]
const decimals: readonly Choice[] = [asShown, ['point', '1.50'], ['comma', '1,50']]
const oddsFormats: readonly Choice[] = [asShown, ...formatChoices]
const mostRefusalsShown = 100

/** @param onTaken called after each file, when the bets may have changed */
export function BetFile({ onTaken }: { readonly onTaken: () => void }) {
  const { sportsbooks, leaguesById, choices } = useDesk()
  const [reading, setReading] = useState<FileReading>({
    ...{ sportsbook: '', league: '', date_order: '', decimal: '', odds_format: '' },
  })
  const [taken, setTaken] = useState<TakenFile | null>(null)
  const [refusal, act, isBusy] = useAction(onTaken)
  const timeZone = choices.zone === 'utc' ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone
  const select = (name: keyof FileReading, label: string, options: readonly Choice[]) => (
    <label class="field">
      {label}
      <Select
        choices={options}
        value={reading[name]}
        onChoose={(value) => setReading({ ...reading, [name]: value })}
      />
    </label>
  )
  return (
    <details>
      <summary>Add a file of bets</summary>
      <p class="hint">
        CSV or JSON, <a href="/docs/bets#files-of-sportsbooks-and-trackers">with these columns</a>.
        Times without a zone are of {timeZone}. A bet without a reference is stored again if its
        file is sent again.
      </p>
      <div class="bar tools">
        {select('sportsbook', 'Sportsbook', [
          ['', 'as the file says'],
          ...sportsbooks.map(({ id, display_name }) => [id, display_name] as const),
        ])}
        {select('league', 'League', [
          ['', 'as the file says'],
          ...[...leaguesById.values()]
            .map(({ id, shortName }) => [id, shortName] as const)
            .sort(([, a], [, b]) => a.localeCompare(b)),
        ])}
        {select('date_order', 'Dates', dateOrders)}
        {select('decimal', 'Decimals', decimals)}
        {select('odds_format', 'Odds', oddsFormats)}
        <label class="field">
          File
          <input
            type="file"
            accept=".csv,.tsv,.txt,.json"
            disabled={isBusy}
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? []
              if (!file) return
              setTaken(null)
              act(async () => setTaken(await sendBetFile(file, reading, timeZone)))
              // The same file may be chosen again, once it is mended.
              currentTarget.value = ''
            }}
          />
        </label>
      </div>
      <Refusal message={refusal} />
      {taken && <Taken file={taken} />}
    </details>
  )
}

function Taken({ file }: { readonly file: TakenFile }) {
  const { rejected, rejected_count: refused, ignored_columns: ignored } = file
  const otherCurrency = otherCurrencyText(file.currency, useDesk().profile.currency)
  const shown = rejected.slice(0, mostRefusalsShown)
  return (
    <div role="status">
      <p>
        {takenText(file)}
        {ignored.length > 0 && ` Columns left out: ${ignored.join(', ')}.`}
      </p>
      {otherCurrency && <p class="hint">{otherCurrency}</p>}
      {shown.length > 0 && (
        <Figures isOfTexts label="Refused bets" columns={['Line', 'Why it is refused']}>
          {shown.map(({ line, message }) => (
            <tr key={line}>
              <th scope="row">{line}</th>
              <td>{message}</td>
            </tr>
          ))}
        </Figures>
      )}
      {refused > shown.length && (
        <p class="hint">And {(refused - shown.length).toLocaleString('en')} more.</p>
      )}
    </div>
  )
}
