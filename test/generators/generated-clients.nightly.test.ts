/**
 * Clients made by third-party generators from the served document: made, compiled or imported, and called
 * against a running service. Generators come from PyPI, Maven Central and npm once, into a folder of the
 * machine's temporary directory; where one cannot be had, its test is skipped by name.
 */

import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projectRoot } from '../../schemas/project-root.ts'
import { fillBoard } from '../api/filled-board.ts'
import { type InProcess, keys, startInProcess } from '../api/service-in-process.ts'
import { havePython } from '../clients/have-python.ts'

const run = promisify(execFile)

const pythonPackages = ['openapi-python-client==0.29.1', 'datamodel-code-generator==0.89.0']
const jar = {
  address:
    'https://repo1.maven.org/maven2/org/openapitools/openapi-generator-cli/7.17.0/openapi-generator-cli-7.17.0.jar',
  sha256: '25d6bd8273dd2be99979d544b62ea43f0ce1975f1aa582678b5093d1e7fcfce8',
}

const kept = join(tmpdir(), 'overround-generators')

const python = await havePython([...pythonPackages, 'urllib3', 'python-dateutil'])
const generator = await haveGenerator()

/** Returns the path of openapi-generator's jar; null without it or without Java. */
async function haveGenerator(): Promise<string | null> {
  const path = join(kept, 'openapi-generator-cli-7.17.0.jar')
  try {
    execFileSync('java', ['-version'], { stdio: 'ignore' })
    if (existsSync(path)) return path
    await mkdir(kept, { recursive: true })
    const bytes = Buffer.from(await (await fetch(jar.address)).arrayBuffer())
    if (createHash('sha256').update(bytes).digest('hex') !== jar.sha256) return null
    await writeFile(`${path}.part`, bytes)
    await rename(`${path}.part`, path)
    return path
  } catch {
    return null
  }
}

