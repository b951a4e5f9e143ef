/** `npm ci` installs what was reviewed: each package has a checksum of its contents, and runs a script only where we say so. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../schemas/project-root.ts'

interface Locked {
  readonly version: string
  readonly integrity?: string
  readonly resolved?: string
  readonly hasInstallScript?: true
}

/**
 * The archive's engine for platforms that our registry lacks: npm records checksums only for packages it gets.
 * `SECURITY.md` describes it.
 */
const withoutChecksum = ['darwin-arm64', 'darwin-x64', 'linux-arm64-gnu'].map(
  (platform) => `node_modules/@chdb/lib-${platform}`,
)

const { packages } = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')) as {
  packages: Readonly<Record<string, Locked>>
}
const locked = Object.entries(packages).filter(([path]) => path !== '')

test('every package has a SHA-512 of its contents', () => {
  const without = locked.filter(
    ([, { integrity }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ''),
  )
  expect(without.map(([path]) => path)).toEqual(withoutChecksum)
})

test('every package has one version, from the registry', () => {
  for (const [path, { version, resolved }] of locked) {
    expect(version, path).toMatch(/^\d+\.\d+\.\d+/)
    expect(resolved ?? 'https://registry.npmjs.org/', path).toMatch(
      /^https:\/\/registry\.npmjs\.org\//,
    )
  }
})

test('package.json says of each install script whether it runs, so that npm asks nobody', () => {
  const { allowScripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    allowScripts: Readonly<Record<string, boolean>>
  }
  const withScript = locked
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
  expect(Object.keys(allowScripts).sort()).toEqual([...new Set(withScript)].sort())
})
