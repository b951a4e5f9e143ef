/** POST /api/v1/odds/batch: the prices of several events at once (interface 4.7). */

import {
  appendText,
  createPageBuffer,
  type PageBuffer,
  reserve,
} from '../../pipeline/text/page-buffer.ts'
import type { BoardView } from '../../pipeline/views/board/board-view.ts'
import type { ViewEvent } from '../../pipeline/views/board/view-event.ts'
import { compile } from '../../pipeline/views/query/compiled-filter.ts'
import { writeEventRows } from '../../pipeline/views/query/event-rows.ts'
import type { OddsFilter } from '../../pipeline/views/query/odds-filter.ts'
import { walkQuotes } from '../../pipeline/views/query/quotes.ts'
import {
  batchBody,
  batchObject,
  exampleBatchBody,
  headline as firstRow,
} from '../../schemas/http/batch.ts'
import type { Scope } from '../access/scope.ts'
import { tierRights } from '../access/tiers.ts'
import { addState } from '../answer/deep-links.ts'
import { eventName, gameMembers } from '../answer/events.ts'
import { briefGameState } from '../answer/game-states.ts'
import { members, objectHead, objectTail } from '../answer/json.ts'
import { findEvent } from '../ask/event-filters.ts'
import { readFilters } from '../ask/filters.ts'
import { withLinkState } from '../ask/link-state.ts'
import { ApiError } from '../errors.ts'
import { keyAction } from '../route.ts'

export function createBatchRoute() {
  // Buffer of a sent response. Reusing it saves half the cost of a large response.
  let spare: PageBuffer | undefined

  function take(): PageBuffer {
    const page = spare ?? createPageBuffer()
    spare = undefined
    page.length = 0
    return page
  }

  function giveBack(page: PageBuffer) {
    if (page.bytes.length <= mostSpareBytes) spare = page
  }

  return keyAction({
    method: 'post',
    path: '/api/v1/odds/batch',
    tag: 'odds',
    summary: 'The prices of several events',
    description:
      'Unknown events, and events without such prices, are listed in `missing`, and in `missing_events` of the data.',
    query: {},
    body: { as: 'json', schema: batchBody, maxBytes: 64 * 1024, example: exampleBatchBody },
    answer: { description: 'The events found.', schema: batchObject },
    errors: ['invalid_filter', 'tier_restricted', 'payload_too_large', 'answer_too_large'],

    handle({ body, scope, profile, inPieces }) {
      const { event_ids, sportsbook, market, state } = withLinkState(body, profile.state)
      const requestedIds = [...new Set(event_ids)]
      const { batchEvents: most } = tierRights[scope.tier]
      if (requestedIds.length > most) {
        throw new ApiError('validation_error', `event_ids has at most ${most} ids at this tier.`, {
          max_batch: most,
        })
      }
      const { sportsbooks, marketTypes, echo } = readFilters(
        {
          sportsbook: sportsbook ? [sportsbook] : undefined,
          market: market ? [market] : undefined,
        },
        scope,
      )
      const page = take()
      const rows = { filter: { sportsbooks, marketTypes }, state }
      const batch = createBatch(scope, requestedIds, most, rows, echo, page)
      const sent = () => giveBack(page)
      return inPieces(batch.steps(), () => ({ body: batch.text(), sent }))
    },
  })
}

/** The rows of each event. */
interface RequestedRows {
  readonly filter: OddsFilter
  /** State in deep links, lower case. */
  readonly state: string | undefined
}

/** Writes one event per step, each as it is at that moment. */
function createBatch(
  scope: Scope,
  requestedIds: readonly string[],
  most: number,
  rows: RequestedRows,
  filters: object,
  page: PageBuffer,
) {
  const { board } = scope
  const { filter } = rows
  const found = new Set<ViewEvent>()
  const missing: string[] = []
  let updatedAt = 0
  return {
    /** @throws ApiError answer_too_large */
    *steps(): Generator<void, void> {
      // Growing the buffer step by step would copy a large response several times, each in one go.
      if (compile(board, filter).isOpen)
        reserve(page, Math.min(mostBytes, likelyBytes(scope, requestedIds)))
      appendText(page, `${objectHead}{"events":[`)
      for (const id of requestedIds) {
        const event = findEvent(scope, id)
        // An event named by both forms of its id is returned once.
        if (event && found.has(event)) continue
        const seenAt = event && writeEvent(scope, event, rows, page, found.size === 0)
        if (page.length > mostBytes) throw tooLarge(found.size)
        if (event && seenAt !== undefined) {
          found.add(event)
          updatedAt = Math.max(updatedAt, seenAt)
        } else missing.push(id)
        yield
      }
    },

    text(): Uint8Array {
      const [first] = found
      const meta = {
        requested: requestedIds.length,
        found: found.size,
        missing: missing.length,
        max_batch: most,
        filters,
      }
      const rest = { missing_events: missing, ...(first && headline(board, first, filter)) }
      appendText(
        page,
        `],${JSON.stringify(rest).slice(1)},"missing":${JSON.stringify(missing)}${objectTail(updatedAt, meta)}`,
      )
      return page.bytes.subarray(0, page.length)
    },
  }
}

/** Larger buffers are not kept, because most batches are far smaller. */
const mostSpareBytes = 32 * 1024 * 1024

/** Largest response. A client that does not read it keeps it in our memory. */
const mostBytes = 64 * 1024 * 1024

/** Returns the bytes of the text of the events' prices. */
/** About the bytes of a price, where its text has not been written. */
const likelyRowBytes = 750

/** Returns about the bytes of the events' prices. It writes no texts: that is for the step of each event. */
function likelyBytes(scope: Scope, requestedIds: readonly string[]): number {
  let bytes = 0
  for (const id of requestedIds) {
    for (const { usedBytes, count } of findEvent(scope, id)?.blocks ?? []) {
      bytes += usedBytes || count * likelyRowBytes
    }
  }
  return bytes
}

const tooLarge = (eventCount: number) =>
  new ApiError(
    'answer_too_large',
    `Ask for fewer events at once: ${eventCount} fit in one response.`,
  )

/** @returns the newest sighting (epoch ms); undefined for an event without such prices, which is not written */
function writeEvent(
  scope: Scope,
  event: ViewEvent,
  { filter, state }: RequestedRows,
  page: PageBuffer,
  isFirst: boolean,
): number | undefined {
  const { id } = event
  const start = page.length
  const head = {
    event_id: id,
    event_name: eventName(event),
    ...gameMembers(event),
    game_state: briefGameState(scope, id),
  }
  appendText(page, `${isFirst ? '' : ','}{${members(head)}"odds":[`)
  const rowsFrom = page.length
  const { count, lastSeenAt } = writeEventRows(compile(scope.board, filter), event, page)
  if (count === 0) {
    page.length = start
    return undefined
  }
  addState(page, rowsFrom, state)
  appendText(page, ']}')
  return lastSeenAt
}

const headlineMembers = Object.keys(firstRow.shape) as (keyof typeof firstRow.shape)[]

function headline(board: BoardView, event: ViewEvent, filter: OddsFilter): object {
  const walk = walkQuotes(compile(board, filter))
  walk.enter(event)
  while (walk.nextMarket()) {
    while (walk.nextSelection()) {
      if (!walk.nextQuote()) continue
      const shown = walk.shown()
      return Object.fromEntries(headlineMembers.map((member) => [member, shown[member]]))
    }
  }
  return {}
}
