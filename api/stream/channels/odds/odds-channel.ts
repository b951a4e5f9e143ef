/**
 * The channel of prices. Clients with equal queries share the encoding of each tick and the proof.
 * A client starts with a snapshot, or resumes from the board's journal or the log. A client that is
 * behind gets each changed row once, as it is when it is sent.
 */

import { isoTime } from '../../../../pipeline/text/iso-time.ts'
import type { ViewEvent } from '../../../../pipeline/views/board/view-event.ts'
import { type Scope, viewOf } from '../../../access/scope.ts'
import type { RequestedOdds } from '../../../ask/odds-filter.ts'
import { requireFields } from '../../../ask/odds-shape.ts'
import type { Channel, ChannelQuery, Client, Subscription } from '../../delivery/channel.ts'
import { isOpen, live } from '../../delivery/client.ts'
import type { FrameNumbers } from '../../timeline/frame-numbers.ts'
import type { ChannelParts, ChannelType } from '../channel-type.ts'
import { isNarrower, type StreamFilters } from '../filters.ts'
import { appendMoved, appendNews, appendStatuses, appendWhole } from './news-frames.ts'
import { isByBook } from './odds-frames.ts'
import { createOddsNewsFinder, type OddsNews, type OddsNewsFinder } from './odds-news.ts'
import { createOddsReadings, type Reader, type Reading } from './odds-reading.ts'
import { createOddsSnapshot } from './odds-snapshot.ts'
import { type BookProof, createProver } from './proof.ts'
import { createQueryIndex } from './query-index.ts'
import { type RowFields, rowFields } from './row-fields.ts'
import { createTickTexts } from './tick-texts.ts'

/**
 * If a tick may concern this many shared queries, the text of each row is written once for all: rows go to several of
 * them.
 */
const manyQueries = 8

interface OddsQuery extends ChannelQuery {
  readonly scope: Scope
  readonly filters: StreamFilters
  readonly requested: RequestedOdds
  /** Fields of each row; undefined for all. */
  readonly fields: RowFields | undefined
}

/** A query and its clients. */
interface SharedQuery {
  readonly query: OddsQuery
  readonly finder: OddsNewsFinder
  readonly subscriptions: Set<OddsSubscription>
  /** Null until a client requests a proof. */
  proof: BookProof | null
}

interface OddsSubscription extends Subscription, Reader {
  shared: SharedQuery
}

export const oddsChannel: ChannelType = {
  names: ['odds'],
  feature: () => null,
  isResumable: true,
  isNarrower: (wide: OddsQuery, narrow: OddsQuery) =>
    wide.scope === narrow.scope && isNarrower(wide.filters, narrow.filters),
  noTotals: () => ({ books: [], total_odds: 0 }),
  query({ names, scope, filters, requested }): OddsQuery | null {
    if (!names.includes('odds')) return null
    const fields = filters.fields && rowFields(requireFields(filters.fields))
    const key = JSON.stringify([requested.queryKey, fields])
    return { type: oddsChannel, key, scope, filters, requested, fields }
  },
  open: openOdds,
}

