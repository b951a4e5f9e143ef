/** `/sources`: the state of each live source, for the operator, who can pause, add, change and remove one. */

import { useState } from 'preact/hooks'
import type { Page, Source } from '../../wire.ts'
import { administer } from '../data/rest.ts'
import { ageText } from '../format/time.ts'
import { Figures } from '../shell/figures.tsx'
import { useNow } from '../shell/polled.ts'
import { Refusal } from '../shell/refusal.tsx'
import { useAction } from '../shell/use-action.ts'
import { SourceForm } from './source-form.tsx'
import { WithToken } from './with-token.tsx'

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

/** The open form: of a new source, or of one that was added. */
type Open = 'new' | { readonly id: string; readonly settings: object } | null

function Sources({ sources, refetch }: SourcesProps) {
  const [open, setOpen] = useState<Open>(null)
  const [refusal, act, isBusy] = useAction(refetch)
  const close = () => setOpen(null)
  return (
    <>
      {sources.length === 0 ? (
        <p class="hint">
          No live source runs. Add one here, or name some in OVERROUND_FEEDS and restart:{' '}
          <a href="/docs/sources">live sources</a>. The simulator, recordings and pushed prices are
          not listed here.
        </p>
      ) : (
        <SourceList sources={sources} act={act} isBusy={isBusy} onChange={setOpen} />
      )}
      <Refusal message={refusal} />
      {open === null ? (
        <p>
          <button type="button" class="primary" onClick={() => setOpen('new')}>
            Add a source
          </button>
        </p>
      ) : (
        <SourceForm
          key={open === 'new' ? '' : open.id}
          changed={open === 'new' ? null : open}
          onClose={close}
          onAdded={() => {
            close()
            refetch()
          }}
        />
      )}
    </>
  )
}

interface SourceListProps {
  readonly sources: readonly Source[]
  readonly act: (work: () => Promise<unknown>) => Promise<void>
  /** Whether a change is on its way. */
  readonly isBusy: boolean
  readonly onChange: (open: Open) => void
}

function SourceList({ sources, act, isBusy, onChange }: SourceListProps) {
  const now = useNow()
  const path = ({ id }: Source) => `/sources/${encodeURIComponent(id)}`
  const pause = (source: Source) =>
    act(() => administer(path(source), 'PATCH', { paused: source.state !== 'paused' }))
  const remove = (source: Source) => {
    if (confirm(`Remove ${source.id}? Its prices and its settings go.`))
      act(() => administer(path(source), 'DELETE'))
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
        '',
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
            <button
              type="button"
              disabled={isBusy}
              aria-label={`${source.state === 'paused' ? 'Resume' : 'Pause'} ${source.id}`}
              onClick={() => pause(source)}
            >
              {source.state === 'paused' ? 'Resume' : 'Pause'}
            </button>
            {source.settings && (
              <>
                {' '}
                <button
                  type="button"
                  aria-label={`Settings of ${source.id}`}
                  onClick={() => onChange({ id: source.id, settings: source.settings! })}
                >
                  Settings
                </button>{' '}
                <button
                  type="button"
                  disabled={isBusy}
                  aria-label={`Remove ${source.id}`}
                  onClick={() => remove(source)}
                >
                  Remove
                </button>
              </>
            )}
          </td>
        </tr>
      ))}
    </Figures>
  )
}
