/** The framing of requests, with the expected response of each listener. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { patienceMs } from '../patience.ts'
import { allListeners, type Bare, openBare } from './each-listener.ts'
import { framingCases as cases, get, framedPaths as paths, post } from './framing-cases.ts'
import { sendParts } from './raw-http.ts'

describe.each(allListeners)('requests as they are framed, on $name', ({ name, missing }) => {
  const title = missing === null ? name : `skipped: ${missing}`
  let listener: Bare
  beforeAll(async () => {
    if (missing === null) listener = await openBare(name, { paths })
  })
  afterAll(() => listener?.close())

  it.skipIf(missing !== null)(
    `a request in two segments, cut at every byte: ${title}`,
    async () => {
      const whole = `${get('/q?a=b', 'X-C: d\r\n')}${post('Content-Length: 5', 'abcde')}`
      const isTold = (text: string) => text.endsWith('abcde')
      const cuts = Array.from({ length: whole.length - 1 }, (_, i) => i + 1)
      const answered = await Promise.all(
        cuts.map((cut) =>
          sendParts(listener.port, [whole.slice(0, cut), whole.slice(cut)], {
            until: isTold,
            gapMs: 20,
            withinMs: patienceMs,
          }),
        ),
      )
      const failed = cuts.filter((_, i) => answered[i]!.statuses.join() !== '200,200')
      // The older build takes a split request line for one of another HTTP version.
      const isLineCut = (cut: number) =>
        [0, whole.indexOf('POST')].some(
          (start) => cut > start && cut <= whole.indexOf('\r\n', start) + 1,
        )
      const mayFail = name === 'uws-older' ? cuts.filter(isLineCut) : []
      expect(failed.filter((cut) => !mayFail.includes(cut))).toEqual([])
    },
  )

  it.skipIf(missing !== null)(`an address of many segments: ${title}`, async () => {
    const whole = get(`/q?${'a'.repeat(2_700)}`)
    const parts = [whole.slice(0, 1_400), whole.slice(1_400)]
    const came = await sendParts(listener.port, parts, { until: (text) => text.endsWith('aaa') })
    // The older build refuses it if the segments do not arrive together.
    const mayBe = name === 'uws-older' ? [200, 505] : [200]
    expect(mayBe).toContain(came.statuses[0])
  })

  it.skipIf(missing !== null).concurrent.each(cases)(`$name: ${title}`, async (framed) => {
    const { statuses, isEnded = false } = framed.but?.[name] ?? framed.expected
    const isTold = (text: string) =>
      !isEnded &&
      statuses.length > 0 &&
      text.split('HTTP/1.1 ').length > statuses.length &&
      (framed.bodies ?? []).every((body) => text.includes(body))
    const came = await sendParts(listener.port, framed.parts, {
      until: isTold,
      // A request without a response is closed after ten seconds; half a second without one is enough.
      withinMs: statuses.length === 0 ? 500 : patienceMs,
    })
    expect(came.statuses, came.text).toEqual(statuses)
    if (isEnded) expect(came.end).not.toBe(null)
    if (statuses === framed.expected.statuses) {
      let at = 0
      for (const body of framed.bodies ?? []) {
        at = came.text.indexOf(`\r\n\r\n${body}`, at)
        expect(at, `${body} in ${came.text}`).toBeGreaterThan(0)
        at++
      }
    }
    expect(came.text).not.toContain('is smuggled')
  })
})
