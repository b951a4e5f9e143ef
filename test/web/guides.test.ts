/** The guides as pages: what of Markdown becomes of them, and where their links lead. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Guide, llmsText, pageOf, readGuides } from '../../api/web/guides/render-guides.ts'
import { projectRoot } from '../../schemas/project-root.ts'

let folder: string
let guides: readonly Guide[]
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overround-guides-'))
  await writeFile(join(folder, 'README.md'), '# Guides\n\n[Z](z.md) [A](a.md)\n')
  await writeFile(
    join(folder, 'a.md'),
    [
      '# Start & go',
      'See [the *other*](z.md#what-it-is), or `code`. Then more.',
      '## What it is',
      '[source](../pipeline/run.ts) [out](https://example.com/?a=1&b=2) [here](#what-it-is)',
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
  await writeFile(join(folder, 'z.md'), '# Zed\n\nLast of all.\n')
  guides = await readGuides(folder, (image) => `/assets/${image}`)
})
afterAll(() => rm(folder, { recursive: true }))

const guide = (slug: string) => guides.find((one) => one.slug === slug)!

it('stand in the order of their list', () => {
  expect(guides.map(({ slug }) => slug)).toEqual(['', 'z', 'a'])
})

it('have a title, and a sentence that says what they are about', () => {
  expect(guide('a')).toMatchObject({ title: 'Start & go', summary: 'See the other, or code.' })
})

it('link to each other, and to nothing that is not served', () => {
  const { html } = guide('a')
  expect(html).toContain('<a href="/docs/z#what-it-is">the <em>other</em></a>')
  expect(html).toContain(
    'source <a href="https://example.com/?a=1&amp;b=2" rel="noreferrer">out</a>',
  )
  expect(html).toContain('<a href="#what-it-is">here</a>')
  expect(html).toContain('<img src="/assets/images/x.png" alt="a picture" loading="lazy">')
})

it('have anchors of their headings, each once', () => {
  const ids = [...guide('a').html.matchAll(/<h\d id="([^"]*)"/g)].map(([, id]) => id)
  expect(ids).toEqual(['start--go', 'what-it-is', 'what-it-is-1'])
})

it('show code and tables as they are', () => {
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

it('of the project lead to headings that are there', async () => {
  const own = await readGuides(join(projectRoot, 'docs'), (image) => image)
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
