/** The guides as pages: their Markdown as HTML, and their links. */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  type Guide,
  llmsText,
  ownGuides,
  pageOf,
  readGuides,
} from '../../api/web/guides/render-guides.ts'
import { placeLinks } from '../../api/web/navigation.ts'
import { places } from '../../api/web/places.ts'

let base: string
let guides: readonly Guide[]
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'overround-guides-'))
  const folder = join(base, 'docs')
  await Promise.all([mkdir(folder), mkdir(join(base, 'client'))])
  await writeFile(
    join(folder, 'README.md'),
    '# Guides\n\n[Z](z.md) [A](a.md) [Client](../client/README.md)\n',
  )
  await writeFile(
    join(folder, 'a.md'),
    [
      '# Start & go',
      'See [the *other*](z.md#what-it-is), or `code`. Then more.',
      '## What it is',
      '[source](../pipeline/run/run.ts) [out](https://example.com/?a=1&b=2) [here](#what-it-is)',
      '![a picture](images/x.png)',
      '',
      '| | b |',
      '|---|---|',
      '| `x < y` | 2 |',
      '',
      '```sh streams',
      "curl '<x>'",
      '```',
      '## What it is',
    ].join('\n'),
  )
  await writeFile(
    join(folder, 'z.md'),
    '# Zed\n\nLast of all. [client](../client/README.md#a-bot) [page](http://127.0.0.1:3000/docs/api)\n',
  )
  await writeFile(
    join(base, 'client', 'README.md'),
    '# Client\n\nOf [all](../docs/README.md), as [Zed](../docs/z.md#zed). [licence](../LICENSE.md)\n## A bot\n',
  )
  const elsewhere = { client: '../client/README.md' }
  guides = await readGuides({ folder, elsewhere }, (image) => `/assets/${image}`)
})
afterAll(() => rm(base, { recursive: true }))

const guide = (slug: string) => guides.find((one) => one.slug === slug)!

it('stand in the order of their list', () => {
  expect(guides.map(({ slug }) => slug)).toEqual(['', 'z', 'a', 'client'])
})

it('have a title, and a sentence on their subject', () => {
  expect(guide('a')).toMatchObject({ title: 'Start & go', summary: 'See the other, or code.' })
})

it('link to each other, and only to served pages', () => {
  const { html } = guide('a')
  expect(html).toContain('<a href="/docs/z#what-it-is">the <em>other</em></a>')
  expect(html).toContain(
    'source <a href="https://example.com/?a=1&amp;b=2" rel="noreferrer">out</a>',
  )
  expect(html).toContain('<a href="#what-it-is">here</a>')
  expect(html).toContain('<img src="/assets/images/x.png" alt="a picture" loading="lazy">')
})

it('that lie elsewhere are guides like the others, and links lead there and back', () => {
  expect(guide('z').html).toContain('<a href="/docs/client#a-bot">client</a>')
  expect(guide('client').html).toContain(
    'Of <a href="/docs">all</a>, as <a href="/docs/z#zed">Zed</a>. licence',
  )
})

it('as Markdown lead to the Markdown of others, wherever the service is', () => {
  expect(guide('z').markdown).toContain('[client](/docs/client.md#a-bot) [page](/docs/api)')
  expect(guide('client').markdown).toContain('Of [all](/docs.md), as [Zed](/docs/z.md#zed).')
  expect(guide('client').markdown).toContain('[licence](../LICENSE.md)')
})

it('have anchors of their headings, each once', () => {
  const ids = [...guide('a').html.matchAll(/<h\d id="([^"]*)"/g)].map(([, id]) => id)
  expect(ids).toEqual(['start--go', 'what-it-is', 'what-it-is-1'])
})

it('show code and tables unchanged', () => {
  const { html } = guide('a')
  expect(html).toContain('<code>x &lt; y</code>')
  expect(html).toContain('<pre tabindex="0"><code>curl \'&lt;x&gt;\'</code></pre>')
})

it('are pages with the list of all, and a text for programs', () => {
  const page = pageOf(guide('a'), guides, '<title>{{title}}</title>{{list}}{{body}}')
  expect(page).toContain('<title>Start &amp; go</title>')
  expect(page).toContain('<a href="/docs/a" aria-current="page">Start &amp; go</a>')
  expect(page).toContain('<a href="/docs/z">Zed</a>')
  expect(llmsText(guides)).toContain('- [Zed](/docs/z.md): Last of all.')
})

it('of the project lead to existing headings', async () => {
  const own = await readGuides(ownGuides, (image) => image)
  expect(own.map(({ slug }) => slug)).toEqual(expect.arrayContaining(['typescript', 'python']))
  const ids = new Map(
    own.map(({ slug, html }) => [
      `/docs${slug === '' ? '' : `/${slug}`}`,
      new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => `#${id}`)),
    ]),
  )
  const broken = own.flatMap(({ slug, html }) =>
    [...html.matchAll(/href="(\/docs[^"#]*)?(#[^"]+)"/g)].flatMap(([, page, hash]) =>
      ids.get(page ?? `/docs${slug === '' ? '' : `/${slug}`}`)?.has(hash!)
        ? []
        : [`${slug}: ${page ?? ''}${hash}`],
    ),
  )
  expect(broken).toEqual([])
})

it('have the same sections as every page, with their own current', () => {
  const links = placeLinks('/docs/start')
  const names = [...links.matchAll(/<a href="([^"]*)"[^>]*>([^<]*)</g)].map(([, to, name]) => [
    to,
    name,
  ])
  expect(names).toEqual(places)
  expect([...links.matchAll(/href="([^"]*)" aria-current="page"/g)].map(([, to]) => to)).toEqual([
    '/docs',
  ])
})
