/** The scripts of the pages use nothing that a browser they are built for does not have. */

import { join } from 'node:path'
import { build, stop } from 'esbuild'
import { afterAll, expect, it } from 'vitest'
import { browserTargets } from '../../api/web/browsers.ts'
import { projectRoot } from '../../schemas/project-root.ts'

/** Functions that one of the browsers lacks, by MDN. Types refuse most of the first line in our own code. */
const newer = [
  ...['toSorted', 'toReversed', 'toSpliced', 'groupBy', 'withResolvers', 'fromAsync'],
  ...['AbortSignal.any', 'URL.canParse', 'URL.parse', 'Response.json', 'ReadableStream.from'],
  ...['requestIdleCallback', 'showPopover', 'togglePopover', 'hidePopover', 'checkVisibility'],
  ...['startViewTransition', 'DurationFormat', 'cookieStore', 'scheduler'],
]
const calls = new RegExp(`(?<![\\w$])(?:${newer.join('|').replaceAll('.', '\\.')})\\(`, 'g')
const callsIn = (script: string) => [...script.matchAll(calls)].map(([call]) => call)

// Else its process may outlive the tests.
afterAll(() => stop())

it('no script calls what is newer than its browsers', async () => {
  expect(callsIn('AbortSignal.any([a]); [].toSorted(); when.any([])')).toEqual([
    'AbortSignal.any(',
    'toSorted(',
  ])
  const client = join(projectRoot, 'api', 'web', 'client')
  const { outputFiles } = await build({
    absWorkingDir: projectRoot,
    entryPoints: ['main.tsx', 'reference.ts', 'guide.ts'].map((name) => join(client, name)),
    outdir: join(projectRoot, 'dist', 'web'),
    bundle: true,
    splitting: true,
    format: 'esm',
    target: browserTargets,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    write: false,
    logLevel: 'error',
  })
  const found = outputFiles.flatMap(({ text }) => callsIn(text))
  expect(outputFiles.length).toBeGreaterThan(3)
  expect(found).toEqual([])
})