function openOdds(parts: ChannelParts): Channel<OddsQuery, OddsSubscription> {
  const { view, timeline, delivery, logReplay, tokens, passedBy, lost } = parts
  const sharedQueries = new Map<string, SharedQuery>()
  const index = createQueryIndex<SharedQuery>(view)
  const prover = createProver(view)
  const tickTexts = {
    whole: createTickTexts(view, appendWhole),
    moved: createTickTexts(view, appendMoved),
  }

  function sharedQueryOf(query: OddsQuery): SharedQuery {
    let shared = sharedQueries.get(query.key)
    if (!shared) {
      const finder = createOddsNewsFinder(view, query.requested)
      shared = { query, finder, subscriptions: new Set(), proof: null }
      sharedQueries.set(query.key, shared)
      index.add(shared, query.requested.changesFilter())
    }
    return shared
  }

  function leave(subscription: OddsSubscription) {
    const { shared } = subscription
    if (!shared.subscriptions.delete(subscription) || shared.subscriptions.size > 0) return
    sharedQueries.delete(shared.query.key)
    index.delete(shared)
  }

  const { readFrom, goOn } = createOddsReadings<OddsSubscription>({
    view,
    timeline,
    logReplay,
    send,
    lost,
  })

  function send(
    { client, shared }: OddsSubscription,
    reading: Reading,
    news: OddsNews,
    statuses: ReadonlySet<ViewEvent>,
    numbers?: FrameNumbers,
  ) {
    const events = shared.finder.eventsIn(statuses)
    if (news.size === 0 && events.length === 0) return
    const { isReplay } = reading
    const { framing } = client
    const { fields } = shared.query
    const frameNumbers: FrameNumbers = {
      next(...frame) {
        reading.globalSeq = numbers?.next(...frame) ?? timeline.numberAfter(reading.globalSeq)
        return reading.globalSeq
      },
      wasSent: (...part) => numbers?.wasSent(...part) ?? false,
    }
    delivery.sendOwn(client, (frames, width, now) => {
      appendStatuses(frames, events, { framing, width, now })
      appendNews(frames, view, news, {
        framing,
        width,
        now,
        numbers: frameNumbers,
        fields,
        isReplay,
      })
    })
  }

  function snapshot(subscription: OddsSubscription) {
    const { framing } = subscription.client
    const { query } = subscription.shared
    return (function* () {
      const rows = createOddsSnapshot(view, query, isByBook(framing))
      for (;;) {
        let hasChunk = false
        delivery.sendOwn(subscription.client, (frames, width, time) => {
          hasChunk = rows.next(frames, framing, width, time)
        })
        if (!hasChunk) return { books: rows.sportsbooks, total_odds: rows.sent }
        yield
      }
    })()
  }

  const channel: Channel<OddsQuery, OddsSubscription> = {
    type: oddsChannel,

    join(client, query) {
      const shared = sharedQueryOf(query)
      const subscription: OddsSubscription = { channel, client, shared, reading: null }
      shared.subscriptions.add(subscription)
      return subscription
    },

    begin: readFrom,
    snapshot,

    tick({ changes, time }) {
      if (!changes) return
      const { changed, seqBefore, numbering } = changes
      const now = isoTime(time)
      // A new status may concern a query that has no news of prices.
      const hasStatuses = changed.statuses.size > 0
      const found = index.of(changed)
      const concerned = hasStatuses ? sharedQueries.values() : found
      const texts = found.size < manyQueries ? undefined : tickTexts
      texts?.whole.begin(changed)
      texts?.moved.begin(changed)
      for (const shared of concerned) {
        const { finder, query } = shared
        const upToDate: Client[] = []
        for (const subscription of shared.subscriptions) {
          const { client } = subscription
          if (client.phase !== live) continue
          if (isOpen(client)) {
            subscription.reading = null
            upToDate.push(client)
          } else {
            readFrom(subscription, { from: 'stamp', stamp: changed.since, globalSeq: seqBefore })
            passedBy(client)
          }
        }
        if (upToDate.length === 0) continue
        const news = finder.take(changed, index.rangesOf(shared))
        const events = finder.eventsIn(changed.statuses)
        if (news.size === 0 && events.length === 0) continue
        delivery.sendShared(upToDate, (frames, framing, width) => {
          appendStatuses(frames, events, { framing, width, now })
          appendNews(frames, view, news, {
            framing,
            width,
            now,
            numbers: numbering(),
            fields: query.fields,
            texts,
          })
        })
      }
    },

    catchUp: goOn,

    proof({ shared }) {
      // Between ticks the board may be ahead of the client.
      if (view.watermark !== timeline.head) return {}
      shared.proof ??= prover.open()
      const totals = shared.proof.step(shared.query.requested.filter())
      if (!totals) return null
      const position = timeline.positionNow()
      const token = position && tokens.of(position, viewOf(shared.query.scope))
      return { ...(token !== null && { position: token }), ...totals }
    },

    narrow(subscription, query) {
      leave(subscription)
      subscription.shared = sharedQueryOf(query)
      subscription.shared.subscriptions.add(subscription)
      if (subscription.client.phase === live) readFrom(subscription, { from: 'now' })
    },

    leave,
  }
  return channel
}
