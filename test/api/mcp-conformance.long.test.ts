/**
 * The official conformance suite against our tools. Each scenario either passes or is listed here with the reason why
 * it does not apply. A listed one that passes, or a new one, is reported as well.
 */

import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projectRoot } from '../../schemas/project-root.ts'
import { type InProcess, keys, startInProcess } from './service-in-process.ts'

const applicable = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'] as const

/** These test streams within a session, and only remark that a server without sessions has none. */
const ofSessions = ['server-sse-polling', 'server-sse-multiple-streams'] as const

const itsOwnTool = 'calls a tool of the reference server, which no other has'
const noPrompts = 'we offer no prompts'
const noResources = 'we offer no resources'

const notApplicable: Readonly<Record<string, string>> = {
  'logging-set-level': 'we send no log messages',
  'completion-complete': 'there are no prompts or resources to complete arguments of',
  'tools-call-simple-text': itsOwnTool,
  'tools-call-image': itsOwnTool,
  'tools-call-audio': itsOwnTool,
  'tools-call-embedded-resource': itsOwnTool,
  'tools-call-mixed-content': itsOwnTool,
  'tools-call-with-logging': itsOwnTool,
  'tools-call-with-progress': itsOwnTool,
  'tools-call-error': itsOwnTool,
  'tools-call-sampling': itsOwnTool,
  'tools-call-elicitation': itsOwnTool,
  'elicitation-sep1034-defaults': itsOwnTool,
  'elicitation-sep1330-enums': itsOwnTool,
  'json-schema-2020-12': itsOwnTool,
  'resources-list': noResources,
  'resources-read-text': noResources,
  'resources-read-binary': noResources,
  'resources-templates-read': noResources,
  'resources-subscribe': noResources,
  'resources-unsubscribe': noResources,
  'prompts-list': noPrompts,
  'prompts-get-simple': noPrompts,
  'prompts-get-with-args': noPrompts,
  'prompts-get-embedded-resource': noPrompts,
  'prompts-get-with-image': noPrompts,
}

interface Check {
  readonly id: string
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED'
  readonly errorMessage?: string
}

/** The suite imports an export of `fs` that Node.js has from 22 on, for a command we do not run. */
const resolveHook = `export async function resolve(specifier, context, next) {
  if (specifier !== 'fs' || !context.parentURL?.includes('/conformance/')) {
    return next(specifier, context)
  }
  const source = "export * from 'node:fs'; export const globSync = () => []"
  return { url: 'data:text/javascript,' + encodeURIComponent(source), shortCircuit: true }
}`
const asModule = (source: string) => `data:text/javascript,${encodeURIComponent(source)}`
const register = asModule(
  `import { register } from 'node:module'; register(${JSON.stringify(asModule(resolveHook))})`,
)

let service: InProcess
let results: ReadonlyMap<string, readonly Check[]>
let output = ''

beforeAll(async () => {
  service = await startInProcess()
  const directory = await mkdtemp(join(tmpdir(), 'overround-conformance-'))
  try {
    await runSuite(directory)
    results = await readResults(directory)
  } finally {
    await rm(directory, { recursive: true })
  }
})
afterAll(() => service.close())

/** Runs the suite. It exits with 1 after any failure, also of a scenario that does not apply. */
function runSuite(directory: string): Promise<number | null> {
  const suite = join(projectRoot, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
  const url = `${service.base}/mcp?api_key=${keys.sharp}`
  const child = spawn(
    process.execPath,
    ['--import', register, suite, 'server', '--url', url, '--suite', 'all', '-o', directory],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      output += text
    })
  }
  return new Promise((resolve) => child.once('exit', resolve))
}

async function readResults(directory: string): Promise<Map<string, readonly Check[]>> {
  const names = await readdir(directory)
  const entries = names.map(async (name): Promise<[string, readonly Check[]]> => {
    const scenario = /^server-(.+?)-\d{4}-\d\d-\d\dT/.exec(name)?.[1] ?? name
    return [scenario, JSON.parse(await readFile(join(directory, name, 'checks.json'), 'utf8'))]
  })
  return new Map(await Promise.all(entries))
}

describe('the conformance suite', () => {
  it('has no scenario but those listed here', () => {
    const named = [...applicable, ...ofSessions, ...Object.keys(notApplicable)]
    expect([...results.keys()].sort(), output.slice(-2_000)).toEqual(named.sort())
  })

  it.each(applicable)('passes: %s', (scenario) => {
    const checks = results.get(scenario)!
    expect(checks.map(({ status }) => status)).toContain('SUCCESS')
    expect(checks.filter(({ status }) => status !== 'SUCCESS')).toEqual([])
  })

  it.each(ofSessions)('finds no session to check, and no fault: %s', (scenario) => {
    const statuses = results.get(scenario)!.map(({ status }) => status)
    expect(statuses).toContain('WARNING')
    expect(statuses).not.toContain('FAILURE')
  })

  it.each(Object.entries(notApplicable))('does not apply: %s (%s)', (scenario) => {
    expect(results.get(scenario)!.map(({ status }) => status)).toContain('FAILURE')
  })
})
