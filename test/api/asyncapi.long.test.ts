import asyncApi from '@asyncapi/specs'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { beforeAll, describe, expect, it } from 'vitest'
import { createAsyncApi } from '../../api/describe/asyncapi.ts'
import { getAsyncApi } from '../../api/routes/asyncapi.ts'
import { ownVersion } from '../../api/version.ts'
import type { QueryShape } from '../../schemas/http/query.ts'
import { closeCodes, sseChannelNames, streamErrorCodes } from '../../schemas/stream/channels.ts'
import { clientFrames, decodeClientFrame } from '../../schemas/stream/client-frames.ts'
import { channelEvents, streamEvents } from '../../schemas/stream/events.ts'
import { sseQuery, websocketQuery } from '../../schemas/stream/parameters.ts'
import { serverFrames } from '../../schemas/stream/server-frames.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document is walked by paths that only it knows
type Json = any

let text: string
let document: Json

beforeAll(() => {
  text = JSON.stringify(createAsyncApi(ownVersion))
  document = JSON.parse(text)
})

const resolve = (ref: string): Json =>
  ref
    .slice(2)
    .split('/')
    .reduce((node: Json, part) => node?.[part.replaceAll('~1', '/')], document)

describe('the document of the streams', () => {
  it('is valid AsyncAPI 3.0', () => {
    const ajv = new Ajv({ strict: false, allErrors: true })
    addFormats.default(ajv)
    const validate = ajv.compile(asyncApi.schemasWithoutId['3.0.0'] as object)
    validate(document)
    expect(validate.errors ?? []).toEqual([])
    expect(validate({ ...document, operations: { x: { action: 'subscribe' } } })).toBe(false)
  })

  it('is served to everybody', async () => {
    if (getAsyncApi.access !== 'public') throw new Error('it is open to everybody')
    const answer = await getAsyncApi.handle({
      query: {},
      path: {},
      body: undefined,
      contentType: '',
      headers: {},
    })
    expect(Buffer.from(answer.body as Uint8Array).toString()).toBe(text)
    expect(answer.headers).toMatchObject({ 'Content-Type': 'application/json; charset=utf-8' })
  })

  it('has no broken references, and no schema without a reference', () => {
    const refs = new Set([...text.matchAll(/"\$ref":"([^"]*)"/g)].map(([, ref]) => ref!))
    for (const ref of refs) expect(resolve(ref), ref).toBeDefined()
    for (const [kind, parts] of Object.entries<Json>(document.components)) {
      for (const name of Object.keys(parts)) expect(refs).toContain(`#/components/${kind}/${name}`)
    }
    expect(text).not.toContain('"$schema"')
    expect(text).not.toContain('"$id"')
    expect(text.length).toBeLessThan(250_000)
  })

  it('has every event and frame, each on its channels', () => {
    const namesOn = (channel: string, suffix: RegExp) =>
      Object.entries<Json>(document.channels[channel].messages)
        .filter(([key]) => suffix.test(key))
        .map(([, { $ref }]) => resolve($ref).name)
    for (const channel of sseChannelNames) {
      const id = `stream${channel[0]!.toUpperCase()}${channel.slice(1)}`
      expect(document.channels[id].address).toBe(`/api/v1/stream/${channel}`)
      expect(namesOn(id, /Event$/)).toEqual(channelEvents[channel])
    }
    expect(namesOn('streamEvent', /Event$/)).toEqual(channelEvents.odds)
    expect(namesOn('stream', /Event$/)).toEqual([...Object.keys(streamEvents), 'unnamed'])
    expect(namesOn('websocket', /Frame$/)).toEqual(Object.keys(serverFrames))
    expect(namesOn('websocket', /Request$/)).toEqual(Object.keys(clientFrames))
  })

  it('names the sender of every message, and the response to every request', () => {
    const { operations, channels } = document
    for (const { channel, messages, reply } of Object.values<Json>(operations)) {
      for (const { $ref } of [...messages, ...(reply?.messages ?? [])]) {
        expect($ref.startsWith(`${channel.$ref}/messages/`)).toBe(true)
      }
    }
    const sending = Object.values<Json>(operations).filter(({ action }) => action === 'send')
    const sent = sending.flatMap(({ messages }) => messages.map(({ $ref }: Json) => $ref))
    for (const [id, { messages }] of Object.entries<Json>(channels)) {
      for (const key of Object.keys(messages)) {
        const isSent = sent.includes(`#/channels/${id}/messages/${key}`)
        expect(isSent, key).toBe(!key.endsWith('Request'))
      }
    }
    for (const [type, { reply }] of Object.entries(clientFrames)) {
      const receiving = Object.values<Json>(operations).find(
        ({ action, messages }) => action === 'receive' && resolveTwice(messages[0]).name === type,
      )
      const answers = receiving.reply.messages.map((message: Json) => resolveTwice(message).name)
      expect(answers).toEqual([reply, 'error'])
    }
  })

  it('has every parameter, except those that the path fixes', () => {
    const parametersOf = (operation: string) =>
      document.operations[operation].bindings.http.query.properties
    const without = (...names: string[]) =>
      Object.keys(sseQuery).filter((name) => !names.includes(name))
    expect(Object.keys(parametersOf('sendStream'))).toEqual(without())
    for (const channel of ['Odds', 'Opportunities', 'Gamestate', 'All']) {
      const ofChannel = Object.keys(parametersOf(`sendStream${channel}`))
      expect(ofChannel).toEqual(without('channel', 'type', 'only'))
    }
    const ofEvent = Object.keys(parametersOf('sendStreamEvent'))
    expect(ofEvent).toEqual(without('channel', 'type', 'only', 'event'))
    expect(Object.keys(document.channels.streamEvent.parameters)).toEqual(['eventId'])
    const { ws } = document.channels.websocket.bindings
    expect(Object.keys(ws.query.properties)).toEqual(Object.keys(websocketQuery))
    const described: readonly (readonly [QueryShape, Json])[] = [
      [sseQuery, parametersOf('sendStream')],
      [websocketQuery, ws.query.properties],
    ]
    for (const [shape, properties] of described) {
      for (const [name, parameter] of Object.entries(shape)) {
        const { examples: _, ...meta } = parameter.meta() ?? {}
        expect(properties[name]).toMatchObject(meta)
      }
    }
  })

  it('describes authentication in three ways', () => {
    for (const { security } of Object.values<Json>(document.servers)) {
      expect(security.map(({ $ref }: Json) => resolve($ref))).toMatchObject([
        { type: 'httpApiKey', in: 'header', name: 'X-API-Key' },
        { type: 'http', scheme: 'bearer' },
        { type: 'httpApiKey', in: 'query', name: 'api_key' },
      ])
    }
  })

  it('has every error code and close code', () => {
    const { description } = document.info
    for (const [code, { means, closesWith }] of Object.entries(streamErrorCodes)) {
      expect(description).toContain(`| \`${code}\` | ${means} | ${closesWith ?? 'stays open'} |`)
    }
    for (const [code, { means }] of Object.entries(closeCodes)) {
      expect(description).toMatch(new RegExp(`^\\| ${code} \\| \\w+ \\| ${means} `, 'm'))
    }
    const codes = resolve('#/components/schemas/ErrorFrame').properties.code.enum
    expect(codes).toEqual(Object.keys(streamErrorCodes))
  })
})

describe('the examples of messages', () => {
  /** Validates a value against a schema of the document in which objects allow no unnamed properties. */
  let validate: (schema: object, value: unknown) => readonly unknown[]

  beforeAll(() => {
    const closed = structuredClone(document)
    close(closed)
    const ajv = new Ajv({ strict: false, allErrors: true })
    addFormats.default(ajv)
    ajv.addSchema(closed, 'document')
    validate = (schema, value) => {
      const inDocument = JSON.stringify(schema).replaceAll('"#/', '"document#/')
      const check = ajv.compile(JSON.parse(inDocument))
      return check(value) ? [] : (check.errors ?? [])
    }
  })

  it('are of the schemas they illustrate', () => {
    const messages = Object.entries<Json>(document.components.messages)
    let count = 0
    for (const [key, { payload, headers, examples }] of messages) {
      for (const example of examples) {
        expect(validate(payload, example.payload), key).toEqual([])
        if (headers) expect(validate(headers, example.headers), key).toEqual([])
        count++
      }
    }
    expect(count).toBeGreaterThan(messages.length)
    expect(validate(resolve('#/components/messages/pongFrame').payload, { seq: 1 })).not.toEqual([])
  })

  it('are understood, where a client sends them', () => {
    for (const type of Object.keys(clientFrames)) {
      const messages = Object.values<Json>(document.components.messages)
      const sent = messages.filter(({ name, headers }) => name === type && !headers)
      expect(sent).toHaveLength(1)
      for (const { payload } of sent[0].examples) {
        expect(decodeClientFrame(JSON.stringify(payload)).ok).toBe(true)
      }
    }
  })

  it('of parameters are of theirs', () => {
    const shapes = Object.values<Json>(document.operations).flatMap(({ bindings }) =>
      bindings ? [bindings.http.query] : [],
    )
    shapes.push(document.channels.websocket.bindings.ws.query)
    let count = 0
    for (const { properties } of shapes) {
      for (const [name, schema] of Object.entries<Json>(properties)) {
        for (const example of schema.examples ?? []) {
          expect(validate(schema, example), name).toEqual([])
          count++
        }
      }
    }
    expect(count).toBeGreaterThan(40)
  })
})

/** Resolves a channel's reference to a message. */
const resolveTwice = ({ $ref }: Json): Json => resolve(resolve($ref).$ref)

function close(node: Json) {
  if (typeof node !== 'object' || node === null) return
  if (node.type === 'object' && node.properties && !('additionalProperties' in node)) {
    node.additionalProperties = false
  }
  for (const child of Object.values(node)) close(child)
}
