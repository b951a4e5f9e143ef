/** Files that are no files, are larger than they look, or are not encoded as expected: each is read or refused by name. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { openRecording } from '../../../../pipeline/feeds/replay/open-recording.ts'
import { longestText } from '../../../../pipeline/feeds/replay/recorded-file.ts'
import {
  mostInStep,
  RecordingError,
  UnsupportedRecordingError,
} from '../../../../pipeline/feeds/replay/recording.ts'
import { openReplay } from '../../../../pipeline/feeds/replay/replay.ts'
import { createFolder, oddsOf, pushLine, readSteps } from './written.ts'

const { folder, write } = createFolder()
const line = pushLine('2026-03-03T21:00:00Z')
const series =
  'event_id,sport_key,home_team,away_team,commence_time,bookmaker,market,outcome_name,price,point,snapshot_utc'
const seriesRow =
  'a,basketball_nba,Utah Jazz,Miami Heat,2026-03-04T00:10:00Z,tab,h2h,Utah Jazz,1.9,,20260303_210000'
const season = 'Div,Date,HomeTeam,AwayTeam,FTR'
const megabyte = 1_024 ** 2
/**
 * Returns a gzipped file that repeats a text for so many megabytes, packed in members of one each: a file of several
 * members is one text.
 * @param unit its length divides a megabyte
 */
function packed(start: string, unit: string, megabytes: number): Buffer {
  const member = gzipSync(Buffer.alloc(megabyte, unit))
  return Buffer.concat([gzipSync(start), ...Array<Buffer>(megabytes).fill(member)])
}

describe('what is no file is refused without being opened', () => {
  const place = join(folder, 'places')
  mkdirSync(join(place, 'directory'), { recursive: true })
  execFileSync('mkfifo', [join(place, 'pipe.ndjson')])
  symlinkSync('/dev/zero', join(place, 'device.ndjson'))
  symlinkSync(place, join(place, 'linked.csv'))
  test.each(['pipe.ndjson', 'device.ndjson', 'linked.csv'])('%s', async (name) => {
    const opened = openRecording(join(place, name))
    await expect(opened).rejects.toBeInstanceOf(UnsupportedRecordingError)
    await expect(opened).rejects.toThrow(/is not a file but .*; save the recording as a file/)
  })
  test('also among recordings, which are replayed', async () => {
    write('places/good.ndjson', line)
    const reasons: string[] = []
    let records = 0
    const sink = {
      publish: async (published: readonly unknown[]) => {
        records += published.length
      },
      skipped: (_: string, skips: readonly { reason: string }[]) =>
        void reasons.push(...skips.map(({ reason }) => reason)),
    }
    const feed = openReplay({ path: place })
    await feed.run(sink as unknown as Parameters<typeof feed.run>[0], new AbortController().signal)
    expect(reasons).toEqual(Array(3).fill('unsupported_recording'))
    // The record and the tick after it.
    expect(records).toBe(2)
  })
})

describe('of a file that unpacks to far more', () => {
  test('only the beginning is held to detect its shape', async () => {
    await expect(openRecording(write('zeros.gz', packed('', '\0', 600)))).rejects.toThrow(
      UnsupportedRecordingError,
    )
  })
  test('a line too long for a record is skipped, and the next is read', async () => {
    const file = write(
      'line.ndjson.gz',
      Buffer.concat([packed(`${line}\n`, 'x', 600), gzipSync(`\n${line}\n`)]),
    )
    const steps = await readSteps(file)
    expect(oddsOf(steps)).toHaveLength(2)
    expect(steps.flatMap(({ skipped }) => skipped)).toEqual([
      {
        reason: 'record_too_long',
        detail: expect.stringMatching(/^line 2: a record has at most/),
      },
    ])
  })
  test.each([
    ['document.json.gz', '[', ' '],
    ['season.csv.gz', `${season}\n`, `${'E0,01/08/2025,a,b,H'.padEnd(megabyte / 2 - 1)}\n`],
  ])('%s, which would be held whole, is refused with advice', async (name, start, unit) => {
    const reading = readSteps(write(name, packed(start, unit, longestText / megabyte + 1)))
    await expect(reading).rejects.toThrow(/more than 128 MB of text.* split it/)
  })
  test('a cell without an end is refused', async () => {
    const reading = readSteps(write('cell.csv.gz', packed(`${series}\na,"`, 'x', 3)))
    await expect(reading).rejects.toBeInstanceOf(RecordingError)
    await expect(reading).rejects.toThrow(/Max Record Size/)
  })
  test.each([
    ['broken lines', `${line}\n`, 'x\n'],
    ['lines of one time', '', `${line}\n`],
    ['broken rows', `${series}\n${seriesRow}\n`, 'x\n'],
  ])('%s come in several steps', async (name, start, unit) => {
    const count = 2 * mostInStep
    const file = write(`${name}.gz`, gzipSync(start + unit.repeat(count)))
    const steps = await readSteps(file)
    const sizes = steps.map(({ records, skipped }) => records.length + skipped.length)
    // A snapshot comes with the skips before it.
    expect(Math.max(...sizes)).toBeLessThanOrEqual(mostInStep + 1)
    expect(sizes.reduce((all, size) => all + size)).toBeGreaterThanOrEqual(count)
  })
  test('prices of one time have a bound', async () => {
    const rows = Buffer.alloc(1_000_002 * (seriesRow.length + 1), `${seriesRow}\n`)
    const file = write('rows.gz', gzipSync(Buffer.concat([Buffer.from(`${series}\n`), rows])))
    await expect(readSteps(file)).rejects.toThrow(/more than 1000000 prices of one time, at line/)
  })
})

describe('text', () => {
  test('with a byte order mark, line ends of Windows or zeros loses no other line', async () => {
    const steps = await readSteps(write('marked.ndjson', `\uFEFF${line}\r\n\0\r\n${line}\r\n`))
    expect(oddsOf(steps)).toHaveLength(2)
  })
  test('in UTF-16 is refused with advice', async () => {
    const file = write('wide.csv', Buffer.from(`\uFEFF${series}\n`, 'utf16le'))
    await expect(openRecording(file)).rejects.toThrow(/is text in UTF-16; save it as UTF-8/)
  })
  test('of no known shape is shown in part, and without control characters', async () => {
    const refused = await openRecording(write('zeros.csv', Buffer.alloc(2 * megabyte))).catch(
      (error: Error) => error,
    )
    expect((refused as Error).message.length).toBeLessThan(2_000)
    expect((refused as Error).message).not.toMatch(/\p{Cc}/u)
  })
})
