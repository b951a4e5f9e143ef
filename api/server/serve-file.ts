/** Serves a static file, compressed if the client accepts it. */

import { type Accepted, plain } from '../answer/codings.ts'
import { codedTag } from '../answer/reads.ts'
import type { StaticFile } from '../web/static-file.ts'
import { headersOfOne, send } from './answer.ts'
import type { Handler, Request } from './listener.ts'

/** @param acceptedBy returns the codings that a request accepts */
export const serveFile =
  (file: StaticFile, acceptedBy: (request: Request) => Accepted): Handler =>
  (response, request) => {
    const headers = headersOfOne('')
    const accepted = file.coded.br ? acceptedBy(request) : plain
    const { coding } = accepted
    const etag = coding ? codedTag(file.etag, coding) : file.etag
    const own = { ...file.headers, ETag: etag }
    const { status = 200 } = file
    if (status === 200 && names(request.getHeader('if-none-match'), etag)) {
      send(response, { status: 304, headers: own }, headers)
      return
    }
    if (coding) headers.coding = coding
    const body = (coding && file.coded[coding]) || file.bytes
    send(response, { status, headers: own, body, isLasting: true }, headers)
  }

/**
 * Returns whether `If-None-Match` names the tag. A proxy that recodes a file makes its tag weak; that counts as
 * equal.
 */
const names = (ifNoneMatch: string, etag: string) =>
  ifNoneMatch.split(',').some((part) => {
    const named = part.trim().replace(/^W\//, '')
    return named === '*' || named === etag
  })
