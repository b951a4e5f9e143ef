import { expect, it } from 'vitest'
import { compileCopy, compileExtension } from '../../../pipeline/memory/compiled-members.ts'

it('reads a field of the first that has a value', () => {
  const copy = compileCopy<{ a?: number | null }, { a?: number; b?: boolean }, object>([
    ['either', { first: 'a', second: 'a' }],
    ['b', { second: 'b' }],
    ['nowhere', {}],
  ])
  expect(copy({ a: 1 }, { a: 2, b: false })).toEqual({ either: 1, b: false, nowhere: null })
  expect(copy({ a: null }, { a: 2 })).toEqual({ either: 2, b: null, nowhere: null })
  expect(copy({}, {})).toEqual({ either: null, b: null, nowhere: null })
})

it('has all of the first, then the named fields of the second, each object with its own place', () => {
  const extend = compileExtension<{ x: number }, { y_y: string }, { y: string }>([['y', 'y_y']])
  const made = [extend({ x: 1 }, { y_y: 'a' }), extend({ x: 2 }, { y_y: 'b' })]
  expect(made).toEqual([
    { x: 1, y: 'a' },
    { x: 2, y: 'b' },
  ])
  expect(Object.keys(made[0] as object)).toEqual(['x', 'y'])
})

it('compiles plain words only', () => {
  expect(() => compileCopy([['a; process.exit()', {}]])).toThrow('plain words')
  expect(() => compileCopy([['a', { first: 'b]' }]])).toThrow('plain words')
})
