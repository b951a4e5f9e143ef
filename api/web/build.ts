/**
 * Builds the pages: `client/` into one script, one style sheet and lazily loaded parts, each named by a
 * hash of its content and compressed once. Part of `npm run build`; what has not changed is left alone.
 */

import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'esbuild'
import { projectRoot } from '../../schemas/project-root.ts'
import { assetsPath, pagesFolder } from './static-file.ts'

const client = join(projectRoot, 'api', 'web', 'client')
const folder = join(projectRoot, 'dist', pagesFolder)

const compressions = {
  br: (bytes: Uint8Array) =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
    }),
  gz: (bytes: Uint8Array) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
}

await mkdir(folder, { recursive: true })
const icon = await readFile(join(client, 'icon.svg'))
const hashOfIcon = createHash('sha256').update(icon).digest('hex').slice(0, 8).toUpperCase()
const iconName = `icon-${hashOfIcon}.svg`

const { outputFiles, metafile } = await build({
  absWorkingDir: projectRoot,
  entryPoints: [join(client, 'main.tsx'), join(client, 'style.css')],
  outdir: folder,
  publicPath: assetsPath,
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  target: ['es2022', 'chrome109', 'firefox115', 'safari16.4'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minify: true,
  legalComments: 'none',
  metafile: true,
  write: false,
  logLevel: 'warning',
})

const nameOf = (entry: string) =>
  basename(
    Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint?.endsWith(entry))![0],
  )
const template = await readFile(join(client, 'index.html'), 'utf8')
const page = template
  .replace('{{script}}', `${assetsPath}/${nameOf('client/main.tsx')}`)
  .replace('{{style}}', `${assetsPath}/${nameOf('client/style.css')}`)
  .replace('{{icon}}', `${assetsPath}/${iconName}`)

const made = new Map<string, Uint8Array>([['index.html', Buffer.from(page)]])
made.set(iconName, icon)
for (const { path, contents } of outputFiles) made.set(basename(path), contents)

const kept = new Set<string>()
for (const [name, bytes] of made) {
  kept.add(name)
  const isHashed = name !== 'index.html'
  if (!isHashed || !existsSync(join(folder, name))) await writeFile(join(folder, name), bytes)
  // The page itself is small and gets settings put in when it is served.
  if (!isHashed) continue
  for (const [suffix, compress] of Object.entries(compressions)) {
    kept.add(`${name}.${suffix}`)
    const path = join(folder, `${name}.${suffix}`)
    if (!existsSync(path)) await writeFile(path, await compress(bytes))
  }
}
for (const name of await readdir(folder)) if (!kept.has(name)) await rm(join(folder, name))
