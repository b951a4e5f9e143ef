/** The control that shows past prices: a slider over the last day, a field for any time, and *Now*. */

import { useState } from 'preact/hooks'
import { addressOf } from '../data/past.ts'
import { boardNow } from '../data/service-time.ts'
import { momentText, zoneText } from '../format/time.ts'
import { readMoment, typedMoment } from '../format/typed-bet.ts'
import { useDesk } from './context.ts'
import { changeAddress } from './router.ts'

const minuteMs = 60_000
const stepMs = 5 * minuteMs
const sliderMs = 24 * 60 * minuteMs

const goTo = (at: number | null) => changeAddress({ at: at === null ? null : addressOf(at) })

/** The button that opens the past. */
export const PastButton = () => (
  <button
    type="button"
    title="Shows the prices as they were"
    onClick={() => goTo(boardNow() - 10 * minuteMs)}
  >
    Past
  </button>
)

/** @param at the time shown (epoch ms) */
export function TimeBar({ at }: { readonly at: number }) {
  const { zone } = useDesk().choices
  const [dragged, drag] = useState<number | null>(null)
  const now = boardNow()
  const shown = dragged ?? at
  return (
    <div class="time-bar" role="note">
      <b>Past</b> <time>{momentText(shown, zone, now)}</time>
      <input
        type="range"
        aria-label="Time shown"
        aria-valuetext={momentText(shown, zone, now)}
        min={-sliderMs}
        max={0}
        step={stepMs}
        value={Math.max(-sliderMs, shown - now)}
        onInput={(event) => drag(now + Number(event.currentTarget.value))}
        onChange={(event) => {
          drag(null)
          goTo(now + Number(event.currentTarget.value))
        }}
      />
      <label>
        <input
          type="datetime-local"
          aria-label={`Date and time, ${zoneText(zone)}`}
          value={typedMoment(shown, zone)}
          onChange={(event) => {
            const chosen = readMoment(event.currentTarget.value, zone, shown)
            if (chosen <= now) goTo(chosen)
          }}
        />{' '}
        {zoneText(zone)}
      </label>
      <button type="button" class="primary" onClick={() => goTo(null)}>
        Now
      </button>
    </div>
  )
}
