/** `/alerts`: the alerts of the reader's account, their messages and their state. */

import { useState } from 'preact/hooks'
import { countText } from '../../count.ts'
import type { Alert, Delivery } from '../../wire.ts'
import { OpportunityForm } from '../alerts/opportunity-alert.tsx'
import { PriceAlert } from '../alerts/price-alert.tsx'
import { sendsAgainAt } from '../data/alert-limit.ts'
import {
  listAlerts,
  listDeliveries,
  pauseAlert,
  redeliver,
  removeAlert,
  resumeAlert,
  testAlert,
} from '../data/alerts.ts'
import { kindNames } from '../data/kinds.ts'
import { serviceNow } from '../data/service-time.ts'
import { filterText } from '../format/filters.ts'
import { momentText, zoneName } from '../format/time.ts'
import { filterNames, useDesk } from '../shell/context.ts'
import { Failure } from '../shell/failure.tsx'
import { Figures } from '../shell/figures.tsx'
import { usePolled } from '../shell/polled.ts'
import { Refusal } from '../shell/refusal.tsx'
import { useAction } from '../shell/use-action.ts'

export function AlertsPage() {
  const desk = useDesk()
  const { paceMs } = desk
  const names = filterNames(desk)
  const [isNewOpen, setNewOpen] = useState(false)
  const [changed, change] = useState<Alert | null>(null)
  const { value, error, refetch } = usePolled(listAlerts, Math.max(5_000, paceMs), [])
  const [opened, open] = useState<string | null>(null)
  const [answer, setAnswer] = useState<string | null>(null)

  const [refusal, run, isBusy] = useAction(refetch)

  /** Runs an action and shows the service's response. */
  const act = (work: () => Promise<unknown>, text: (done: unknown) => string) =>
    run(async () => {
      setAnswer(null)
      setAnswer(text(await work()))
    })

  const alert = value?.find(({ id }) => id === opened)
  return (
    <main class="page">
      <h1>Alerts</h1>
      <p class="hint">
        An alert tells you of opportunities, prices, moves and sources as they come. One on
        opportunities is made where they are listed, on the page{' '}
        <a href="/opportunities">Opportunities</a>. <a href="/docs/alerts">How alerts work</a>
      </p>
      <p>
        <button type="button" class="primary" onClick={() => setNewOpen(true)}>
          New alert on prices
        </button>
      </p>
      {isNewOpen && <PriceAlert onClose={() => setNewOpen(false)} onMade={refetch} />}
      {changed && <AlertChange alert={changed} onClose={() => change(null)} onMade={refetch} />}
      <Refusal message={refusal ?? error?.message} />
      {answer && <p role="status">{answer}</p>}
      {!value && !error && <p class="hint">Loading…</p>}
      {value?.length === 0 && <p class="hint">You have no alerts.</p>}
      {value && value.length > 0 && (
        <Figures isOfTexts label="Alerts" columns={['Alert', 'Tells of', 'Sent to', 'State', '']}>
          {value.map((one) => (
            <tr key={one.id}>
              <th scope="row">{one.name}</th>
              <td>
                {one.kind === null ? (
                  typeNames[one.type]
                ) : (
                  <a href={one.page}>{kindNames[one.kind]}</a>
                )}
                <p class="hint">
                  {Object.entries(one.filters)
                    .map(([name, text]) => filterText(name, String(text), names))
                    .join('; ')}
                </p>
                <p class="hint">at most {countText(one.per_hour, 'message')} an hour</p>
                {one.quiet_hours && (
                  <p class="hint">
                    quiet from {one.quiet_hours.from} to {one.quiet_hours.to},{' '}
                    {zoneName(one.quiet_hours.time_zone)}
                  </p>
                )}
              </td>
              <td>
                {one.target.type} <small>{one.target.url_preview}</small>
              </td>
              <td>
                <span class={`state ${one.state === 'active' ? 'up' : 'paused'}`}>{one.state}</span>
                {one.pending > 0 && <small> {one.pending} waiting</small>}
                {one.reason && <p class="hint">{one.reason}</p>}
              </td>
              <td>
                <button type="button" onClick={() => open(one.id === opened ? null : one.id)}>
                  Sent
                </button>{' '}
                <button type="button" onClick={() => change(one)}>
                  Change
                </button>{' '}
                <button
                  type="button"
                  disabled={isBusy}
                  onClick={() => act(() => testAlert(one), testText)}
                >
                  Test
                </button>{' '}
                <button
                  type="button"
                  disabled={isBusy}
                  onClick={() =>
                    one.state === 'paused'
                      ? act(
                          () => resumeAlert(one),
                          () => `${one.name} is on.`,
                        )
                      : act(
                          () => pauseAlert(one),
                          () => `${one.name} is paused.`,
                        )
                  }
                >
                  {one.state === 'paused' ? 'Resume' : 'Pause'}
                </button>{' '}
                <button
                  type="button"
                  disabled={isBusy}
                  onClick={() => {
                    if (!confirm(`Delete the alert ${one.name}?`)) return
                    act(
                      () => removeAlert(one),
                      () => `${one.name} is deleted.`,
                    )
                  }}
                >
                  Delete
                </button>
              </td>
            </tr>
          ))}
        </Figures>
      )}
      {alert && (
        <Deliveries
          alert={alert}
          isBusy={isBusy}
          onRedeliver={(delivery) =>
            act(
              () => redeliver(alert, delivery),
              () => 'The message is sent again.',
            )
          }
        />
      )}
    </main>
  )
}

