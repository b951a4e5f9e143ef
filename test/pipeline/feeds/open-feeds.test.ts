import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, describe, expect, it } from 'vitest'
import { checkFeeds, openFeeds } from '../../../pipeline/feeds/open-feeds.ts'
import { ConfigError, readConfig } from '../../../pipeline/settings/config.ts'
import { projectRoot } from '../../../schemas/project-root.ts'

const dir = mkdtempSync(join(tmpdir(), 'overround-feeds-'))
afterAll(() => rmSync(dir, { recursive: true }))

const file = (name: string, text: string) => {
  const path = join(dir, name)
  writeFileSync(path, text)
  return path
}
const configOf = (feeds: string, feedsFile?: string) =>
  readConfig({
    OVERROUND_FEEDS: feeds,
    ...(feedsFile !== undefined && { OVERROUND_FEEDS_FILE: feedsFile }),
  })
const open = (...stated: Parameters<typeof configOf>) =>
  openFeeds(configOf(...stated), pino({ level: 'silent' }), Date.now)
const check = (...stated: Parameters<typeof configOf>) =>
  checkFeeds(open(...stated), configOf(...stated))

const kambi = file('kambi.json', '{"kambi": {"operator": "ub", "paths": ["football"]}}')
const wrong: Record<string, [feeds: string, feedsFile: string | undefined, says: RegExp]> = {
  'an unknown name': [
    'kambii',
    undefined,
    /^OVERROUND_FEEDS: "kambii" is no feed; take from .*kambi,/,
  ],
  'a name of every object': ['constructor', kambi, /^OVERROUND_FEEDS: "constructor" is no feed/],
  'none beside another': ['none,simulator', undefined, /^OVERROUND_FEEDS: none stands alone/],
  'a live feed without settings': [
    'pinnacle',
    kambi,
    /^OVERROUND_FEEDS: "pinnacle" needs settings; name a JSON file/,
  ],
  'a recording that is not there': [
    'replay:/no/such.csv',
    undefined,
    /^OVERROUND_FEEDS: \/no\/such.csv does not exist; name a recorded file/,
  ],
  'a replay of nothing': [
    'replay:',
    undefined,
    /^OVERROUND_FEEDS: a replay is written replay:<path>/,
  ],
  'a replay with a parameter we do not know': [
    `replay:${kambi}?sped=1`,
    undefined,
    /^OVERROUND_FEEDS: a replay has no parameter sped; it has speed/,
  ],
  'a settings file that is not there': [
    'kambi',
    join(dir, 'none.json'),
    /none.json does not exist; name the file/,
  ],
  'a settings file that is a directory': ['kambi', dir, /cannot be read \(EISDIR\)/],
  'a settings file that is a device': [
    'kambi',
    '/dev/zero',
    /^OVERROUND_FEEDS_FILE: \/dev\/zero cannot be read \(it is a device/,
  ],
  'a settings file that is no JSON': [
    'kambi',
    file('cut.json', '{"kambi":\n {'),
    /cut.json is not JSON: /,
  ],
  'a settings file of another shape': [
    'kambi',
    file('list.json', '[1]'),
    /has to hold one JSON object/,
  ],
  'settings that do not fit': [
    'kambi',
    file('odd.json', '{"kambi": {"operator": 1}}'),
    /correct "kambi" in .*odd.json: operator: /,
  ],
  'a recording beside another feed': [
    `simulator, replay:${kambi}`,
    undefined,
    /a recording brings its own time.*retime=true/,
  ],
  'a recording that runs ahead of another feed': [
    `simulator, replay:${kambi}?retime=true&speed=10`,
    undefined,
    /faster than the clock runs ahead of the other feeds; leave out its speed/,
  ],
  'a recording as fast as it goes beside another feed': [
    `simulator, replay:${kambi}?retime=true&speed=0`,
    undefined,
    /faster than the clock/,
  ],
  'middle prices that could be bet at': [
    'betfair-exchange',
    file(
      'mid.json',
      '{"betfair-exchange": {"appKey": "a", "sessionToken": "b", "marketFilter": {}, "mid": true}}',
    ),
    /nobody can bet at betfair_mid: add it to OVERROUND_REFERENCES, and start the service again/,
  ],
  'middle prices of Matchbook that could be bet at': [
    'matchbook',
    file(
      'mids.json',
      '{"matchbook": {"username": "a", "password": "b", "sports": [15], "mid": true}}',
    ),
    /nobody can bet at matchbook_mid/,
  ],
  'settings that are none': [
    'kambi',
    file('null.json', '{"kambi": null}'),
    /correct "kambi" in .*null.json: /,
  ],
}

describe('feeds', () => {
  it.each(Object.entries(wrong))(
    'are refused in one line for %s',
    (_, [feeds, feedsFile, says]) => {
      try {
        open(feeds, feedsFile)
      } catch (error) {
        expect(error).toBeInstanceOf(ConfigError)
        expect((error as Error).message).toMatch(says)
        expect((error as Error).message).not.toContain('\n')
        return
      }
      expect.unreachable('they opened')
    },
  )

  it('are opened without a key if none is needed, as in the guide', () => {
    const guide = readFileSync(join(projectRoot, 'docs', 'sources.md'), 'utf8')
    const [, feeds = '', path = ''] =
      /OVERROUND_FEEDS=(kalshi\S+) OVERROUND_FEEDS_FILE=(\S+)/.exec(guide) ?? []
    expect(open(feeds, join(projectRoot, path)).map(({ name }) => name)).toEqual([
      'kalshi',
      'polymarket',
      'sx-bet',
    ])
  })

  it('are opened with middle prices that are references', () => {
    const settings = {
      'betfair-exchange': { appKey: 'a', sessionToken: 'b', marketFilter: {}, mid: true },
      matchbook: { username: 'a', password: 'b', sports: [15], mid: true },
    }
    const names = Object.keys(settings)
    const config = readConfig({
      OVERROUND_FEEDS: names.join(),
      OVERROUND_FEEDS_FILE: file('named.json', JSON.stringify(settings)),
      OVERROUND_REFERENCES: 'betfair_mid,matchbook_mid',
    })
    const opened = openFeeds(config, pino({ level: 'silent' }), Date.now)
    expect(opened.map(({ name }) => name)).toEqual(names)
  })

  it('are opened with the keys of exchanges', () => {
    const keys = {
      matchbook: { username: 'a', password: 'b', sports: [15], baseUrl: 'http://127.0.0.1:1' },
      novig: { clientId: 'a', clientSecret: 'b', leagues: ['NBA'] },
      prophetx: { apiKey: 'a', tournaments: [3] },
    }
    const names = Object.keys(keys)
    const opened = open(names.join(), file('keys.json', JSON.stringify(keys)))
    expect(opened.map(({ name }) => name)).toEqual(names)
  })

  it.each([
    ['of no known shape', file('none.csv', 'a,b\n1,2\n'), 'is not a recording of a known shape'],
    ['in UTF-16', file('wide.csv', '\uFEFFa\0b\0c\0d\0'), 'is text in UTF-16'],
    ['without a recording', mkdtempSync(join(dir, 'empty-')), 'holds no recording'],
  ])('a recording %s is refused before it runs', async (_, path, reason) => {
    const checked = check(`replay:${path}`)
    await expect(checked).rejects.toThrow(ConfigError)
    await expect(checked).rejects.toThrow(`OVERROUND_FEEDS: ${path} ${reason}`)
  })

  it('are refused before they run for a certificate that cannot be read', async () => {
    const settings = {
      ...{ appKey: 'a', username: 'b', password: 'c', marketFilter: {} },
      ...{ certFile: file('cert.pem', 'certificate'), keyFile: join(dir, 'none.pem') },
    }
    const path = file('betfair.json', JSON.stringify({ 'betfair-exchange': settings }))
    const checked = check('betfair-exchange', path)
    await expect(checked).rejects.toThrow(ConfigError)
    await expect(checked).rejects.toThrow(/correct "betfair-exchange" in .*none\.pem .*\(ENOENT\)/)
  })

  it('are opened by name', () => {
    const feeds = open(`simulator, kambi, replay:${kambi}?retime=true`, kambi)
    expect(feeds.map(({ name }) => name)).toHaveLength(3)
    expect(open(`replay:${kambi}`)).toHaveLength(1)
    expect(open('none')).toEqual([])
  })
})
