/** `/record`: the opportunities of each day and their results. Without a key it shows the public record. */

import type { ServiceRecord } from '../../wire.ts'
import { type Kind, kindNames, kinds, kindViews, recordNameOf } from '../data/kinds.ts'
import { isRefusedWith, RefusedError } from '../data/refused.ts'
import { get } from '../data/rest.ts'
import { session } from '../data/session.ts'
import { percentText } from '../format/odds.ts'
import { Figures } from '../shell/figures.tsx'
import { usePolled } from '../shell/polled.ts'
import { changeAddress } from '../shell/router.ts'
import { Switch } from '../shell/switch.tsx'

type Item = ServiceRecord['total'][number]
type Figure = Item['settled']

const everyMs = 60_000

/** A key without history gets the public record too. */
async function readRecord(kind: Kind): Promise<ServiceRecord> {
  const query = `kind=${recordNameOf(kind)}`
  const open = () => get<{ data: ServiceRecord }>(`/record/public?${query}`)
  const { data } = await (session.key() === null
    ? open()
    : get<{ data: ServiceRecord }>(`/record?${query}`).catch((error: unknown) => {
        if (error instanceof RefusedError && error.code === 'tier_restricted') return open()
        throw error
      }))
  return data
}

export function RecordPage({ parameters }: { readonly parameters: URLSearchParams }) {
  const kind = kinds.find((one) => one === parameters.get('kind')) ?? 'ev'
  const { value, error } = usePolled(() => readRecord(kind), everyMs, [kind])
  const { worthName, isCost } = kindViews[kind]
  const isClosed = isRefusedWith(error, 404)
  return (
    <main class="page wide">
      <h1>Record</h1>
      <p class="hint">
        What was listed on the last seven days (UTC) and has ended, and what became of it.{' '}
        <a href="/docs/history#the-record">How it is measured</a>
      </p>
      <div class="bar tools">
        <Switch
          label="Kind"
          names={kindNames}
          order={kinds}
          value={kind}
          onChange={(to) => changeAddress({ kind: to === 'ev' ? null : to })}
        />
      </div>
      {error && (
        <p class="refusal" role="alert">
          {isClosed
            ? 'The record needs a key with history: enter one on the board.'
            : error.message}
        </p>
      )}
      {!value && !error && <p class="hint">Loading…</p>}
      {value?.is_public && (
        <p class="hint">Of opportunities at the sportsbooks that everybody sees.</p>
      )}
      {value?.total.length === 0 && <p class="hint">Nothing that was listed has ended.</p>}
      {value && value.total.length > 0 && (
        <Figures
          label="The record"
          columns={[
            'Day',
            'Listed, ended',
            'Stood (median)',
            `${worthName} as said`,
            'Gone at once',
            'CLV',
            'Beat the close',
            'Profit by score',
          ]}
        >
          {[...value.total.map((item) => ({ ...item, day: null })), ...value.days].map((item) => (
            <tr key={item.day ?? ''}>
              <th scope="row">{item.day ?? 'All days'}</th>
              <td>{item.listed.toLocaleString('en')}</td>
              <td>{item.median_seconds.toFixed(0)} s</td>
              <td>{worthText(item, isCost)}</td>
              <td>{item.gone_at_once.toLocaleString('en')}</td>
              <td>{figureText(item.clv)}</td>
              <td>{figureText(item.beat_close)}</td>
              <td>{figureText(item.settled)}</td>
            </tr>
          ))}
        </Figures>
      )}
    </main>
  )
}

const tooFew = (samples: number) => `too few (${samples})`

function worthText({ avg_worth_percent: worth, listed }: Item, isCost: boolean): string {
  if (worth === null) return tooFew(listed)
  return percentText(isCost ? 0 - worth : worth)
}

/** The mean with its interval, or the number of samples if there are too few. */
function figureText(figure: Figure | null): string {
  if (!figure) return '–'
  const { samples, percent, low, high } = figure
  if (percent === null) return tooFew(samples)
  const range =
    low === null || high === null ? '' : ` (${percentText(low)} to ${percentText(high)})`
  return percentText(percent) + range
}
