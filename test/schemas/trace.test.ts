import { describe, expect, it } from 'vitest'
import { traceOf } from '../../schemas/trace.ts'

const id = '4bf92f3577b34da6a3ce929d0e0e4736'
const span = '00f067aa0ba902b7'

describe('the id of a push', () => {
  it.each([
    ['a traceparent, as its specification shows it', `00-${id}-${span}-01`],
    ['one that is not sampled', `00-${id}-${span}-00`],
    ['one of a version to come', `cc-${id}-${span}-01-what-will-be`],
  ])('is the trace id of %s', (_, traceparent) => {
    expect(traceOf({ traceparent, 'x-request-id': 'other' })).toBe(id)
  })

  it.each([
    ['a version that is invalid', `ff-${id}-${span}-01`],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${span}-01`],
    ['a parent of zeros', `00-${id}-${'0'.repeat(16)}-01`],
    ['capital letters', `00-${id.toUpperCase()}-${span}-01`],
    ['a trace that is short', `00-${id.slice(1)}-${span}-01`],
    ['nothing', ''],
  ])('is the X-Request-Id where the traceparent has %s', (_, traceparent) => {
    expect(traceOf({ traceparent, 'x-request-id': 'feed-7/42' })).toBe('feed-7/42')
  })

  it.each(['', ' ', 'two words', 'a\nb', '"', 'x'.repeat(65), 'ü'])(
    'is none where neither can be used: %j',
    (sent) => {
      expect(traceOf({ traceparent: '', 'x-request-id': sent })).toBeNull()
    },
  )
})
