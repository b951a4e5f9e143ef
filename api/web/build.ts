/**
 * Builds the pages during `npm run build`: the guides, and `client/` as one script, one style sheet and the parts that
 * are loaded on demand. File names contain a hash of the content. Files are compressed here. Unchanged files are not
 * rewritten.
 */

import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, extname, join, parse } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build, type Loader, type Plugin } from 'esbuild'
import { projectRoot } from '../../schemas/project-root.ts'
import { createAsyncApi } from '../describe/asyncapi.ts'
import { ownVersion } from '../version.ts'
import { browserTargets } from './browsers.ts'
import { llmsText, ownGuides, pageOf, readGuides } from './guides/render-guides.ts'
import { type StreamDocument, streamReference } from './guides/stream-reference.ts'
import { placeLinks } from './navigation.ts'
import {
  assetsPath,
  boardTemplate,
  isTemplate,
  pagesFolder,
  statusTemplate,
} from './static-file.ts'

const client = join(projectRoot, 'api', 'web', 'client')
const guidesFolder = join(projectRoot, 'api', 'web', 'guides')
const statusFolder = join(projectRoot, 'api', 'web', 'status')
const docs = ownGuides.folder
const folder = join(projectRoot, 'dist', pagesFolder)

const compressions = {
  br: (bytes: Uint8Array) =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
    }),
  gz: (bytes: Uint8Array) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
}

await mkdir(folder, { recursive: true })
const hashOf = (bytes: Uint8Array) =>
  createHash('sha256').update(bytes).digest('hex').slice(0, 8).toUpperCase()
const icon = await readFile(join(client, 'icon.svg'))
const iconName = `icon-${hashOf(icon)}.svg`
/**
 * Reads the icon as a picture, by its width in pixels: `icon.svg` without its rounded corners, because phones cut their
 * own shape out. What is drawn lies within the circle that every shape shows.
 */
async function readPicture(width: number) {
  const bytes = await readFile(join(client, 'icons', `icon-${width}.png`))
  return { width, bytes, name: `icon-${width}-${hashOf(bytes)}.png` }
}
/** Of iPhones and iPads, which read no manifest for it. */
const touchIcon = await readPicture(180)
const pictures = await Promise.all([192, 512].map(readPicture))
/** The manifest with which a phone or desktop installs the board as an application. */
const manifest = {
  ...{ id: '/', name: 'overround', short_name: 'overround', start_url: '/', scope: '/' },
  ...{ display: 'standalone', background_color: '#0b1016', theme_color: '#10171f' },
  description: 'Live odds of many sportsbooks on one board',
  icons: [
    { src: `${assetsPath}/${iconName}`, type: 'image/svg+xml', sizes: 'any' },
    ...pictures.flatMap(({ name, width }) =>
      ['any', 'maskable'].map((purpose) => ({
        ...{ src: `${assetsPath}/${name}`, type: 'image/png' },
        ...{ sizes: `${width}x${width}`, purpose },
      })),
    ),
  ],
}

/**
 * Lets each part that is loaded on demand import the frame of the pages. The bundler makes a file of the modules that
 * the same parts reach: so all that the frame reaches is one file, instead of one for each set of parts that share some.
 */
const besideFrame: Plugin = {
  name: 'beside-frame',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) =>
      kind === 'dynamic-import' ? { path: join(resolveDir, path), pluginData: true } : undefined,
    )
    onLoad({ filter: /\.tsx?$/ }, async ({ path, pluginData: isOnDemand }) => {
      if (!isOnDemand) return undefined
      const frame = JSON.stringify(join(client, 'shell', 'app.tsx'))
      const contents = `${await readFile(path, 'utf8')}\nimport ${frame}`
      return { contents, loader: extname(path).slice(1) as Loader }
    })
  },
}

const { outputFiles, metafile } = await build({
  absWorkingDir: projectRoot,
  plugins: [besideFrame],
  entryPoints: [
    join(client, 'main.tsx'),
    join(client, 'style.css'),
    join(guidesFolder, 'guides.css'),
    join(client, 'reference.ts'),
    join(client, 'guide.ts'),
    join(statusFolder, 'status.css'),
  ],
  outdir: folder,
  publicPath: assetsPath,
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  target: browserTargets,
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minify: true,
  legalComments: 'eof',
  metafile: true,
  write: false,
  logLevel: 'warning',
})

