/**
 * `npm run build`: generates the clients' files, compiles the service to `dist` and builds its pages. It is plain
 * JavaScript because it runs before anything is compiled. It reports missing packages.
 *
 * The compiler is an optional package for each platform. With `--to-run` the build works without it: after
 * `npm ci --omit=optional` esbuild removes the types (`erasableSyntaxOnly`). After `npm ci --omit=dev` there is neither,
 * and an existing build is used.
 */

import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const built = join(root, 'dist', 'api', 'main.js')

/** Builds only to run here, without checking types: `npm run check` does that. */
const isToRun = process.argv.includes('--to-run')

const packageAt = (name) => join(root, 'node_modules', ...name.split('/'))
const platform = `${process.platform}-${process.arch}`

/** @returns false when the compiler is not installed */
function compile() {
  if (!existsSync(packageAt(`@typescript/typescript-${platform}`))) return false
  run(join('infra', 'clients', 'generate.mjs'))
  const checks = isToRun ? ['--noCheck'] : []
  run(join(packageAt('typescript'), 'bin', 'tsc'), '-p', 'tsconfig.build.json', ...checks)
  return true
}

/** Runs a program and exits when it fails. */
function run(...program) {
  const { status } = spawnSync(process.execPath, program, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

/** @returns false when esbuild is not installed */
async function stripTypes() {
  if (!existsSync(packageAt('esbuild'))) return false
  run(join('infra', 'clients', 'generate.mjs'))
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

/** Changes `.ts` to `.js` in imports, like the compiler's `rewriteRelativeImportExtensions`. */
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
  console.error(
    `Development packages are missing, so nothing is compiled. Using the build of ${at}.`,
  )
} else {
  console.error(
    'overround is not built, and the packages that build it are not installed. Run npm ci and npm run build; after that, npm prune --omit=dev removes what running does not need. Or install the package of npm pack, which is built (infra/docker/Dockerfile).',
  )
  process.exit(1)
}
