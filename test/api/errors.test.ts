import { expect, it } from 'vitest'
import {
  ApiError,
  type ErrorCode,
  errorBody,
  errorCodes,
  errorHeaders,
  retryAfter,
  toApiError,
} from '../../api/errors.ts'
import { failureOf } from '../../api/server/answer.ts'
import { LogSetupError, LogUnavailableError } from '../../pipeline/log/log.ts'
import { createLogger } from '../../pipeline/process/logger.ts'

const logger = createLogger({ logLevel: 'silent' }, 'test')

it.each(Object.entries(errorCodes))(
  '%s says when to try again if that may help',
  (code, { status }) => {
    const error = new ApiError(code as ErrorCode, 'no')
    const mayHelp = status === 429 || status >= 500
    expect(errorBody(error)).toEqual({
      error: { code, message: 'no', ...(mayHelp && { retryAfter: 1, retry_after: 1 }) },
      code,
      ...(mayHelp && { retry_after: 1 }),
    })
    expect(errorHeaders(error)).toEqual(mayHelp ? { 'Retry-After': '1' } : undefined)
  },
)

it('an error that knows its time says that one', () => {
  const error = new ApiError('storage_full', 'no', retryAfter(10))
  expect(errorBody(error)).toMatchObject({
    error: { retryAfter: 10, retry_after: 10 },
    retry_after: 10,
  })
  expect(errorHeaders(error)).toEqual({ 'Retry-After': '10' })
})

it('a write that the log did not confirm may be written later, so that repeating it may double it', () => {
  const error = toApiError(new LogUnavailableError('append: it may be written later'))!
  expect(error).toMatchObject({ code: 'service_unavailable', details: { retry_after: 1 } })
  expect(error.message).toBe(
    'The log does not respond: this write is not confirmed, and may still be written. Try again; if it creates something, list what is there first.',
  )
})

it('a write that only the operator can make possible says so, and not what he lacks', () => {
  const error = toApiError(new LogSetupError('append to bets: User:odds lacks the right Write'))!
  expect(error).toMatchObject({ code: 'service_unavailable', details: { retry_after: 60 } })
  expect(error.message).toMatch(/^The log refuses this write until the operator of the service/)
})

it('an unexpected error says it in all three places, and in the header', () => {
  expect(failureOf(new TypeError('x'), 'r-1', logger)).toEqual({
    status: 500,
    headers: { 'Retry-After': '1' },
    body: {
      error: {
        code: 'internal_error',
        message: 'Unexpected error; request r-1.',
        retryAfter: 1,
        retry_after: 1,
      },
      code: 'internal_error',
      retry_after: 1,
    },
  })
})
