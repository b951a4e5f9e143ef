import { expect, it } from 'vitest'
import {
  count,
  either,
  figure,
  flag,
  listOf,
  oneOf,
  optional,
  orNull,
  readDataFile,
  recordOf,
  row,
  type Shape,
  spellings,
  text,
  textLike,
  texts,
  whole,
} from '../../schemas/data-file.ts'

const side = row({ name: text, founded: optional(whole), aliases: texts })
const cases: readonly [fault: string, shape: Shape<unknown>, right: unknown, wrong: unknown][] = [
  ['no text', text, 'a b', ' a'],
  ['no text', text, 'a', ''],
  ['not like', textLike('[A-Z]{2}|x'), 'GB', 'GBR'],
  ['one of them twice', texts, ['a', 'b'], ['a', 'a']],
  ['no list of texts', texts, [], ['a', 1]],
  ['a single spelling', spellings, ['a', 'b'], ['a']],
  ['neither true nor false', flag, false, 0],
  ['no number', figure, 0.5, '0.5'],
  ['no number', figure, -1, Number.NaN],
  ['no whole number', whole, 0, 0.5],
  ['from 1', count, 1, 0],
  ['none of a, b', oneOf(['a', 'b']), 'b', 'c'],
  ['no text', orNull(text), null, undefined],
  ['from 1', either(text, count), 1, 0],
  ['1: no text', listOf(text), ['a'], ['a', null]],
  ['no list', listOf(text), [], {}],
  ['b: from: no whole', recordOf(row({ from: count })), { a: { from: 1 } }, { b: { from: 0 } }],
  ['ab: not like', recordOf(text, textLike('[a-z]')), { a: 'b' }, { ab: 'b' }],
  ['name: no text', side, { name: 'a', aliases: [] }, { aliases: [] }],
  [
    'founded: no whole',
    side,
    { name: 'a', founded: 1, aliases: [] },
    { name: 'a', founded: null, aliases: [] },
  ],
  ['city: not a member', side, { name: 'a', aliases: [] }, { name: 'a', aliases: [], city: 'b' }],
  ['no object', side, { name: 'a', aliases: ['b'] }, ['a']],
]

it.each(cases)('a file is refused by its name if it contains %j', (fault, shape, right, wrong) => {
  expect(readDataFile('some/file.json', shape, right)).toBe(right)
  const read = () => readDataFile('some/file.json', shape, wrong)
  expect(read).toThrow(/^some\/file\.json is not of its shape: /)
  expect(read).toThrow(fault)
})
