import { expect, it } from 'vitest'
import { acceptedCoding } from '../../api/answer/codings.ts'

// The weights and their meaning: RFC 9110, 12.4.2 and 12.5.3.
it.each([
  ['', null],
  ['identity', null],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['GZip', 'gzip'],
  ['deflate', null],
  ['zstd', null],
  ['gzip, deflate, br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['gzip ; q=0.3 ,\tbr;q=0.8', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['gzip;q=0', null],
  ['gzip;q=0.000, br;q=0.', null],
  ['*', 'gzip'],
  ['*;q=0', null],
  ['*;q=0.5, gzip;q=0', null],
  ['br;q=0.2, *;q=0.7', 'gzip'],
  ['identity, gzip;q=0.5', null],
  ['identity;q=0.5, gzip;q=0.5', 'gzip'],
  ['identity;q=0, gzip', 'gzip'],
  ['compress;q=0.5, gzip;q=1.0', 'gzip'],
  // Items that are no codings, and invalid weights, count as not sent.
  ['gzip;q=2', null],
  ['gzip;q=-1', null],
  ['gzip;q=0.1234', null],
  ['gzip;level=9', null],
  ['gzip;q=high, br', 'br'],
  ['g z i p', null],
  [',,;,gzip', 'gzip'],
  [`${'a,'.repeat(40)}gzip`, null],
])('takes %o as %s', (header, coding) => {
  expect(acceptedCoding(header).coding).toBe(coding)
})

it.each([
  ['gzip', false],
  ['gzip, *', false],
  ['gzip, *;q=0', true],
  ['gzip, identity;q=0', true],
  ['gzip, identity;q=0.1, *;q=0', false],
  // With no other coding accepted, the plain form is sent.
  ['identity;q=0', false],
  ['*;q=0', false],
])('sees in %o whether the plain form is refused', (header, isPlainRefused) => {
  expect(acceptedCoding(header).isPlainRefused).toBe(isPlainRefused)
})

it('reads endlessly varying headers as it reads known ones', () => {
  for (let i = 0; i < 1_000; i++) {
    expect(acceptedCoding(`br;q=0, gzip, x${i}`).coding).toBe('gzip')
    expect(acceptedCoding('gzip, br').coding).toBe('br')
  }
})