const hasGo = (() => {
  try {
    execFileSync('go', ['version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

let service: InProcess
let folder: string
let document: string

beforeAll(async () => {
  service = await startInProcess()
  await fillBoard(service)
  folder = await mkdtemp(join(tmpdir(), 'overround-clients-'))
  document = join(folder, 'openapi.json')
  await writeFile(document, (await service.request('/openapi.json')).text)
})
afterAll(async () => {
  await service.close()
  await rm(folder, { recursive: true, force: true })
})

/** Returns a program's output as JSON. It must not block, because the service runs in this process. */
async function printed(command: string, args: readonly string[], cwd: string) {
  const env = { ...process.env, BASE: new URL('/api/v1', service.base).href, KEY: keys.sharp }
  const { stdout } = await run(command, args, { cwd, env })
  return JSON.parse(stdout)
}

/** Returns the expected output of each client. */
async function expected() {
  const headers = { 'X-API-Key': keys.sharp }
  const { body } = await service.request('/odds?league=nba&limit=5', { headers })
  return {
    ids: body.data.map(({ id }: { id: string }) => id),
    total: body.pagination.total,
    refused: 'invalid_filter',
  }
}

describe.skipIf(!python)('openapi-python-client (from PyPI)', () => {
  it('makes a client with every JSON operation, which reads prices', async () => {
    const at = join(folder, 'python')
    const tool = ['-m', 'openapi_python_client', 'generate']
    const { stdout, stderr } = await run(python!, [
      ...tool,
      '--path',
      document,
      '--output-path',
      at,
      '--meta',
      'none',
    ])
    expect(stdout + stderr).not.toMatch(/Unable to process schema|Endpoint will not be generated/)
    const program = `
import json, os
from python import AuthenticatedClient
from python.api.odds import get_odds
client = AuthenticatedClient(base_url=os.environ["BASE"], token=os.environ["KEY"], prefix="", auth_header_name="X-API-Key")
page = get_odds.sync(client=client, league=["nba"], limit=5)
refused = get_odds.sync(client=client, league=["no-league"])
print(json.dumps({"ids": [row.id for row in page.data], "total": page.pagination.total, "refused": refused.code}))
`
    expect(await printed(python!, ['-c', program], folder)).toEqual(await expected())
  })
})

describe.skipIf(!python)('datamodel-codegen (from PyPI)', () => {
  it('makes models that accept real responses', async () => {
    const options = ['--input-file-type', 'openapi', '--output-model-type', 'pydantic_v2.BaseModel']
    const files = ['--input', document, '--output', join(folder, 'models.py')]
    await run(python!, ['-m', 'datamodel_code_generator', ...files, ...options])
    const headers = { 'X-API-Key': keys.sharp }
    const { text } = await service.request('/odds?league=nba&limit=5', { headers })
    await writeFile(join(folder, 'odds.json'), text)
    const program = `
import json, models
page = models.GetOddsAnswer.model_validate_json(open("odds.json").read())
refused = models.ErrorAnswer.model_validate({"error": {"code": "invalid_filter", "message": ""}, "code": "invalid_filter"})
rows = [row.root if hasattr(row, "root") else row for row in page.data]
print(json.dumps({"ids": [getattr(row.id, "root", row.id) for row in rows], "total": page.pagination.total, "refused": refused.code}))
`
    expect(await printed(python!, ['-c', program], folder)).toEqual(await expected())
  })
})

/** Fast startup matters most for these short runs. */
const java = ['-XX:TieredStopAtLevel=1', '-jar']

/** Makes a client in its own folder, because several generators may use the same name. */
async function generate(name: string, ...options: readonly string[]): Promise<string> {
  const at = join(folder, `openapi-generator-${name}`)
  const without =
    '--global-property=apis,models,supportingFiles,apiTests=false,modelTests=false,apiDocs=false,modelDocs=false'
  const wanted = ['-i', document, '-g', name, '-o', at, ...options, without]
  await run('java', [...java, generator!, 'generate', ...wanted], { maxBuffer: 64 * 1024 * 1024 })
  return at
}

describe.skipIf(!generator || !python)('openapi-generator for Python (from Maven Central)', () => {
  it('makes a client that can be imported and reads every list', async () => {
    const at = await generate('python')
    const program = `
import json, os, inspect
import openapi_client as made
settings = made.Configuration(host=os.environ["BASE"], api_key={"apiKeyHeader": os.environ["KEY"]})
client = made.ApiClient(settings)
page = made.OddsApi(client).get_odds(league=["nba"], limit=5)
try:
    made.OddsApi(client).get_odds(league=["no-league"])
except made.exceptions.BadRequestException as error:
    refused = json.loads(error.body)["code"]
made.OddsApi(client).get_odds(group_by="event").data[0].odds[0].odds_decimal
for api in [getattr(made, name) for name in dir(made) if name.endswith("Api") and not name.startswith("Admin")]:
    for name in dir(api):
        if not name.startswith("get_") or name.endswith(("_with_http_info", "_without_preload_content")):
            continue
        call = getattr(api(client), name)
        if any(one.default is inspect.Parameter.empty for one in inspect.signature(call).parameters.values()):
            continue
        try:
            call()
        except made.exceptions.ApiException:
            pass
print(json.dumps({"ids": [row.id for row in page.data], "total": page.pagination.total, "refused": refused}))
`
    expect(await printed(python!, ['-c', program], at)).toEqual(await expected())
  })
})

/** The compiler and its options. */
const compiler = join(projectRoot, 'node_modules', '.bin', 'tsc')
const options = ['--target', 'es2022', '--lib', 'es2022,dom', '--skipLibCheck', '--strict']

/** Compiles outside our own settings. @throws Error with the compiler's messages */
async function compile(...args: readonly string[]) {
  await run(compiler, [...options, ...args], { cwd: folder }).catch(({ stdout }) => {
    throw new Error(stdout)
  })
}

describe.skipIf(!generator)(
  'openapi-generator for fetch in TypeScript (from Maven Central)',
  () => {
    it('makes a client that compiles and reads rows and groups of them', async () => {
      const at = await generate('typescript-fetch')
      const to = join(folder, 'typescript-fetch-js')
      await compile('--module', 'commonjs', '--outDir', to, join(at, 'index.ts'))
      const program = `
const { Configuration, OddsApi } = require(${JSON.stringify(join(to, 'index.js'))})
const odds = new OddsApi(new Configuration({ basePath: process.env.BASE, apiKey: process.env.KEY }))
const main = async () => {
  const page = await odds.getOdds({ league: ['nba'], limit: 5 })
  const some = await odds.getOdds({ fields: ['id'], limit: 1 })
  const [group] = (await odds.getOdds({ groupBy: 'event' })).data
  if (!group.odds[0].oddsDecimal || !some.data[0].id) throw new Error('a row lacks its members')
  const refused = await odds.getOdds({ league: ['no-league'] }).catch((error) => error.response.json())
  console.log(JSON.stringify({ ids: page.data.map(({ id }) => id), total: page.pagination.total, refused: refused.code }))
}
main()
`
      expect(await printed('node', ['-e', program], folder)).toEqual(await expected())
    })
  },
)

const orval = await haveOrval()

/** Returns orval's path, installed once in the machine's temporary directory; null where it cannot be had. */
async function haveOrval(): Promise<string | null> {
  const at = join(kept, 'orval-7.13.2')
  const program = join(at, 'node_modules', '.bin', 'orval')
  try {
    if (existsSync(program)) return program
    await run('npm', ['install', '--prefix', at, '--ignore-scripts', 'orval@7.13.2'])
    return program
  } catch {
    return null
  }
}

describe.skipIf(!orval)('orval (from npm)', () => {
  it('makes a client that compiles', async () => {
    const at = join(folder, 'orval.ts')
    await run(orval!, ['--input', document, '--output', at, '--client', 'fetch'])
    await compile('--module', 'esnext', '--noEmit', at)
  })
})

describe.skipIf(!generator || !hasGo)('openapi-generator for Go (from Maven Central)', () => {
  it('makes a client that compiles and reads prices', async () => {
    const at = await generate('go', '--git-user-id', 'overround', '--git-repo-id', 'client')
    expect(await readFile(join(at, 'go.mod'), 'utf8')).toContain(
      'module github.com/overround/client',
    )
    await mkdir(join(at, 'read'))
    await writeFile(
      join(at, 'read', 'main.go'),
      `package main

import (
	"context"
	"encoding/json"
	"os"

	client "github.com/overround/client"
)

func main() {
	settings := client.NewConfiguration()
	settings.Servers = client.ServerConfigurations{{URL: os.Getenv("BASE")}}
	settings.AddDefaultHeader("X-API-Key", os.Getenv("KEY"))
	odds := client.NewAPIClient(settings).OddsAPI
	page, _, err := odds.GetOdds(context.Background()).League([]string{"nba"}).Limit(5).Execute()
	if err != nil {
		panic(err)
	}
	ids := []string{}
	for _, row := range page.Data {
		ids = append(ids, row.GetId())
	}
	_, _, err = odds.GetOdds(context.Background()).League([]string{"no-league"}).Execute()
	refusal := err.(*client.GenericOpenAPIError).Model().(client.ErrorAnswer)
	told := map[string]any{"ids": ids, "total": page.Pagination.Total, "refused": refusal.Code}
	_ = json.NewEncoder(os.Stdout).Encode(told)
}
`,
    )
    await run('go', ['mod', 'tidy'], { cwd: at })
    expect(await printed('go', ['run', './read'], at)).toEqual(await expected())
  })
})
