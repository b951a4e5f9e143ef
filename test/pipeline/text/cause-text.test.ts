import { expect, test } from 'vitest'
import { causeText } from '../../../pipeline/text/cause-text.ts'

const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9'), {
  code: 'ECONNREFUSED',
})

test.each([
  ['its own message', new Error('a b'), 'a b'],
  ['the innermost', new Error('a', { cause: new Error('b', { cause: refused }) }), refused.message],
  ['that of the first address', new AggregateError([refused, new Error('c')]), refused.message],
  ['a code in place of no message', Object.assign(new Error(''), { code: 'EPIPE' }), 'EPIPE'],
  ['one line', new Error(' a\n  b\n'), 'a b'],
  ['no password', new Error('at http://me:secret@h/a'), 'at http://…@h/a'],
  ['what is no error', 'a text', 'a text'],
  ['a short one', new Error('x'.repeat(5_000)), 'x'.repeat(200)],
])('the text of a cause is %s', (_, error, text) => {
  expect(causeText(error)).toBe(text)
})
