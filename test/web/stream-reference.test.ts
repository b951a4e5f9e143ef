/** The page of the streams has every part of their document, and links between the parts. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAsyncApi } from '../../api/describe/asyncapi.ts'
import { type Guide, readGuides } from '../../api/web/guides/render-guides.ts'
import { type StreamDocument, streamReference } from '../../api/web/guides/stream-reference.ts'

const document = createAsyncApi('1.0.0') as StreamDocument
const { channels, components, operations } = document

let folder: string
let page: Guide
let sections: ReadonlyMap<string, string>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overround-reference-'))
  const list = '# Guides\n\n[Reference](http://127.0.0.1:3000/docs/stream-api)\n'
  await writeFile(join(folder, 'README.md'), list)
  const made = { 'stream-api': streamReference(document) }
  const guides = await readGuides({ folder, made }, (image) => image)
  expect(guides.map(({ slug }) => slug)).toEqual(['', 'stream-api'])
  expect(guides[0]!.html).toContain('<a href="/docs/stream-api">Reference</a>')
  page = guides[1]!
  sections = new Map(
    page.html
      .split(/(?=<h[23] id=)/)
      .slice(1)
      .map((section) => [/^<h\d id="[^"]*">(.*?)<\/h\d>/.exec(section)![1]!, section]),
  )
})
afterAll(() => rm(folder, { recursive: true }))

const section = (heading: string) => {
  expect([...sections.keys()]).toContain(heading)
  return sections.get(heading)!
}
const kindOf = (key: string) => /(Event|Frame|Request)$/.exec(key)![1]!.toLowerCase()

it('has every channel, with a link to each of its messages', () => {
  expect(Object.keys(channels).length).toBeGreaterThan(5)
  for (const { address, messages } of Object.values(channels)) {
    const linked = [...section(address).matchAll(/href="#([^"]*)"/g)].map(([, id]) => id)
    expect(linked.length, address).toBe(Object.keys(messages).length)
  }
})

it('has every message with its fields and every example', () => {
  expect(Object.keys(components.messages).length).toBeGreaterThan(50)
  for (const [key, { name, summary, payload, examples }] of Object.entries(components.messages)) {
    const text = section(`<code>${name}</code> ${kindOf(key)}`)
    expect(text).toContain(summary.split(/[`<&]/)[0])
    const schema = components.schemas[payload.$ref!.split('/').at(-1)!]!
    const fields = (schema.anyOf ?? [schema]).flatMap(({ properties = {} }) =>
      Object.keys(properties),
    )
    for (const field of fields) expect(text, key).toContain(`<code>${field}</code>`)
    expect(text.match(/<pre/g)?.length ?? 0, key).toBe(examples.length)
  }
})

it('has every parameter of every channel', () => {
  const queries = [
    ...Object.values(operations).map(({ bindings }) => bindings?.http?.query),
    ...Object.values(channels).map(({ bindings }) => bindings?.ws?.query),
  ]
  const tables = section('Parameters of event streams') + section('Parameters of the WebSocket')
  for (const query of queries) {
    for (const name of Object.keys(query?.properties ?? {})) {
      expect(tables).toContain(`<code>${name}</code>`)
    }
  }
  expect(section('Parameters of event streams')).toMatch(
    /<code>type<\/code>.*Of <code>\/api\/v1\/stream<\/code> alone\./,
  )
})

it('links only to parts that exist on it', () => {
  const ids = [...page.html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const links = [...page.html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href!)
  expect(links.length).toBeGreaterThan(100)
  expect(links.filter((href) => !ids.includes(href.slice(1)) || !href.startsWith('#'))).toEqual([])
})
