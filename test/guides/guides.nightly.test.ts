/** Every command of README and guides, run as written: in order, in its own folder, by a shell. */

import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projectRoot } from '../../schemas/project-root.ts'
import { inherited, type Service, startService } from '../service.ts'
import { guides, type Step, stepsOf } from './guide-steps.ts'

/** The service's address and the operator's tokens as written in guides. */
const address = '127.0.0.1:3000'
const tokens = {
  OVERROUND_ADMIN_TOKEN: 'choose-another-long-token',
  OVERROUND_INGEST_TOKEN: 'choose-a-long-token',
}

const notRun = (marks: readonly string[]) =>
  marks.includes('leaves-this-machine') || marks.includes('on-kafka')

/** Returns whether a command installs and tests, which is done before these tests run. */
const isDone = (text: string) => /^npm ci && npm test$/.test(text.trim())
const startsService = (text: string) => /\bnpm start$/m.test(text.trim())

const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'))

describe.each(guides.filter((guide) => stepsOf(guide).length > 0))('%s', (guide) => {
  let folder = ''
  let service: Service | undefined
  /** What the last command wrote. */
  let lastOutput = ''

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'overround-guide-'))
  })

  afterAll(async () => {
    await service?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  async function start(env: Readonly<Record<string, string>>) {
    await service?.stop()
    service = await startService({ env, cwd: folder })
    await readiness(service)
  }

  it.each(stepsOf(guide).map((step) => [named(step), step] as const))('%s', async (name, step) => {
    const { language, marks, text } = step
    if (notRun(marks) || isDone(text)) return
    if (marks.includes('response')) return expectResponse(JSON.parse(lastOutput), text)
    if (marks.includes('fields')) return expectFields(JSON.parse(lastOutput), JSON.parse(text))
    for (const file of needed(marks)) writeFileSync(join(folder, file), smallSeason)
    if (marks.includes('stopped')) {
      await service?.stop()
      service = undefined
      mkdirSync(join(folder, 'data'), { recursive: true })
    }
    if (language === 'sh' && startsService(text)) return start(settingsOf(text))
    if (service === undefined && !marks.includes('stopped')) await start(tokens)
    if (marks.includes('log')) {
      writeFileSync(join(folder, 'overround.log'), service?.output() ?? '')
    }
    const command =
      language === 'json'
        ? ingesting(text)
        : hereInstead(text, new URL(service?.address ?? 'http://none').host)
    const { code, output } = await shell(command, {
      folder,
      service,
      cut: marks.includes('streams'),
    })
    expect(code, `${name}\n${output}`).toBe(0)
    lastOutput = output
    if (marks.includes('streams')) expect(output).toContain('event: ')
    if (language === 'json')
      expect(JSON.parse(output)).toMatchObject({ data: { accepted: 1, warnings: [] } })
  })

  /** Pushes a guide's record, which may span several lines, as one line. */
  const ingesting = (text: string) => {
    writeFileSync(join(folder, 'record.json'), `[${text}]`)
    return `curl --fail-with-body -sS -X POST ${service!.address}/ingest -H 'Authorization: Bearer ${tokens.OVERROUND_INGEST_TOKEN}' -H 'Content-Type: application/json' --data-binary @record.json`
  }
})

/** Compares a response with that of a guide, where `…` is any value. Fields that the guide leaves out may differ. */
function expectResponse(response: unknown, shown: string) {
  expect(response).toMatchObject(
    JSON.parse(shown, (_, value) => (value === '…' ? expect.anything() : value)),
  )
}

/** Compares the fields that a guide shows with those of a response, whatever their values; of lists the first items. */
function expectFields(response: unknown, shown: unknown) {
  if (typeof shown !== 'object' || shown === null) return
  if (Array.isArray(shown)) {
    if (shown.length > 0) expectFields((response as unknown[])[0], shown[0])
    return
  }
  for (const [field, value] of Object.entries(shown)) {
    expect(response).toHaveProperty([field])
    expectFields((response as Record<string, unknown>)[field], value)
  }
}

const named = ({ line, text }: Step) => `line ${line}: ${text.trim().split('\n')[0]!.slice(0, 60)}`

const needed = (marks: readonly string[]) =>
  marks.flatMap((mark) => (mark.startsWith('needs=') ? [mark.slice('needs='.length)] : []))

/** Returns each `NAME=value …` before `npm start`, without the shell's quotes. */
function settingsOf(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/\b(OVERROUND_\w+)=('[^']*'|\S+)/g)].map(([, name, value]) => [
      name!,
      value!.replaceAll("'", ''),
    ]),
  )
}

/** Returns the command with this service's address and built scripts, where a refused request fails. */
function hereInstead(text: string, host: string): string {
  return text
    .replaceAll(address, host)
    .replaceAll(/\bcurl /g, 'curl --fail-with-body -sS --retry 60 --retry-delay 1 ')
    .replaceAll(/\bnpm run ([a-z]+) -- /g, (whole, script: string) => {
      const built = /\bnode (dist\/\S+)$/.exec(scripts[script] ?? '')?.[1]
      if (built === undefined) throw new Error(`no built script for ${whole}`)
      return `node ${join(projectRoot, built)} `
    })
}

interface Shell {
  readonly folder: string
  readonly service: Service | undefined
  /** Whether to end it after its first output. */
  readonly cut: boolean
}

function shell(command: string, { folder, cut }: Shell) {
  return new Promise<{ code: number | null; output: string }>((resolve) => {
    const child = execFile(
      'bash',
      ['-euo', 'pipefail', '-c', command],
      { cwd: folder, env: inherited(), maxBuffer: 64 * 1024 * 1024, killSignal: 'SIGKILL' },
      (error, stdout, stderr) => {
        const code = error === null || (cut && stdout !== '') ? 0 : 1
        resolve({ code, output: stdout + (code === 0 ? '' : stderr) })
      },
    )
    if (cut) {
      child.stdout!.on('data', (text: string) => {
        if (text.includes('event: ')) child.kill('SIGKILL')
      })
    }
  })
}

async function readiness({ address: base, output }: Service) {
  await expect
    .poll(async () => (await fetch(`${base}/readyz`)).status, { message: output() })
    .toBe(200)
}

/** Two games in the format of football-data.co.uk. */
const smallSeason = [
  'Div,Date,Time,HomeTeam,AwayTeam,FTHG,FTAG,FTR,B365H,B365D,B365A,PSH,PSD,PSA,B365CH,B365CD,B365CA,PSCH,PSCD,PSCA',
  'E0,16/08/2024,20:00,Man United,Fulham,1,0,H,1.60,4.20,5.25,1.63,4.38,5.30,1.65,4.20,5.00,1.66,4.15,5.13',
  'E0,17/08/2024,12:30,Ipswich,Liverpool,0,2,A,8.50,5.50,1.33,8.14,5.84,1.38,8.00,5.75,1.36,8.20,5.90,1.36',
  '',
].join('\n')
