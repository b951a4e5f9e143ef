import { describe, expect, it } from 'vitest'
import { writeErrors } from '../../api/errors.ts'
import { accountActions, adminActions } from '../../api/route.ts'

const ids = { noteId: 'The id of the note.' }
const notes = accountActions('/api/v1/account/notes', ids)
const route = {
  summary: 'A note.',
  answer: { description: 'The note.' },
  handle: () => ({ body: {} }),
}

describe('an action below a path', () => {
  it.each([
    ['get', '', []],
    ['get', '/:noteId', ['not_found']],
    ['post', '', writeErrors],
    ['patch', '/:noteId', ['not_found', ...writeErrors]],
    ['delete', '/:noteId', ['not_found', ...writeErrors]],
  ] as const)('has the errors of its method and path: %s "%s"', (method, below, errors) => {
    const declared = notes(method, below, route)
    expect(declared).toMatchObject({ method, path: `/api/v1/account/notes${below}`, query: {} })
    expect(declared.errors).toEqual(errors)
    const refused = notes(method, below, { ...route, errors: ['forbidden'] })
    expect(refused.errors).toEqual([...errors, 'forbidden'])
  })

  it('is of a key, or of the admin token', () => {
    expect(notes('get', '', route)).toMatchObject({ access: 'key', tag: 'Account' })
    const admin = adminActions('/api/v1/admin/notes')('get', '', route)
    expect(admin).toMatchObject({ access: 'admin', tag: 'Admin' })
  })

  it('describes the ids of its path, where it does not describe them itself', () => {
    expect(notes('get', '/:noteId', route).pathParameters).toEqual(ids)
    const pathParameters = { noteId: 'Another.' }
    expect(notes('get', '/:noteId', { ...route, pathParameters })).toMatchObject({ pathParameters })
  })

  it('answers with the status that it is described with', async () => {
    const added = notes('post', '', { ...route, answer: { ...route.answer, status: 201 } })
    expect(await added.handle({} as never)).toEqual({ status: 201, body: {} })
    expect(await notes('get', '', route).handle({} as never)).toEqual({ body: {} })
  })
})
