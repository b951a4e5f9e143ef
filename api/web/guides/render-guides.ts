/**
 * The guides of `docs/` as pages: each Markdown file one page, with the list of all beside it; the Markdown
 * itself, for readers that are programs; and `llms.txt`, which tells those where everything is.
 */

import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { Marked, type Tokens } from 'marked'
import { projectRoot } from '../../../schemas/project-root.ts'
import { escaped } from '../escaped.ts'
import { ownAddress } from '../places.ts'

export interface Guide {
  /** Below `/docs`; empty for the list of guides. */
  readonly slug: string
  readonly title: string
  /** What it is about, in a sentence. */
  readonly summary: string
  /** With links to other guides by their addresses. */
  readonly markdown: string
  /** The body of its page. */
  readonly html: string
}

/** Where an image of the guides is served. */
export type AddressOf = (image: string) => string

export interface GuideSources {
  /** Every Markdown file of it is a guide; `README.md` is their list. */
  readonly folder: string
  /** Guides that lie elsewhere, by slug: their paths from the folder, by which the list names them. */
  readonly elsewhere?: Readonly<Record<string, string>>
  /** Markdown that is no file, by slug; the list names it by its address. */
  readonly made?: Readonly<Record<string, string>>
}

export const ownGuides: GuideSources = {
  folder: join(projectRoot, 'docs'),
  elsewhere: {
    typescript: '../api/clients/typescript/README.md',
    python: '../api/clients/python/README.md',
  },
}

/** In the order of the list of guides, which names all of them. */
export async function readGuides(
  { folder, elsewhere = {}, made = {} }: GuideSources,
  addressOf: AddressOf,
): Promise<readonly Guide[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md'))
  const paths = { ...Object.fromEntries(names.map((name) => [slugOf(name), name])), ...elsewhere }
  const read = Object.entries(paths).map(async ([slug, path]) => {
    return [slug, await readFile(join(folder, path), 'utf8')] as const
  })
  const texts = new Map([...(await Promise.all(read)), ...Object.entries(made)])
  const list = texts.get('')!
  const place = (slug: string) => {
    if (slug === '') return -1
    return list.indexOf(slug in made ? `](${ownAddress}/docs/${slug})` : `](${paths[slug]})`)
  }
  const slugs = new Map(Object.entries(paths).map(([slug, path]) => [resolve(folder, path), slug]))
  return [...texts]
    .sort(([a], [b]) => place(a) - place(b))
    .map(([slug, markdown]) => {
      const own = dirname(resolve(folder, paths[slug] ?? slug))
      const slugAt: SlugAt = (path) => slugs.get(resolve(own, path))
      const renderer = createRenderer(slugAt, addressOf)
      const tokens = renderer.lexer(markdown)
      const heading = tokens.find(({ type }) => type === 'heading') as Tokens.Heading
      const first = tokens.find(({ type }) => type === 'paragraph') as Tokens.Paragraph | undefined
      return {
        slug,
        title: heading.text,
        summary: sentenceOf(first?.text ?? ''),
        markdown: withAddresses(markdown, slugAt),
        html: renderer.parser(tokens),
      }
    })
}

const listOfGuides = 'README.md'
const slugOf = (file: string) => (file === listOfGuides ? '' : basename(file, '.md'))

const pathOf = (slug: string) => (slug === '' ? '/docs' : `/docs/${slug}`)

/** The guide that a file is; undefined for one that is not served. @param path from the guide that names it */
type SlugAt = (path: string) => string | undefined

/** A guide is not read where its file lies: a link to another leads to that one's Markdown. */
const withAddresses = (markdown: string, slugAt: SlugAt) =>
  markdown
    .replaceAll(`](${ownAddress}/`, '](/')
    .replace(/\]\(([^()\s#:]+\.md)(#[^()\s]*)?\)/g, (whole, file: string, hash = '') => {
      const slug = slugAt(file)
      return slug === undefined ? whole : `](${pathOf(slug)}.md${hash})`
    })

/** The first sentence, without the marks of Markdown. */
const sentenceOf = (text: string) =>
  (/^.*?[.:](?=\s|$)/s.exec(text)?.[0] ?? text)
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/:$/, '.')

function createRenderer(slugAt: SlugAt, addressOf: AddressOf): Marked {
  const used = new Map<string, number>()
  return new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const id = anchorOf(text)
        const count = used.get(id) ?? 0
        used.set(id, count + 1)
        const own = count === 0 ? id : `${id}-${count}`
        return `<h${depth} id="${own}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens)
        if (href.startsWith(`${ownAddress}/`)) {
          return `<a href="${escaped(href.slice(ownAddress.length))}">${text}</a>`
        }
        if (/^https?:/.test(href)) return `<a href="${escaped(href)}" rel="noreferrer">${text}</a>`
        const [, file, hash = ''] = /^([^#]*)(#.*)?$/.exec(href)!
        if (file === '') return `<a href="${escaped(hash)}">${text}</a>`
        const slug = slugAt(file!)
        // What is not a guide is a file of the source, which is not served.
        return slug === undefined ? text : `<a href="${pathOf(slug)}${escaped(hash)}">${text}</a>`
      },
      image: ({ href, text }) =>
        `<img src="${escaped(addressOf(href))}" alt="${escaped(text)}" loading="lazy">`,
      table(token) {
        const cells = (row: Tokens.TableCell[], name: string) =>
          `<tr>${row.map(({ tokens }) => `<${name}>${this.parser.parseInline(tokens)}</${name}>`).join('')}</tr>`
        const head = token.header.some(({ text }) => text !== '') ? cells(token.header, 'th') : ''
        const body = token.rows.map((row) => cells(row, 'td')).join('')
        // A region that scrolls has to be reached by the keyboard.
        return `<div class="table" tabindex="0"><table><thead>${head}</thead><tbody>${body}</tbody></table></div>\n`
      },
      code: ({ text }) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`,
    },
  })
}

/** As hosts of Markdown make them, which the links of the guides count on. */
export const anchorOf = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

/** The page of a guide. @param template has places for `{{title}}`, `{{list}}` and `{{body}}` */
export function pageOf(guide: Guide, guides: readonly Guide[], template: string): string {
  const listed = guides.filter(({ slug }) => slug !== '')
  const list = [...listed, { slug: 'api', title: 'API reference' }]
    .map(({ slug, title }) => {
      const current = slug === guide.slug ? ' aria-current="page"' : ''
      return `<li><a href="/docs/${slug}"${current}>${escaped(title)}</a></li>`
    })
    .join('')
  return template
    .replace('{{title}}', () => escaped(guide.title))
    .replace('{{list}}', () => list)
    .replace('{{body}}', () => guide.html)
}

/** https://llmstxt.org: what is here, with addresses of texts that a program reads. */
export function llmsText(guides: readonly Guide[]): string {
  const links = guides
    .filter(({ slug }) => slug !== '')
    .map(({ slug, title, summary }) => `- [${title}](/docs/${slug}.md): ${summary}`)
  return `# overround

> A self-hosted sports odds data service: prices of many sportsbooks, one board per game, with +EV, arbitrage,
> middles, low hold, history and closing lines, over REST, SSE, WebSocket and MCP.

A key goes in the header X-API-Key. Tools for language models are at POST /mcp.
Where examples say ${ownAddress}, that stands for the address of this service.

## API

- [OpenAPI](/api/v1/openapi.json): every route with its parameters, answers, errors and examples
- [AsyncAPI](/api/v1/asyncapi.json): streams: events, frames, codes

## Guides

${links.join('\n')}
`
}
