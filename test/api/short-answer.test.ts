import { expect, it } from 'vitest'
import { shortAnswer } from '../../api/mcp/short-answer.ts'

const ids = Array.from({ length: 200 }, (_, i) => `id-${i}`)
const body = { success: true, data: [{ id: 'a' }, { id: 'b' }], removed: ids, others: ids }

it('shortens lists beside the items and reports it, except those that must be whole', () => {
  const shape = { items: ['data'], whole: ['removed'] }
  const { text } = shortAnswer(body, shape, { bytes: 100_000, skip: 0 }, () => null)
  expect(JSON.parse(text)).toEqual({
    data: [{ id: 'a' }, { id: 'b' }],
    removed: ids,
    others: ids.slice(0, 50),
    others_left_out: 150,
  })
})

it('shows at least one item, so that paging goes on', () => {
  const more = (next: number, left: number) => ({ offset: next, left })
  const shape = { items: ['data'], whole: ['removed'] }
  const answer = shortAnswer(body, shape, { bytes: 100, skip: 0 }, more)
  expect(answer.shown).toBe(1)
  expect(JSON.parse(answer.text)).toMatchObject({ removed: ids, more: { offset: 1, left: 1 } })
})

const wireBytes = (text: string) => Buffer.byteLength(JSON.stringify(text))

it('shows as many items as fit, of lists and of objects by name', () => {
  const items = Array.from({ length: 60 }, (_, i) => ({
    id: `"${i}"\n\ud83c\udfc8`,
    words: 'ä'.repeat(i % 7),
  }))
  const more = (next: number, left: number) => (left > 0 ? { left, offset: next } : null)
  const all = Object.fromEntries(items.map((item, i) => [`game "${i}"`, item]))
  for (const given of [{ data: items }, { data: all }, { data: { games: items } }]) {
    const path = 'games' in given.data ? ['data', 'games'] : ['data']
    const shape = { items: path }
    const at = (bytes: number, skip: number) => shortAnswer(given, shape, { bytes, skip }, more)
    for (const skip of [0, 7]) {
      for (let bytes = 150; bytes < 4_000; bytes += 97) {
        const { text, shown } = at(bytes, skip)
        if (shown > 1) expect(wireBytes(text)).toBeLessThanOrEqual(bytes)
        // No text of one item more is as short.
        const next = at(wireBytes(text) + 1_000, skip).text
        if (shown < 60 - skip) expect(wireBytes(next)).toBeGreaterThan(bytes)
      }
      const whole = at(1_000_000, skip)
      expect(at(wireBytes(whole.text), skip).text).toBe(whole.text)
      expect(at(wireBytes(whole.text) - 1, skip).shown).toBeLessThan(whole.shown)
    }
  }
})

it('writes each item once to measure it, and once into the text', () => {
  const written = new Array<number>(400).fill(0)
  const data = written.map((_, i) => ({
    id: `item-${i}`,
    toJSON() {
      written[i]!++
      return { id: `item-${i}` }
    },
  }))
  const answer = shortAnswer(
    { data } as never,
    { items: ['data'] },
    { bytes: 7_800, skip: 0 },
    () => null,
  )
  expect(answer.shown).toBeGreaterThan(200)
  expect(Math.max(...written)).toBe(2)
})

it('says what the answer lacks, and why it is empty', () => {
  const said = (meta: object) => {
    const given = { data: [], meta } as unknown as Parameters<typeof shortAnswer>[0]
    const { text } = shortAnswer(given, { items: ['data'] }, { bytes: 7_800, skip: 0 }, () => null)
    return JSON.parse(text)
  }
  const archive = { records_behind: 40, seconds_behind: 7_200 }
  const store = { ready: true, reason: 'no_match', event_status: 'postponed' }
  const doubts = { archive, is_complete: false, bets_without_answer: 40, store }
  expect(said({ ...doubts, filters: { league: ['nba'] }, updated_at: null })).toEqual({
    data: [],
    ...doubts,
  })
  expect(said({ is_complete: true, bets_without_answer: 0, position: null })).toEqual({ data: [] })
})
