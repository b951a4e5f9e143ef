import { failureText } from '../format/failure.ts'
import { useDesk } from './context.ts'
import type { Polled } from './polled.ts'

/** Says why polled data is not current, and of when it is. Renders nothing if the last read succeeded. */
export function Failure({ of: { error, at } }: { readonly of: Polled<unknown> }) {
  const { zone } = useDesk().choices
  return error ? (
    <p class="refusal" role="status">
      {failureText(error, at, zone)}
    </p>
  ) : null
}
