/**
 * The dialogue that creates an alert for a price, a move or a source, or changes one. Alerts for opportunities are
 * created in their list.
 */

import { useState } from 'preact/hooks'
import type { Alert } from '../../wire.ts'
import { type WantId, wantOf, wants } from '../data/alert-fields.ts'
import { Select } from '../shell/select.tsx'
import { AlertForm } from './alert-form.tsx'

interface PriceAlertProps {
  readonly before?: Alert
  readonly onClose: () => void
  readonly onMade: () => void
}

export function PriceAlert({ before, onClose, onMade }: PriceAlertProps) {
  const [id, setId] = useState<WantId>((before && wantOf(before)) ?? 'price')
  const { name, type, fields } = wants[id]
  return (
    <AlertForm
      type={type}
      about={{ type }}
      fields={fields}
      {...(before && { filters: before.filters })}
      usualName={name}
      before={before}
      onClose={onClose}
      onMade={onMade}
    >
      {!before && (
        <label>
          Tell me of
          <Select
            choices={(Object.keys(wants) as WantId[]).map((one) => [one, wants[one].name])}
            value={id}
            onChoose={setId}
          />
        </label>
      )}
    </AlertForm>
  )
}