interface AlertChangeProps {
  readonly alert: Alert
  readonly onClose: () => void
  readonly onMade: () => void
}

const AlertChange = ({ alert, ...form }: AlertChangeProps) =>
  alert.kind === null ? (
    <PriceAlert before={alert} {...form} />
  ) : (
    <OpportunityForm
      kind={alert.kind}
      filters={alert.filters}
      name={alert.name}
      before={alert}
      {...form}
    />
  )

const typeNames: Readonly<Record<Alert['type'], string>> = {
  opportunity: 'Opportunities',
  price: 'Prices',
  move: 'Moves',
  source: 'Sources',
}

function testText(done: unknown): string {
  const { state, problem } = done as Delivery
  return state === 'delivered' ? 'The test has arrived.' : `The test has not arrived: ${problem}`
}

const shownDeliveries = 20

interface DeliveriesProps {
  readonly alert: Alert
  /** Whether a change is on its way. */
  readonly isBusy: boolean
  readonly onRedeliver: (delivery: Delivery) => void
}

function Deliveries({ alert, isBusy, onRedeliver }: DeliveriesProps) {
  const { choices, paceMs } = useDesk()
  const read = usePolled(() => listDeliveries(alert), Math.max(5_000, paceMs), [alert.id])
  const { value } = read
  if (!value) return <Failure of={read} />
  const againAt = sendsAgainAt(alert, value.items, serviceNow())
  const shown = value.items.slice(0, shownDeliveries)
  return (
    <>
      <h2>Sent by {alert.name}</h2>
      <Failure of={read} />
      {againAt !== null && (
        <p role="status">
          It has sent {countText(alert.per_hour, 'message')} in the last hour, the most that it may.
          What still matches is sent from {momentText(againAt, choices.zone, serviceNow())} on.
        </p>
      )}
      {value.items.length === 0 && <p class="hint">It has sent nothing yet.</p>}
      <Figures isOfTexts label="Messages" columns={['Decided', 'What', 'State', 'Attempts', '']}>
        {shown.map((delivery) => (
          <tr key={delivery.id}>
            <th scope="row">
              {momentText(Date.parse(delivery.decided_at), choices.zone, serviceNow())}
            </th>
            <td>{delivery.title ?? delivery.type}</td>
            <td>
              {delivery.state}
              {delivery.gone_at && (
                <p class="hint">
                  gone at {momentText(Date.parse(delivery.gone_at), choices.zone, serviceNow())}
                </p>
              )}
              {delivery.problem && <p class="hint">{delivery.problem}</p>}
            </td>
            <td>{delivery.attempts}</td>
            <td>
              {delivery.can_redeliver && (
                <button type="button" disabled={isBusy} onClick={() => onRedeliver(delivery)}>
                  Send again
                </button>
              )}
            </td>
          </tr>
        ))}
      </Figures>
      {value.total > shown.length && (
        <p class="hint">
          The newest {shown.length} of {value.total}.{' '}
          <a href="/docs/alerts">The API has the others.</a>
        </p>
      )}
    </>
  )
}
