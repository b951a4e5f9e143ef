/** Numbers that a person has typed. */

import { expect, it } from 'vitest'
import { ambiguityOf, numberFault, numberOf } from '../../api/web/client/data/typed-number.ts'

it.each([
  ['12', 12],
  [' 12.5 ', 12.5],
  ['12,5', 12.5],
  ['-2,5', -2.5],
  ['\u22122.5', -2.5],
  ['0,125', 0.125],
  ['0.125', 0.125],
  ['1.25', 1.25],
  ['1.255', 1.255],
  ['0.250', 0.25],
  ['1250,500', 1_250.5],
  ['1,250.50', 1_250.5],
  ['1,250,000', 1_250_000],
  ['1.250,50', 1_250.5],
  ['1.250.000,5', 1_250_000.5],
])('%s is %d', (text, number) => {
  expect(numberOf(text)).toBe(number)
  expect(ambiguityOf(text)).toBeNull()
})

it.each(['1,250', '10,000', '-1,500', ' 100,000 ', '1.250', '2.000'])(
  '%s could be two numbers',
  (text) => {
    expect(numberOf(text)).toBeNaN()
    expect(ambiguityOf(text)).toContain(' or ')
  },
)

it('says which two', () => {
  expect(ambiguityOf('1,250')).toBe('1,250 can be 1250 or 1.25. Write one of these.')
})

it.each(['', ' ', 'ten', '1,2,3', '1 250 ,'])('“%s” is no number', (text) => {
  expect(numberOf(text)).toBeNaN()
  expect(ambiguityOf(text)).toBeNull()
})

it.each([
  ['', null],
  ['0', null],
  ['2,5', null],
  ['100', null],
  ['-1', 'The least is 0.'],
  ['100,5', 'The most is 100.'],
  ['1,250', '1,250 can be 1250 or 1.25. Write one of these.'],
  ['ten', 'ten is no number.'],
  ['Infinity', 'Infinity is no number.'],
])('“%s” as a number from 0 to 100: %s', (text, fault) => {
  expect(numberFault(text, [0, 100])).toBe(fault)
})
