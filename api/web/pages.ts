/**
 * The built files with their headers, read once and served from memory. All pages of the board are the same
 * document; its script reads the path. A content security policy allows only the service's own files.
 */

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { projectRoot } from '../../schemas/project-root.ts'
import type { StatusPage } from '../routes/status.ts'
import {
  assetsPath,
  boardTemplate,
  isTemplate,
  type PageSettings,
  pagesFolder,
  type StaticFile,
  statusTemplate,
  unknownPath,
} from './static-file.ts'
import { statusBody } from './status/status-page.ts'

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Headers of every page. */
const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
}

const pagePaths = [
  '/',
  '/events/:eventId',
  '/opportunities',
  '/alerts',
  '/bets',
  '/profile',
  '/record',
  '/tools',
  '/sources',
  '/keys',
  unknownPath,
]

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}

/** The reference component uses inline styles and data images. */
const referencePolicy = policy
  .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
  .replace("img-src 'self'", "img-src 'self' data:")

/** Paths and types of guides and other files for readers and browsers, derived from their names. */
const namedFiles: Readonly<Record<string, (name: string) => { path: string; type: string }>> = {
  '.html': (name) => ({
    path: `/${name.slice(0, -'.html'.length).replace('.', '/')}`,
    type: 'text/html; charset=utf-8',
  }),
  '.md': (name) => ({ path: `/${name.replace('.', '/')}`, type: 'text/markdown; charset=utf-8' }),
  '.txt': (name) => ({ path: `/${name}`, type: 'text/plain; charset=utf-8' }),
  '.webmanifest': (name) => ({ path: `/${name}`, type: 'application/manifest+json' }),
}

/** Names contain a hash of the content, so browsers may cache the files for good. */
const assetHeaders = (name: string) => ({
  'Content-Type': types[extname(name)]!,
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Content-Security-Policy': "default-src 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
})

const builtFolder = join(projectRoot, 'dist', pagesFolder)

type FixedSettings = Omit<PageSettings, 'isSimulated'>

/** @returns null if the pages are not built */
export async function openPages(
  settings: FixedSettings,
  folder = builtFolder,
): Promise<readonly StaticFile[] | null> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [] as string[]
    throw error
  })
  if (!names.includes(boardTemplate)) return null
  const read = (name: string) => readFile(join(folder, name))
  async function coded(name: string) {
    const bytes = await read(name)
    // A picture is compressed already.
    const [br, gzip] = names.includes(`${name}.br`)
      ? await Promise.all([`${name}.br`, `${name}.gz`].map(read))
      : []
    return { bytes, coded: br && gzip ? { br, gzip } : {}, etag: tagOf(bytes) }
  }
  async function namedFile(name: string, path: string, type: string): Promise<StaticFile> {
    const own = name === 'docs.api.html' ? referencePolicy : policy
    const headers = { ...pageHeaders, 'Content-Type': type, 'Content-Security-Policy': own }
    return { path, headers, ...(await coded(name)) }
  }
  const assets = names.filter((name) => extname(name) in types)
  const template = await read(boardTemplate)
  const files = assets.map(async (name): Promise<StaticFile> => {
    return { path: `${assetsPath}/${name}`, headers: assetHeaders(name), ...(await coded(name)) }
  })
  const pageAt = (path: string, shown: PageSettings): StaticFile => {
    const bytes = withSettings(template, shown)
    const status = path === unknownPath ? 404 : 200
    return { path, status, headers: pageHeaders, bytes, coded: {}, etag: tagOf(bytes) }
  }
  const ofAllPrices = (path: string, shown: FixedSettings): StaticFile => ({
    ...pageAt(path, { ...shown, isSimulated: false }),
    whenSimulated: pageAt(path, { ...shown, isSimulated: true }),
  })
  const pages = pagePaths.map((path): StaticFile => {
    const page = ofAllPrices(path, settings)
    if (settings.sandboxKey === null) return page
    return { ...page, withoutSandbox: ofAllPrices(path, { ...settings, sandboxKey: null }) }
  })
  const named = names.flatMap((name) => {
    const place = isTemplate(name) ? undefined : namedFiles[extname(name)]?.(name)
    return place ? [namedFile(name, place.path, place.type)] : []
  })
  return [...pages, ...(await Promise.all([...files, ...named]))]
}

/** Opens the page `/status`. @throws Error if the pages are not built */
export async function openStatusPage(folder = builtFolder): Promise<StatusPage> {
  const template = await readFile(join(folder, statusTemplate), 'utf8')
  return {
    headers: { ...pageHeaders, 'Cache-Control': 'no-store' },
    write: (status, at) => template.replace('{{body}}', () => statusBody(status, at)),
  }
}

/** Puts the settings into an attribute as JSON, because the policy forbids inline scripts. */
function withSettings(page: Buffer, settings: PageSettings): Buffer {
  const text = JSON.stringify(settings).replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  return Buffer.from(page.toString().replace('{{settings}}', () => text))
}

const tagOf = (bytes: Uint8Array) =>
  `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
