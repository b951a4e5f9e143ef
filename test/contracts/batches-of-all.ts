/** Merges the batches of a member's assignments, for a reader that takes one after the other. */

import type { Assignment, Batch } from '../../pipeline/log/log.ts'

type Step =
  | { readonly of: 'assignments'; readonly result: IteratorResult<Assignment> }
  | { readonly of: AsyncIterator<Batch>; readonly result: IteratorResult<Batch> }

/** Yields batches. It requests an assignment's next batch once the one before has been processed. */
export async function* batchesOfAll(
  assignments: AsyncIterable<Assignment>,
): AsyncGenerator<Batch, void> {
  const given = assignments[Symbol.asyncIterator]()
  const pending = new Map<unknown, Promise<Step>>()
  const askForAssignment = () =>
    pending.set(
      given,
      given.next().then((result) => ({ of: 'assignments', result })),
    )
  const askForBatch = (batches: AsyncIterator<Batch>) =>
    pending.set(
      batches,
      batches.next().then((result) => ({ of: batches, result })),
    )
  askForAssignment()
  while (pending.size > 0) {
    const step = await Promise.race(pending.values())
    if (step.of === 'assignments') {
      pending.delete(given)
      if (step.result.done) continue
      askForBatch(step.result.value.batches[Symbol.asyncIterator]())
      askForAssignment()
    } else {
      pending.delete(step.of)
      if (step.result.done) continue
      yield step.result.value
      askForBatch(step.of)
    }
  }
}
