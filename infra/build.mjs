/**
 * `npm run build`: makes the clients' generated files, compiles the service to `dist` and makes its pages. It is plain JavaScript, for it runs before
 * anything is compiled, and it says what is missing where packages were left out of the installation.
 *
 * The compiler is an optional package of each platform. To run the service (`--to-run`) it can be done without:
 * after `npm ci --omit=optional` esbuild takes the types out, and that is all there is to do
 * (`erasableSyntaxOnly`). After `npm ci --omit=dev` there is neither, and what was built before is used as it is.
 */

import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const built = join(root, 'dist', 'api', 'main.js')

/** It is built for this tree alone: types, which `npm run check` is for, are left unchecked. */
const isToRun = process.argv.includes('--to-run')

const packageAt = (name) => join(root, 'node_modules', ...name.split('/'))
const platform = `${process.platform}-${process.arch}`

/** @returns false without the compiler */
function compile() {
  if (!existsSync(packageAt(`@typescript/typescript-${platform}`))) return false
  run(join('infra', 'clients', 'generate.mjs'))
  const checks = isToRun ? ['--noCheck'] : []
  run(join(packageAt('typescript'), 'bin', 'tsc'), '-p', 'tsconfig.build.json', ...checks)
  return true
}

/** Ends with this program where it fails. */
function run(...program) {
  const { status } = spawnSync(process.execPath, program, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

/** @returns false without esbuild */
async function stripTypes() {
  if (!existsSync(packageAt('esbuild'))) return false
  const { build } = await import('esbuild')
  const files = ['schemas', 'pipeline', 'api'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name)),
  )
  const client = join('api', 'web', 'client')
  const compiled = files.filter((file) => !file.startsWith(client))
  await build({
    absWorkingDir: root,
    entryPoints: compiled.filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts')),
    outdir: 'dist',
    outbase: '.',
    format: 'esm',
    target: 'node20.19',
    sourcemap: true,
    logLevel: 'warning',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    plugins: [{ name: 'extensions', setup: rewriteExtensions }],
  })
  for (const file of compiled.filter((file) => file.endsWith('.json'))) {
    cpSync(join(root, file), join(root, 'dist', file))
  }
  return true
}

/** As the compiler does (`rewriteRelativeImportExtensions`). */
function rewriteExtensions({ onLoad }) {
  onLoad({ filter: /\.ts$/ }, async ({ path }) => {
    const text = await readFile(path, 'utf8')
    const contents = text.replace(/(\bfrom |\bimport\(|\bimport )'(\.[^']*)\.ts'/g, "$1'$2.js'")
    return { contents, loader: 'ts' }
  })
}

if (compile() || (isToRun && (await stripTypes()))) {
  run(join('dist', 'api', 'web', 'build.js'))
} else if (isToRun && existsSync(built)) {
  const at = statSync(built).mtime.toISOString()
  console.error(`Without development packages nothing is compiled: this was built at ${at}.`)
} else {
  console.error(
    'overround is not built, and what builds it is not installed: run npm ci and npm run build; npm prune --omit=dev then leaves what it needs to run. Or install what npm pack makes, which is built (infra/docker/Dockerfile).',
  )
  process.exit(1)
}
