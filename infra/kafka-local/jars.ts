/**
 * Finds `java`, and fetches the jars of the broker and the registry, as pinned in pom.xml, from Maven Central into
 * `target/jars-<hash of the pom>`.
 */

import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { kafkaLocalDirectory } from './project.ts'

const run = promisify(execFile)

const oldestJava = 17

export type Jars = {
  /** A `java -cp` value for `kafka.Kafka` and `kafka.tools.StorageTool`. */
  brokerClasspath: string
  /** File for `java -jar`; its libraries are beside it. */
  registryJar: string
}

/** The error for a missing program. The message states how to install it. */
export class ToolMissingError extends Error {
  override name = 'ToolMissingError'
}

/**
 * Returns the `java` of JAVA_HOME if set, else the one on the path.
 * @throws ToolMissingError if there is none, or it is older than 17
 */
export async function findJava(): Promise<string> {
  const home = process.env.JAVA_HOME
  const java = home ? join(home, 'bin', 'java') : 'java'
  const found = await run(java, ['-version']).catch(() => null)
  const version = /version "(?:1\.)?(\d+)/.exec(found?.stderr ?? '')?.[1]
  if (version !== undefined && Number(version) >= oldestJava) return java
  const problem = version === undefined ? `${java} does not run` : `${java} is Java ${version}`
  throw new ToolMissingError(
    `Kafka needs Java ${oldestJava} or newer, and ${problem}. Install a JDK or JRE ` +
      `(Debian and Ubuntu: apt-get install openjdk-17-jre-headless; macOS: brew install ` +
      `openjdk@17) or point JAVA_HOME at one.`,
  )
}

/** Returns whether the jars are on disk, so that a start needs no Maven and no network. */
export async function jarsAreFetched(): Promise<boolean> {
  return existsSync(await jarsDirectory())
}

/** @throws ToolMissingError if `mvn` does not run */
export async function requireMaven(): Promise<void> {
  await run('mvn', ['-v']).catch(() => {
    throw new ToolMissingError(
      'the first start fetches Kafka with Maven, and mvn does not run. Install Maven 3.8 or newer ' +
        '(Debian and Ubuntu: apt-get install maven; macOS: brew install maven).',
    )
  })
}

/**
 * Fetches missing jars: about 190 MB the first time.
 * @param report receives progress, line by line
 * @throws ToolMissingError, or Error with Maven's messages
 */
export async function resolveJars(report: (line: string) => void): Promise<Jars> {
  const directory = await jarsDirectory()
  if (!existsSync(directory)) await fetchJars(directory, report)
  const registryFiles = await readdir(join(directory, 'registry'))
  const registryJar = registryFiles.find((file) => file.endsWith('-runner.jar'))
  if (registryJar === undefined) {
    throw new Error(`${directory}/registry holds no runner jar: delete target/ and start again`)
  }
  return {
    brokerClasspath: join(directory, 'kafka', '*'),
    registryJar: join(directory, 'registry', registryJar),
  }
}

async function jarsDirectory(): Promise<string> {
  const pom = await readFile(join(kafkaLocalDirectory(), 'pom.xml'))
  const hash = createHash('sha256').update(pom).digest('hex').slice(0, 12)
  return join(kafkaLocalDirectory(), 'target', `jars-${hash}`)
}

async function fetchJars(directory: string, report: (line: string) => void) {
  await requireMaven()
  report('fetching Kafka and the schema registry from Maven Central: about 190 MB, this once')
  // Fetches into another directory and renames it, so that an interrupted or parallel fetch never leaves half a
  // directory.
  const aside = `${directory}.${process.pid}`
  try {
    await mkdir(aside, { recursive: true })
    await runMaven(aside, report)
    await rename(aside, directory).catch((error) => {
      if (!existsSync(directory)) throw error
    })
  } finally {
    await rm(aside, { recursive: true, force: true })
  }
}

async function runMaven(jarsDirectory: string, report: (line: string) => void) {
  const pom = join(kafkaLocalDirectory(), 'pom.xml')
  const maven = spawn(
    'mvn',
    ['-B', '-f', pom, 'generate-resources', `-Djars.dir=${jarsDirectory}`],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const closed = new Promise<number | null>((resolve) => maven.once('close', resolve))
  const errors: string[] = []
  for await (const line of createInterface(maven.stdout)) {
    const downloaded = /Downloaded from .*\/([^/]+\.(?:jar|tar\.gz)) (\(.*\))/.exec(line)
    if (downloaded) report(`  ${downloaded[1]} ${downloaded[2]}`)
    if (line.includes('[ERROR]')) errors.push(line)
  }
  const code = await closed
  if (code !== 0) throw new Error(`mvn ended with ${code}:\n${errors.slice(0, 5).join('\n')}`)
}
