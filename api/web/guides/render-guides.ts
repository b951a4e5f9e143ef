/**
 * The guides of `docs/` as pages: each Markdown file one page, with the list of all beside it; the Markdown
 * itself, for readers that are programs; and `llms.txt`, which tells those where everything is.
 */

import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Marked, type Tokens } from 'marked'
import { escaped } from '../escaped.ts'

export interface Guide {
  /** Below `/docs`; empty for the list of guides. */
  readonly slug: string
  readonly title: string
  /** What it is about, in a sentence. */
  readonly summary: string
  readonly markdown: string
  /** The body of its page. */
  readonly html: string
}

/** Where an image of the guides is served. */
export type AddressOf = (image: string) => string

/**
 * In the order of the list of guides, which names all of them.
 * @param made Markdown that is no file of the folder, by slug; the list names it by its address
 */
export async function readGuides(
  folder: string,
  addressOf: AddressOf,
  made: Readonly<Record<string, string>> = {},
): Promise<readonly Guide[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md'))
  const read = names.map(async (name) => {
    return [slugOf(name), await readFile(join(folder, name), 'utf8')] as const
  })
  const texts = new Map([...(await Promise.all(read)), ...Object.entries(made)])
  const list = texts.get('')!
  const place = (slug: string) => {
    if (slug === '') return -1
    return list.indexOf(slug in made ? `](${ownAddress}/docs/${slug})` : `](${slug}.md)`)
  }
  const slugs = new Set(texts.keys())
  return [...texts]
    .sort(([a], [b]) => place(a) - place(b))
    .map(([slug, markdown]) => {
      const renderer = createRenderer(slugs, addressOf)
      const tokens = renderer.lexer(markdown)
      const heading = tokens.find(({ type }) => type === 'heading') as Tokens.Heading
      const first = tokens.find(({ type }) => type === 'paragraph') as Tokens.Paragraph | undefined
      return {
        slug,
        title: heading.text,
        summary: sentenceOf(first?.text ?? ''),
        markdown,
        html: renderer.parser(tokens),
      }
    })
}

/** Of the service, as the guides write it; its pages are read wherever it is. */
const ownAddress = 'http://127.0.0.1:3000'

const listOfGuides = 'README.md'
const slugOf = (file: string) => (file === listOfGuides ? '' : basename(file, '.md'))

/** The first sentence, without the marks of Markdown. */
const sentenceOf = (text: string) =>
  (/^.*?[.:](?=\s|$)/s.exec(text)?.[0] ?? text)
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/:$/, '.')

function createRenderer(slugs: ReadonlySet<string>, addressOf: AddressOf): Marked {
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
        const slug = slugOf(file!)
        // What is not a guide is a file of the source, which is not served.
        if (file!.includes('/') || !slugs.has(slug)) return text
        return `<a href="/docs${slug === '' ? '' : `/${slug}`}${escaped(hash)}">${text}</a>`
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
  const list = guides
    .filter(({ slug }) => slug !== '')
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

## API

- [OpenAPI](/api/v1/openapi.json): every route with its parameters, answers, errors and examples
- [AsyncAPI](/api/v1/asyncapi.json): streams: events, frames, codes

## Guides

${links.join('\n')}
`
}
