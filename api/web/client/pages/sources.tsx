/** `/sources`: the state of each live source, for the operator, who can pause it. */

import { administer } from '../data/rest.ts'
import type { Page } from '../data/wire.ts'
import { ageText } from '../format/time.ts'
import { Figures } from '../shell/figures.tsx'
import { useNow } from '../shell/polled.ts'
import { WithToken } from './with-token.tsx'

interface Source {
  readonly id: string
  readonly state: string
  readonly reason: string | null
  readonly advice: string | null
  readonly since: string
  readonly last_success: string | null
  readonly rows: number
  readonly unmatched: number
  readonly credits_left: number | null
  readonly credits_per_month: number | null
  readonly sportsbooks: readonly string[]
}

export const SourcesPage = () => (
  <WithToken
    title="Sources"
    everyMs={3_000}
    read={async () => (await administer<Page<Source>>('/sources')).data}
    show={(sources, refetch) => <Sources sources={sources} refetch={refetch} />}
  />
)

interface SourcesProps {
  readonly sources: readonly Source[]
  readonly refetch: () => void
}

function Sources({ sources, refetch }: SourcesProps) {
  const now = useNow()
  if (sources.length === 0) {
    return (
      <p class="hint">
        No live source runs. To start some, name them in OVERROUND_FEEDS and restart:{' '}
        <a href="/docs/sources">live sources</a>. The simulator, recordings and pushed prices are
        not listed here.
      </p>
    )
  }
  const pause = async ({ id, state }: Source) => {
    await administer(`/sources/${encodeURIComponent(id)}`, 'PATCH', { paused: state !== 'paused' })
    refetch()
  }
  return (
    <Figures
      label="Sources"
      columns={[
        'Source',
        'State',
        'For',
        'Last success',
        'Prices',
        'Unmatched',
        'Credits left',
        'Sportsbooks',
        'Pause',
      ]}
    >
      {sources.map((source) => (
        <tr key={source.id}>
          <th scope="row">{source.id}</th>
          <td>
            <span class={`state ${source.state}`}>{source.state.replaceAll('_', ' ')}</span>
            {source.reason && <small> {source.reason}</small>}
            {source.advice && <p class="hint">{source.advice}</p>}
          </td>
          <td>{ageText(now - Date.parse(source.since))}</td>
          <td>{source.last_success ? ageText(now - Date.parse(source.last_success)) : '–'}</td>
          <td>{source.rows.toLocaleString('en')}</td>
          <td>{source.unmatched.toLocaleString('en')}</td>
          <td>
            {source.credits_left === null
              ? '–'
              : `${source.credits_left} of ${source.credits_per_month ?? '?'}`}
          </td>
          <td>{source.sportsbooks.length}</td>
          <td>
            <button type="button" onClick={() => pause(source)}>
              {source.state === 'paused' ? 'Resume' : 'Pause'}
            </button>
          </td>
        </tr>
      ))}
    </Figures>
  )
}
