/** The health check of the image asks the port that the process opens, at the address it listens on. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../../pipeline/settings/config.ts'
import { projectRoot } from '../../schemas/project-root.ts'

const dockerfile = readFileSync(join(projectRoot, 'infra', 'docker', 'Dockerfile'), 'utf8')
const [, variables] = /^ENV (.*)$/m.exec(dockerfile)!
const image: Record<string, string> = Object.fromEntries(
  variables!.split(' ').map((pair) => pair.split('=')),
)
const [, written] = /^HEALTHCHECK[^[]*CMD (\[.*\])$/m.exec(dockerfile)!
const [command, ...args] = JSON.parse(written!) as string[]

async function check(settings: Readonly<Record<string, string>>): Promise<number> {
  const env = { PATH: process.env.PATH, ...image, ...settings }
  const [code] = await once(spawn(command!, args, { env }), 'exit')
  return code
}

const kafka = {
  OVERROUND_KAFKA_BROKERS: 'a:9092',
  OVERROUND_SCHEMA_REGISTRY_URL: 'http://registry:8081',
}

test.each(['standalone', 'pipeline', 'api'])('the image as it is serves the role %s', (role) => {
  const { host, healthPort } = readConfig({ ...image, ...kafka, OVERROUND_ROLE: role })
  expect([host, healthPort]).toEqual(['0.0.0.0', 9464])
})

test.each([
  ['standalone', 'OVERROUND_PORT'],
  ['api', 'OVERROUND_PORT'],
  ['pipeline', 'OVERROUND_HEALTH_PORT'],
])('the check of the role %s asks at OVERROUND_HOST and %s', async (OVERROUND_ROLE, port) => {
  for (const [listens, host] of [
    ['127.0.0.1', '0.0.0.0'],
    ['127.0.0.2', '127.0.0.2'],
  ] as const) {
    const asked: string[] = []
    const server = createServer(({ url }, response) => {
      asked.push(url!)
      response.end('{}')
    })
    await new Promise<void>((listening) => server.listen(0, listens, listening))
    const settings = {
      OVERROUND_ROLE,
      OVERROUND_HOST: host,
      [port]: String((server.address() as AddressInfo).port),
    }
    expect([host, await check(settings), asked]).toEqual([host, 0, ['/livez']])
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
    expect(await check(settings)).toBe(1)
  }
})