const outputOf = (entry: string) =>
  Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint?.endsWith(entry))!
const nameOf = (entry: string) => basename(outputOf(entry)[0])
/** Links with which the browser loads the files that a script imports together with it. */
const preloadsOf = (entry: string) =>
  outputOf(entry)[1]
    .imports.filter(({ kind }) => kind === 'import-statement')
    .map(({ path }) => `<link rel="modulepreload" href="${assetsPath}/${basename(path)}">`)
    .join('\n')
const fillPlaces = (template: string) =>
  template
    .replace('{{script}}', `${assetsPath}/${nameOf('client/main.tsx')}`)
    .replace('{{preloads}}', preloadsOf('client/main.tsx'))
    .replace('{{reference}}', `${assetsPath}/${nameOf('client/reference.ts')}`)
    .replace('{{guide}}', `${assetsPath}/${nameOf('client/guide.ts')}`)
    .replace('{{icon}}', `${assetsPath}/${iconName}`)
    .replace('{{touch-icon}}', `${assetsPath}/${touchIcon.name}`)
/** @param at path of the page */
async function withStyle(path: string, style: string, at: string) {
  const address = `${assetsPath}/${nameOf(style)}`
  return fillPlaces(await readFile(path, 'utf8'))
    .replace('{{style}}', address)
    .replace('{{places}}', placeLinks(at))
}
const guideTemplate = (name: string, at: string) =>
  withStyle(join(guidesFolder, name), 'guides/guides.css', at)
const page = await withStyle(join(client, boardTemplate), 'client/style.css', '/')
const status = await withStyle(join(statusFolder, statusTemplate), 'status/status.css', '/status')

const outputs = new Map<string, Uint8Array>([
  [boardTemplate, Buffer.from(page)],
  [statusTemplate, Buffer.from(status)],
])
outputs.set(iconName, icon)
for (const { name, bytes } of [touchIcon, ...pictures]) outputs.set(name, bytes)
for (const { path, contents } of outputFiles) outputs.set(basename(path), contents)

const images = new Map<string, string>()
for (const name of await readdir(join(docs, 'images'))) {
  const bytes = await readFile(join(docs, 'images', name))
  const { name: stem, ext } = parse(name)
  const hashed = `${stem}-${hashOf(bytes)}${ext}`
  images.set(`images/${name}`, `${assetsPath}/${hashed}`)
  outputs.set(hashed, bytes)
}
const addressOf = (image: string) => {
  const address = images.get(image)
  if (address === undefined) throw new Error(`no image ${image} in docs`)
  return address
}
const streamGuide = streamReference(createAsyncApi(ownVersion) as StreamDocument)
const guides = await readGuides({ ...ownGuides, made: { 'stream-api': streamGuide } }, addressOf)
const guidePage = await guideTemplate('guide.html', '/docs')
for (const guide of guides) {
  const name = ['docs', guide.slug].filter((part) => part !== '').join('.')
  outputs.set(`${name}.html`, Buffer.from(pageOf(guide, guides, guidePage)))
  outputs.set(`${name}.md`, Buffer.from(guide.markdown))
}
outputs.set('docs.api.html', Buffer.from(await guideTemplate('reference.html', '/docs/api')))
outputs.set('manifest.webmanifest', Buffer.from(JSON.stringify(manifest)))
outputs.set('llms.txt', Buffer.from(llmsText(guides)))

/** Names of all files of this build; others in the folder are removed. */
const written = new Set<string>()
for (const [name, bytes] of outputs) {
  written.add(name)
  const path = join(folder, name)
  const before = await readFile(path).catch(() => null)
  const isSame = before?.equals(bytes) === true
  if (!isSame) await writeFile(path, bytes)
  // Templates are filled in before they are sent, and pictures are compressed already.
  if (isTemplate(name) || name.endsWith('.png')) continue
  for (const [suffix, compress] of Object.entries(compressions)) {
    written.add(`${name}.${suffix}`)
    const compressed = `${path}.${suffix}`
    if (!isSame || !existsSync(compressed)) await writeFile(compressed, await compress(bytes))
  }
}
for (const name of await readdir(folder)) if (!written.has(name)) await rm(join(folder, name))
