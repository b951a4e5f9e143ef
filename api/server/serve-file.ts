/** Answers with a file as it stands, in the coding that its client takes. */

import { type Accepted, plain } from '../answer/codings.ts'
import { codedTag } from '../answer/reads.ts'
import type { StaticFile } from '../web/static-file.ts'
import { headersOfOne, send } from './answer.ts'
import type { Handler, Request } from './listener.ts'

/** @param acceptedBy which coding a request takes */
export const serveFile =
  (file: StaticFile, acceptedBy: (request: Request) => Accepted): Handler =>
  (response, request) => {
    const headers = headersOfOne('')
    const accepted = file.coded.br ? acceptedBy(request) : plain
    const { coding } = accepted
    const etag = coding ? codedTag(file.etag, coding) : file.etag
    const own = { ...file.headers, ETag: etag }
    if (
      request
        .getHeader('if-none-match')
        .split(/\s*,\s*/)
        .includes(etag)
    ) {
      send(response, { status: 304, headers: own }, headers)
      return
    }
    if (coding) headers.coding = coding
    const body = (coding && file.coded[coding]) || file.bytes
    send(response, { headers: own, body }, headers)
  }
