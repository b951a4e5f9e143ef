/**
 * Renders the guides of `docs/`: an HTML page for each Markdown file with the list of all guides beside it, the
 * Markdown itself for programs, and `llms.txt`, their index.
 */

import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { Marked, type Tokens } from 'marked'
import { projectRoot } from '../../../schemas/project-root.ts'
import { escaped } from '../escaped.ts'
import { ownAddress } from '../places.ts'

export interface Guide {
  /** Path below `/docs`; empty for the list of guides. */
  readonly slug: string
  readonly title: string
  /** Its first sentence. */
  readonly summary: string
  /** Markdown with links to other guides by their served paths. */
  readonly markdown: string
  /** The body of the page. */
  readonly html: string
}

/** Returns the path at which an image of the guides is served. */
export type AddressOf = (image: string) => string

export interface GuideSources {
  /** Folder whose Markdown files are the guides. `README.md` is the list of guides. */
  readonly folder: string
  /** Paths, relative to the folder, of guides outside it, by slug. */
  readonly elsewhere?: Readonly<Record<string, string>>
  /** Generated Markdown by slug. The list links to it by its URL. */
  readonly made?: Readonly<Record<string, string>>
}

export const ownGuides: GuideSources = {
  folder: join(projectRoot, 'docs'),
  elsewhere: {
    typescript: '../api/clients/typescript/README.md',
    python: '../api/clients/python/README.md',
  },
}

/** Reads all guides, in the order in which the list links to them. */
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

/** Returns the slug of a linked file; undefined if it is not served. @param path relative to the linking guide */
type SlugAt = (path: string) => string | undefined

/** Rewrites links between files to the served Markdown. */
const withAddresses = (markdown: string, slugAt: SlugAt) =>
  markdown
    .replaceAll(`](${ownAddress}/`, '](/')
    .replace(/\]\(([^()\s#:]+\.md)(#[^()\s]*)?\)/g, (whole, file: string, hash = '') => {
      const slug = slugAt(file)
      return slug === undefined ? whole : `](${pathOf(slug)}.md${hash})`
    })

/** Returns the first sentence, without Markdown syntax. */
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
        // Other files of the repository are not served, so only the link's text is shown.
        return slug === undefined ? text : `<a href="${pathOf(slug)}${escaped(hash)}">${text}</a>`
      },
      image: ({ href, text }) =>
        `<img src="${escaped(addressOf(href))}" alt="${escaped(text)}" loading="lazy">`,
      table(token) {
        const cells = (row: Tokens.TableCell[], name: string) =>
          `<tr>${row.map(({ tokens }) => `<${name}>${this.parser.parseInline(tokens)}</${name}>`).join('')}</tr>`
        const head = token.header.some(({ text }) => text !== '') ? cells(token.header, 'th') : ''
        const body = token.rows.map((row) => cells(row, 'td')).join('')
        // A scrolling region must be reachable by keyboard.
        return `<div class="table" tabindex="0"><table><thead>${head}</thead><tbody>${body}</tbody></table></div>\n`
      },
      code: ({ text }) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`,
    },
  })
}

/** Returns GitHub's anchor, on which links in the guides rely. */
export const anchorOf = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

/** Fills the page of a guide. @param template with `{{title}}`, `{{list}}` and `{{body}}` */
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

/** Returns the index for language models, see https://llmstxt.org. */
export function llmsText(guides: readonly Guide[]): string {
  const links = guides
    .filter(({ slug }) => slug !== '')
    .map(({ slug, title, summary }) => `- [${title}](/docs/${slug}.md): ${summary}`)
  return `# overround

> A self-hosted sports odds data service: prices of many sportsbooks, one board per game, with +EV, arbitrage,
> middles, low hold, history and closing lines, over REST, SSE, WebSocket and MCP.

Send the key in the header X-API-Key. Tools for language models are at POST /mcp.
${ownAddress} in examples stands for the address of this service.

## API

- [OpenAPI](/api/v1/openapi.json): every route with its parameters, responses, errors and examples
- [AsyncAPI](/api/v1/asyncapi.json): streams: events, frames, codes

## Guides

${links.join('\n')}
`
}
