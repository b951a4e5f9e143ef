import { failureText } from '../format/failure.ts'
import { useDesk } from './context.ts'
import type { Polled } from './polled.ts'

interface FailureProps {
  readonly of: Polled<unknown>
  /** What was read, where a page shows several such values. */
  readonly what?: string
}

/** Says why polled data is not current, and of when it is. Renders nothing if the last read succeeded. */
export function Failure({ of: { error, at }, what }: FailureProps) {
  const { zone } = useDesk().choices
  return error ? (
    <p class="refusal" role="status">
      {what && `${what}: `}
      {failureText(error, at, zone)}
    </p>
  ) : null
}
