import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allowedFallback } from '../../api/answer/book-addresses.ts'
import { createSignedLinks } from '../../api/answer/signed-links.ts'
import { type InProcess, keys, oddsRecord, startInProcess } from './service-in-process.ts'

const now = Date.parse('2026-11-20T12:00:00.000Z')

const moneyline = (
  sportsbook: string,
  prices: readonly [number, number],
  ids: { readonly event?: string; readonly market?: string; readonly link?: string } = {},
  at = now,
) =>
  oddsRecord(at, {
    sportsbook,
    ...(ids.event !== undefined && { externalId: ids.event }),
    markets: [
      {
        market_type: 'moneyline',
        ...(ids.market !== undefined && { external_id: ids.market }),
        selections: [
          {
            selection_type: 'home',
            odds_decimal: prices[0],
            ...(ids.market !== undefined && { external_id: 'sel 1/a' }),
            ...(ids.link !== undefined && { deep_link: ids.link }),
          },
          { selection_type: 'away', odds_decimal: prices[1] },
        ],
      },
    ],
  })

it('signs many prices at once as it signs each', () => {
  const links = createSignedLinks('a secret of these tests')
  const ids = [0, 7, 123_456_789, Number.MAX_SAFE_INTEGER]
  expect(links.pathsOf(ids)).toEqual(ids.map((id) => links.pathOf(id)))
  expect(links.pathsOf([])).toEqual([])
})

let service: InProcess
/** Odds ids of the home prices, and the paths that lead to them, by sportsbook. */
const home: Record<string, string> = {}
const links: Record<string, string> = {}
beforeAll(async () => {
  service = await startInProcess()
  await service.ingest([
    moneyline('pinnacle', [1.9, 1.99]),
    moneyline('draftkings', [2.1, 1.8], { event: 'dk&1', market: 'm1' }),
    moneyline('fanduel', [1.8, 2.08], { event: 'fd1', market: 'm 2' }),
    moneyline('betmgm', [1.9, 1.9], { event: 'b1' }),
    moneyline('caesars', [1.9, 1.9], { link: 'https://sportsbook.caesars.com/us/nj/bet?x=1' }),
    moneyline('betrivers', [1.9, 1.9], { link: 'https://evil.example/?x=1' }),
    moneyline('bookmaker', [1.9, 1.9]),
    moneyline('ballybet', [1.9, 1.9], { link: 'https://ⓟlay.ⓑallybet.com/bet/ä?é=1#ü' }),
    moneyline('bovada', [1.9, 1.9], { link: 'HTTPS://WWW.BOVADA.LV/../a b' }),
    moneyline('betonline', [1.9, 1.9], { link: 'HTTPS://Sports.BetOnline.ag/x/../%e2%93%93' }),
    moneyline('hardrock', [1.9, 1.9], { link: 'https://app.hardrock.bet/slip/7' }),
    moneyline('thescorebet', [1.9, 1.9], { link: 'https://thescore.bet.evil.example/' }),
  ])
  await service.settled()
  const { body } = await service.get('/odds?market=moneyline&limit=200')
  for (const row of body.data) {
    if (row.selection_type !== 'home') continue
    home[row.sportsbook] = row.id
    links[row.sportsbook] = row.deep_link?.replace('/api/v1', '')
  }
})
afterAll(() => service.close())

const follow = async (path: string, key?: string, own = service) => {
  const response = await fetch(own.base + path, {
    redirect: 'manual',
    headers: key === undefined ? {} : { 'X-API-Key': key },
  })
  const { status, headers } = response
  const text = await response.text()
  return {
    status,
    to: headers.get('location'),
    type: headers.get('x-deep-link-type'),
    cache: headers.get('cache-control'),
    code: text === '' ? undefined : (JSON.parse(text) as { code: string }).code,
  }
}

describe('a link to a price', () => {
  it.each([
    [
      'draftkings',
      '',
      'outcome',
      'https://sportsbook.draftkings.com/event/dk%261?outcomes=sel%201%2Fa',
    ],
    [
      'fanduel',
      '',
      'outcome',
      'https://sportsbook.fanduel.com/addToBetslip?marketId=m%202&selectionId=sel%201%2Fa',
    ],
    ['betmgm', '', 'homepage', 'https://sports.betmgm.com/en/sports?state=pa'],
    ['betmgm', '?state=NJ', 'homepage', 'https://sports.betmgm.com/en/sports?state=nj'],
    ['betmgm', '?state=tx', 'homepage', 'https://sports.betmgm.com/en/sports'],
    ['caesars', '', 'outcome', 'https://sportsbook.caesars.com/us/nj/bet?x=1'],
    // A link to another host of the sportsbook's own domain is followed, a link to another domain is not.
    ['hardrock', '', 'outcome', 'https://app.hardrock.bet/slip/7'],
    ['thescorebet', '', 'homepage', 'https://thescore.bet/'],
    ['betrivers', '?state=nj', 'homepage', 'https://nj.betrivers.com/'],
  ])('at %s%s leads to its %s', async (sportsbook, query, type, to) => {
    const answer = await follow(`${links[sportsbook]}${query}`)
    expect(answer).toMatchObject({ status: 302, type, to, cache: 'private, max-age=60' })
  })

  it.each([
    ['ballybet', 'https://play.ballybet.com/bet/%C3%A4?%C3%A9=1#%C3%BC'],
    ['bovada', 'https://www.bovada.lv/sports'],
    ['betonline', 'https://sports.betonline.ag/%e2%93%93'],
  ])(
    'at %s leads to the parsed address, and not to the text as written',
    async (sportsbook, to) => {
      const { body } = await service.get(`/deeplinks?id=${home[sportsbook]}`)
      expect(body.data.deep_links).toEqual({ [sportsbook]: to })
    },
  )

  it('leads to the event where the selection has no id', async () => {
    const { body } = await service.get('/odds?market=moneyline&sportsbook=draftkings')
    const away = body.data.find((row: { selection_type: string }) => row.selection_type === 'away')
    expect(await follow(away.deep_link.replace('/api/v1', ''))).toMatchObject({
      type: 'event',
      to: 'https://sportsbook.draftkings.com/event/dk%261',
    })
  })

  it.each([
    ['of a sportsbook without addresses', () => `/deeplink/${home.bookmaker}`],
    ['of another sportsbook than asked for', () => `${links.draftkings}?book=fanduel`],
    ['of no price', () => '/deeplink/100000000000000'],
    ['that is none', () => '/deeplink/%0d%0aX:y'],
  ])('%s is a 404', async (_name, path) => {
    expect(await follow(path())).toMatchObject({ status: 404, code: 'not_found', to: null })
  })

  it('that is gone leads to the event or homepage of the sportsbook that the client names', async () => {
    const path = createSignedLinks(service.log.secret).pathOf(1e14)
    const gone = `${path.replace('/api/v1', '')}?book=DraftKings`
    const { body } = await service.get('/events')
    expect(await follow(`${gone}&game_id=${body.data[0].id}`, keys.sharp)).toMatchObject({
      type: 'event',
      to: 'https://sportsbook.draftkings.com/event/dk%261',
    })
    expect(await follow(`${gone}&game_id=nba_x_y_2026-11-20_b1&home=a&away=b`)).toMatchObject({
      type: 'homepage',
      to: 'https://sportsbook.draftkings.com/',
    })
  })
})

describe('the state of an address that a feed stated', () => {
  const linked = {
    betmgm: 'https://sports.{state}.betmgm.com/en/sports?options=2',
    caesars: 'https://sportsbook.caesars.com/us/%7Bstate%7D/bet/betslip?selectionIds=7',
    betrivers: 'https://{state}.betrivers.com/?page=sportsbook#event/1',
    draftkings:
      'https://sportsbook.draftkings.com/event/dk1?outcomes={pickType}&wager={wagerAmount}',
    bovada: 'https://www.bovada.lv/{pickType}',
  }
  const fixed = {
    betmgm: 'https://sports.nj.betmgm.com/en/sports?options=2&state=nj',
    caesars: 'https://sportsbook.caesars.com/us/pa/bet/betslip?selectionIds=7',
    betrivers: 'https://pa.betrivers.com/?page=sportsbook&state=pa#event/1',
    draftkings: 'https://pa.draftkings.com/us/pa/?state=pa',
    hardrock: 'https://app.hardrock.bet/us/nj/7',
  }
  const teams = { home: 'Utah Jazz', away: 'Miami Heat' }
  let own: InProcess
  beforeAll(async () => {
    own = await startInProcess()
    const push = (of: object, addresses: Readonly<Record<string, string>>) =>
      Object.entries(addresses).map(([sportsbook, link]) => ({
        ...moneyline(sportsbook, [2, 1.95], { event: 'dk1', link }),
        ...of,
      }))
    const other = {
      event: {
        ...moneyline('x', [2, 2]).event,
        ...{ home_team: teams.home, away_team: teams.away },
      },
    }
    await own.ingest([...push({}, linked), ...push(other, fixed)])
    await own.settled()
  })
  afterAll(() => own.close())

  const rowOf = async (of: object, query = '') => {
    const [sportsbook, isFixed] = Object.entries(of)[0]!
    const { body } = await own.get(
      `/odds?market=moneyline&sportsbook=${sportsbook}&limit=200${query}`,
    )
    return body.data.find(
      (row: { selection_type: string; home_team: string }) =>
        row.selection_type === 'home' && (row.home_team === teams.home) === isFixed,
    )
  }

  it.each([
    ['betmgm', '', 'outcome', 'https://sports.pa.betmgm.com/en/sports?options=2'],
    ['betmgm', 'nj', 'outcome', 'https://sports.nj.betmgm.com/en/sports?options=2'],
    ['caesars', '', 'outcome', 'https://sportsbook.caesars.com/us/pa/bet/betslip?selectionIds=7'],
    ['caesars', 'NJ', 'outcome', 'https://sportsbook.caesars.com/us/nj/bet/betslip?selectionIds=7'],
    ['betrivers', '', 'outcome', 'https://pa.betrivers.com/?page=sportsbook#event/1'],
    ['betrivers', 'nj', 'outcome', 'https://nj.betrivers.com/?page=sportsbook#event/1'],
    ['draftkings', 'nj', 'event', 'https://sportsbook.draftkings.com/event/dk1'],
    ['bovada', '', 'homepage', 'https://www.bovada.lv/sports'],
  ])('fills the placeholder of %s for %j', async (book, state, type, to) => {
    const row = await rowOf({ [book]: false }, state && `&state=${state}`)
    expect(await follow(row.deep_link.replace('/api/v1', ''), undefined, own)).toMatchObject({
      type,
      to,
    })
    const { body } = await own.get(`/deeplinks?id=${row.id}${state && `&state=${state}`}`)
    expect(body.data.deep_links).toEqual({ [book]: to })
    expect(body.data.redirect).toBe(row.deep_link)
  })

  it.each([
    ['betmgm', 'mi', 'https://sports.mi.betmgm.com/en/sports?options=2&state=mi'],
    ['caesars', 'mi', 'https://sportsbook.caesars.com/us/mi/bet/betslip?selectionIds=7'],
    ['betrivers', 'mi', 'https://mi.betrivers.com/?page=sportsbook&state=pa#event/1'],
    ['draftkings', 'mi', fixed.draftkings],
    ['hardrock', 'mi', fixed.hardrock],
    ...Object.entries(fixed).map(([book, link]): [string, string, string] => [book, '', link]),
  ])('is replaced at %s for %j, and kept where none is asked for', async (book, state, to) => {
    const row = await rowOf({ [book]: true }, state && `&state=${state}`)
    expect(await follow(row.deep_link.replace('/api/v1', ''), undefined, own)).toMatchObject({
      type: 'outcome',
      to,
    })
  })

  it.each([
    ['betmgm', 'tx'],
    ['caesars', 'ca'],
    ['betrivers', 'nv'],
  ] as const)('is kept at %s for %s, where it takes no bets', async (book, state) => {
    const row = await rowOf({ [book]: true }, `&state=${state}`)
    expect(await follow(row.deep_link.replace('/api/v1', ''), undefined, own)).toMatchObject({
      type: 'outcome',
      to: fixed[book],
    })
  })

  it('is that of the request in the addresses of a low hold', async () => {
    const links = async (query: string) => {
      const { body } = await own.get(`/opportunities/low_hold?max_hold=10${query}`)
      const item = body.data.find(
        ({ home_team }: { home_team: string }) => home_team === teams.home,
      )
      return [item.side1, item.side2].map((side) => side.deep_links.caesars)
    }
    const [of, mi] = [await links(''), await links('&state=mi')]
    expect(of).toContain(fixed.caesars)
    expect(mi).toContain(fixed.caesars.replace('/pa/', '/mi/'))
  })
})

describe('a link that is gone', () => {
  const gone = '/deeplink/100000000000000?book=draftkings'
  const dkEvent = 'https://sportsbook.draftkings.com/event/dk%261'
  const dkHome = 'https://sportsbook.draftkings.com/'
  const fallback = `&fallback=${encodeURIComponent('https://sportsbook.draftkings.com/x')}`
  let own: InProcess
  beforeAll(async () => {
    own = await startInProcess()
    await own.ingest([moneyline('draftkings', [2.1, 1.8], { event: 'dk&1' })])
    await own.settled()
  })
  afterAll(() => own.close())
  const teams = '&home=New%20York%20Knicks&away=Nets'

  it.each([
    ['to the event of these teams', `&league=NBA${teams}`, 'event', dkEvent],
    [
      'to the fallback before another game of the teams',
      `&league=NBA${teams}${fallback}`,
      null,
      'https://sportsbook.draftkings.com/x',
    ],
    ['by the sport alone', `&sport=basketball${teams}`, 'event', dkEvent],
    ['by a league in place of the sport', `&sport=NBA${teams}`, 'event', dkEvent],
    ['by turned sides', '&league=nba&home=Nets&away=Knicks', 'event', dkEvent],
    ['past an unknown game_id', `&game_id=nope&league=nba${teams}`, 'event', dkEvent],
    [
      'to the fallback where the game is not known',
      `&game_id=nope${fallback}`,
      null,
      'https://sportsbook.draftkings.com/x',
    ],
    ['to the homepage without a fallback', '&league=nba&home=Heat&away=Jazz', 'homepage', dkHome],
    ['not by teams of no league', teams, 'homepage', dkHome],
    ['not in another league', `&league=wnba${teams}`, 'homepage', dkHome],
  ])('leads %s', async (_name, query, type, to) => {
    expect(await follow(gone + query, keys.sharp, own)).toMatchObject({ status: 302, type, to })
  })

  it('leads nowhere by hints without a sportsbook', async () => {
    const path = gone.replace('book=draftkings', '')
    expect(await follow(`${path}league=nba${teams}`, keys.sharp, own)).toMatchObject({
      status: 404,
    })
    const { body } = await own.get('/events')
    expect(await follow(`${path}game_id=${body.data[0].id}`, keys.sharp, own)).toMatchObject({
      status: 404,
    })
  })

  it('leads to no event that the sportsbook does not list', async () => {
    const path = gone.replace('draftkings', 'fanatics')
    expect(await follow(`${path}&league=nba${teams}`, keys.sharp, own)).toMatchObject({
      type: 'homepage',
    })
  })
})

describe('the hints of a link without a key', () => {
  const dkEvent = 'https://sportsbook.draftkings.com/event/dk%261'
  const dkHome = 'https://sportsbook.draftkings.com/'

  it.each([
    ['lead to no event before the free tier sees it, though the link is signed', true, dkEvent],
    ['lead to none where the operator has turned plain ids off', false, dkHome],
  ])('%s', async (_name, publicRedirects, later) => {
    const own = await startInProcess({ publicRedirects })
    const offers = () => [
      moneyline('draftkings', [2.1, 1.8], { event: 'dk&1' }, own.clock()),
      moneyline('betmgm', [1.9, 1.9], {}, own.clock()),
    ]
    try {
      await own.ingest(offers())
      await own.settled()
      const { body } = await own.get('/odds?market=moneyline&sportsbook=betmgm')
      const [{ id, event_id, deep_link }] = body.data
      const gone = createSignedLinks(own.log.secret).pathOf(1e14)
      const paths = [deep_link, gone, `/api/v1/deeplink/${id}`]
      const ledTo = () =>
        Promise.all(
          paths.map(async (path) => {
            const hints = `?book=DraftKings&game_id=${event_id}`
            const { to } = await follow(path.replace('/api/v1', '') + hints, undefined, own)
            return to
          }),
        )
      expect(await ledTo()).toEqual([dkHome, dkHome, dkHome])
      own.advance(61_000)
      await own.ingest(offers())
      await own.settled()
      await expect.poll(ledTo).toEqual([later, later, later])
    } finally {
      await own.close()
    }
  })
})

describe('an id alone', () => {
  const get = (path: string, tier?: keyof typeof keys) =>
    fetch(service.base + path, {
      redirect: 'manual',
      headers: tier ? { 'X-API-Key': keys[tier] } : {},
    }).then(({ status }) => status)

  it('leads without a key to prices of the free tier, once they are shown there', async () => {
    const own = await startInProcess()
    const statuses = (ids: readonly string[]) =>
      Promise.all(
        ids.map(async (id) => {
          const response = await fetch(`${own.base}/deeplink/${id}`, { redirect: 'manual' })
          return response.status
        }),
      )
    const offers = [
      moneyline('draftkings', [2.1, 1.8]),
      moneyline('fanduel', [1.8, 2.08]),
      moneyline('pinnacle', [1.9, 1.99]),
    ]
    try {
      await own.ingest(offers)
      await own.settled()
      const { body } = await own.get('/odds?market=moneyline&limit=200')
      const idAt = (book: string): string =>
        body.data.find((row: { sportsbook: string }) => row.sportsbook === book).id
      const [item] = (await own.get('/opportunities/arbitrage?min_profit=0')).body.data
      const ids = [idAt('draftkings'), idAt('pinnacle'), item.id, '100000000000000', 'f'.repeat(16)]
      expect(await statuses(ids)).toEqual([404, 404, 404, 404, 404])
      own.advance(59_000)
      await own.ingest(offers)
      await own.settled()
      expect(await statuses(ids)).toEqual([404, 404, 404, 404, 404])
      own.advance(2_000)
      await expect.poll(() => statuses(ids)).toEqual([302, 404, 302, 404, 404])
    } finally {
      await own.close()
    }
  })

  it('leads without a key to an opportunity only when it is as old, whatever the age of its prices', async () => {
    const own = await startInProcess()
    const withFanDuelAt = (price: number, afterMs: number) => [
      moneyline('draftkings', [2.1, 1.8], {}, now + afterMs),
      moneyline('fanduel', [1.8, price], {}, now + afterMs),
    ]
    try {
      await own.ingest(withFanDuelAt(1.8, 0))
      await own.settled()
      own.advance(61_000)
      // Both prices have been on the free tier's board; the arbitrage is of this moment.
      await own.ingest(withFanDuelAt(2.08, 61_000))
      await own.settled()
      const [item] = (await own.get('/opportunities/arbitrage?min_profit=0')).body.data
      const { body } = await own.get('/odds?market=moneyline&sportsbook=fanduel')
      const status = async (id: string) =>
        (await fetch(`${own.base}/deeplink/${id}`, { redirect: 'manual' })).status
      await expect.poll(() => status(body.data[0].id)).toBe(302)
      expect(await status(item.id)).toBe(404)
      own.advance(59_000)
      await own.ingest(withFanDuelAt(2.08, 120_000))
      await own.settled()
      expect(await status(item.id)).toBe(404)
      own.advance(2_000)
      await expect.poll(() => status(item.id)).toBe(302)
    } finally {
      await own.close()
    }
  })

  it('leads without a key to an opportunity for as long as the free tier has its prices, and tells no end before', async () => {
    const own = await startInProcess()
    const withFanDuelAt = (price: number) => [
      moneyline('draftkings', [2.1, 1.8], { event: 'dk1' }, own.clock()),
      moneyline('fanduel', [1.8, price], { event: 'fd1' }, own.clock()),
    ]
    const push = async (price: number) => {
      await own.ingest(withFanDuelAt(price))
      await own.settled()
    }
    try {
      await push(2.08)
      const [item] = (await own.get('/opportunities/arbitrage?min_profit=0')).body.data
      const { redirect } = (await own.get(`/deeplinks?id=${item.id}`)).body.data
      own.advance(61_000)
      await push(2.08)
      const led = (path: string, key?: string) =>
        follow(path.replace('/api/v1', ''), key, own).then(({ status, to }) => [status, to])
      const plain = `/deeplink/${item.id}`
      await expect.poll(async () => (await led(plain))[0]).toBe(302)
      const before = await led(plain)
      await push(1.8)
      expect((await own.get('/opportunities/arbitrage?min_profit=0')).body.data).toEqual([])
      // A signed address and a key have the live board.
      expect((await led(redirect))[0]).toBe(404)
      expect((await led(plain, keys.pro))[0]).toBe(404)
      expect([await led(plain), await led(plain, keys.free)]).toEqual([before, before])
      own.advance(59_000)
      await push(1.8)
      expect(await led(plain)).toEqual(before)
      own.advance(2_000)
      await expect.poll(async () => (await led(plain))[0]).toBe(404)
    } finally {
      await own.close()
    }
  })

  it('leads nowhere without a key if the operator forbids it', async () => {
    const own = await startInProcess({ publicRedirects: false })
    try {
      await own.ingest([moneyline('draftkings', [2.1, 1.8])])
      await own.settled()
      own.advance(61_000)
      const { body } = await own.get('/odds?market=moneyline')
      const [{ id, deep_link }] = body.data
      const status = async (path: string) =>
        (await fetch(own.base.replace('/api/v1', '') + path, { redirect: 'manual' })).status
      expect(await status(deep_link)).toBe(302)
      expect(await status(`/api/v1/deeplink/${id}`)).toBe(404)
    } finally {
      await own.close()
    }
  })

  it('leads to no event by a hint alone', async () => {
    const { body } = await service.get('/opportunities/arbitrage?min_profit=0')
    const hint = await fetch(
      `${service.base}/deeplink/1?book=draftkings&game_id=${body.data[0].event_id}`,
      {
        redirect: 'manual',
      },
    )
    expect(hint.headers.get('location')).not.toContain('dk%261')
  })

  it('leads with a key to everything the key sees', async () => {
    expect(await get(`/deeplink/${home.draftkings}`, 'pro')).toBe(302)
    expect(await get(`/deeplink/${home.caesars}`, 'sharp')).toBe(302)
    expect(await get(`/deeplink/${home.pinnacle}`, 'pro')).toBe(404)
  })

  it('does not accept another id’s signature, nor a changed one', async () => {
    const [, signature = ''] = links.draftkings!.split('-')
    const turned = signature.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))
    expect(await get(`/deeplink/${home.fanduel}-${signature}`)).toBe(404)
    expect(await get(`/deeplink/${home.draftkings}-${turned}`)).toBe(404)
    expect(await get(`/deeplink/${home.draftkings}-${signature}`)).toBe(302)
  })

  it('has the same signature in every process with the secret, also after a restart', () => {
    const [one, other, another] = ['a', 'a', 'b'].map(createSignedLinks)
    expect(one!.pathOf(482107733915460)).toBe(other!.pathOf('482107733915460'))
    expect(one!.pathOf(482107733915460)).not.toBe(another!.pathOf(482107733915460))
  })
})

describe('a link to an opportunity', () => {
  it('leads to its first leg, or to the leg at a sportsbook', async () => {
    const { body } = await service.get('/opportunities/arbitrage?min_profit=0')
    const [item] = body.data
    expect(item.legs.map((leg: { sportsbook: string }) => leg.sportsbook)).toEqual([
      'draftkings',
      'fanduel',
    ])
    const { redirect } = (await service.get(`/deeplinks?id=${item.id}`)).body.data
    const path = redirect.replace('/api/v1', '')
    expect(await follow(path)).toMatchObject({
      type: 'outcome',
      to: 'https://sportsbook.draftkings.com/event/dk%261?outcomes=sel%201%2Fa',
    })
    expect(await follow(`${path}?book=fanduel`)).toMatchObject({
      type: 'homepage',
      to: 'https://sportsbook.fanduel.com/',
    })
    expect(await follow(`${path}?book=pinnacle`)).toMatchObject({ status: 404 })
  })
})

describe('beside its links', () => {
  const shared = { home: 'Utah Jazz', away: 'Miami Heat' }
  let own: InProcess
  let id: string
  beforeAll(async () => {
    own = await startInProcess()
    await own.ingest([
      oddsRecord(now, { ...shared, sportsbook: 'draftkings', prices: [2, 1.9] }),
      oddsRecord(now, { ...shared, sportsbook: 'fanduel', prices: [1.9, 2] }),
      oddsRecord(now, { ...shared, sportsbook: 'betmgm', prices: [2, 1.8] }),
      oddsRecord(now, { ...shared, sportsbook: 'pinnacle', prices: [2, 1.95] }),
    ])
    await own.settled()
    const { body } = await own.get('/opportunities/low_hold')
    expect(body.data[0].side1.books).toEqual(['betmgm', 'draftkings', 'pinnacle'])
    id = body.data[0].id
  })
  afterAll(() => own.close())

  it('an opportunity does not reveal prices that not all of its viewers see', async () => {
    const statuses: Record<string, number> = {}
    const { redirect } = (await own.get(`/deeplinks?id=${id}`)).body.data
    for (const book of ['draftkings', 'betmgm', 'fanduel', 'pinnacle']) {
      const path = `${own.base.replace('/api/v1', '')}${redirect}?book=${book}`
      statuses[book] = (await fetch(path, { redirect: 'manual' })).status
    }
    expect(statuses).toEqual({ draftkings: 302, betmgm: 302, fanduel: 302, pinnacle: 404 })
    const booksFor = async (tier: keyof typeof keys) =>
      Object.keys((await own.get(`/deeplinks?id=${id}`, tier)).body.data.deep_links).sort()
    expect(await booksFor('pro')).toEqual(['betmgm', 'draftkings', 'fanduel'])
    expect(await booksFor('sharp')).toEqual(['betmgm', 'draftkings', 'fanduel', 'pinnacle'])
  })

  it('an opportunity skips a sportsbook without addresses', async () => {
    const other = { home: 'Denver Nuggets', away: 'Phoenix Suns' }
    await own.ingest([
      oddsRecord(now, { ...other, sportsbook: 'bookmaker', prices: [2.1, 1.8] }),
      oddsRecord(now, { ...other, sportsbook: 'caesars', prices: [1.8, 1.95] }),
    ])
    await own.settled()
    const { data } = (await own.get('/opportunities/arbitrage')).body
    const item = data.find(({ home_team }: { home_team: string }) => home_team === other.home)
    expect(item.legs[0].sportsbook).toBe('bookmaker')
    const { redirect } = (await own.get(`/deeplinks?id=${item.id}`)).body.data
    const path = `${own.base.replace('/api/v1', '')}${redirect}`
    const led = await fetch(path, { redirect: 'manual' })
    expect([led.status, led.headers.get('location')]).toEqual([
      302,
      expect.stringMatching(/^https:\/\/[a-z.]*caesars\.com\//),
    ])
    const asked = await fetch(`${path}?book=bookmaker`, { redirect: 'manual' })
    expect(asked.status).toBe(404)
  })

  it('nothing reveals when another sportsbook was last observed', async () => {
    const updates = async () => {
      const one = await own.get(`/deeplinks?id=${id}`, 'pro')
      const many = await own.request('/deeplinks/batch', {
        method: 'POST',
        headers: { 'X-API-Key': keys.pro },
        body: JSON.stringify({ ids: [id, '100000000000000'] }),
      })
      const none = await own.request('/deeplinks/batch', {
        method: 'POST',
        headers: { 'X-API-Key': keys.pro },
        body: JSON.stringify({ ids: ['100000000000000'] }),
      })
      return [one, many, none].map(({ body }) => body.meta.updated_at)
    }
    const seen = new Date(now).toISOString()
    expect(await updates()).toEqual([seen, seen, null])
    own.advance(7_000)
    await own.ingest([oddsRecord(own.clock(), { sportsbook: 'pinnacle', prices: [3, 1.4] })])
    await own.settled()
    expect(await updates()).toEqual([seen, seen, null])
  })
})

describe('a fallback', () => {
  const gone = '/deeplink/100000000000000?fallback='
  it.each([
    'https://links.example/a?b=c',
    'https://www.links.example/',
    'https://sportsbook.draftkings.com/x',
    'https://www.draftkings.com/x',
  ])('to %s is followed', async (to) => {
    expect(await follow(gone + encodeURIComponent(to))).toMatchObject({ status: 302, to })
  })

  it.each([
    ['https://ⓓraftkings.com/', 'https://draftkings.com/'],
    ['HTTPS://DraftKings.com/../ä', 'https://draftkings.com/%C3%A4'],
    ['https://draftkings。com/', 'https://draftkings.com/'],
  ])('to %s is followed in its parsed form', (fallback, to) => {
    expect(allowedFallback(fallback, [])).toBe(to)
  })

  it('is ignored while there is a link', async () => {
    const to = encodeURIComponent('https://links.example/')
    const answer = await follow(`${links.draftkings}?fallback=${to}`)
    expect(answer.to).toContain('draftkings.com')
  })

  it.each([
    'http://links.example/',
    '//links.example/',
    '/links.example',
    'https://evil.example/',
    'https://evil.co.uk/',
    'https://evildraftkings.com/',
    'https://evil.example@links.example/',
    'https://links.example@evil.example/',
    'https://links.example:444/',
    'https://links.example.evil.example/',
    'https://evillinks.example/',
    'https://evil.example/links.example',
    'https://evil.example#links.example',
    'https:\\\\links.example',
    'https://links.example\\@evil.example/',
    'https://links.example/\r\nX-Evil: 1',
    'https://links.example /',
    'javascript:alert(1)//links.example',
    'data:text/html,links.example',
    'https:/links.example',
    'https:evil.example',
    'https://lіnks.example/',
    'links.example',
    'https://',
    '',
  ])('to %j counts as absent', async (to) => {
    expect(allowedFallback(to, ['links.example'])).toBeNull()
    const answer = await follow(gone + encodeURIComponent(to))
    expect(answer).toMatchObject({ status: 404, to: null })
  })
})

describe('links as JSON', () => {
  const batch = (body: object, tier: keyof typeof keys = 'sharp') =>
    service.request('/deeplinks/batch', {
      method: 'POST',
      headers: { 'X-API-Key': keys[tier], 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })

  it('equal those of the opportunity or the price', async () => {
    const { body } = await service.get('/opportunities/arbitrage?min_profit=0')
    const { id } = body.data[0]
    const shown = {
      draftkings: 'https://sportsbook.draftkings.com/event/dk%261?outcomes=sel%201%2Fa',
      fanduel: 'https://sportsbook.fanduel.com/',
    }
    const ofOpportunity = await service.get(`/deeplinks?id=${id}`)
    expect(ofOpportunity.body.data).toEqual({
      id,
      deep_links: shown,
      redirect: expect.stringMatching(`^/api/v1/deeplink/${id}-[0-9a-f]{12}$`),
    })
    const ofPrice = await service.get(`/deeplinks?id=${home.betmgm}&state=nj`)
    expect(ofPrice.body.data.deep_links).toEqual({
      betmgm: 'https://sports.betmgm.com/en/sports?state=nj',
    })
    const many = await batch({
      ids: [id, home.draftkings, home.bookmaker, 'x', id, '100000000000000'],
    })
    expect(many.body.data).toEqual({
      [id]: shown,
      [home.draftkings!]: `/api/v1${links.draftkings}`,
      [home.bookmaker!]: null,
      x: null,
      '100000000000000': null,
    })
    expect(many.body.meta).toMatchObject({ count: 5, found: 2 })
  })

  it('of many lead to the pages of the state, like each of them alone', async () => {
    const { body } = await batch({ ids: [home.betmgm], state: 'NJ' })
    const path = body.data[home.betmgm!]
    expect(path.replace(/-[^?]*/, '')).toBe(`/api/v1/deeplink/${home.betmgm}?state=nj`)
    const alone = await service.get(`/deeplinks?id=${home.betmgm}&state=NJ`)
    expect((await follow(path.replace('/api/v1', ''))).to).toBe(alone.body.data.deep_links.betmgm)
    expect((await batch({ ids: [home.betmgm], state: 'zz' })).body.code).toBe('validation_error')
  })

  it('are of the sportsbooks that the tier sees', async () => {
    const { body } = await service.get('/opportunities/ev')
    const hidden = body.data.find((item: { sportsbook: string }) => item.sportsbook === 'bookmaker')
    for (const id of [home.pinnacle!, hidden?.id ?? home.pinnacle!]) {
      expect((await service.get(`/deeplinks?id=${id}`, 'pro')).status).toBe(404)
      expect((await batch({ ids: [id] }, 'pro')).body.data[id]).toBeNull()
    }
  })

  it.each([
    ['GET', '/deeplinks', 400, 'validation_error'],
    ['GET', '/deeplinks?id=xyz', 400, 'validation_error'],
    ['GET', '/deeplinks?id=0123456789abcdef', 404, 'not_found'],
  ])('%s %s is %i %s', async (_method, path, status, code) => {
    const answer = await service.get(path)
    expect([answer.status, answer.body.code]).toEqual([status, code])
  })

  it.each([
    [{}, 400],
    [{ ids: [] }, 400],
    [{ ids: Array.from({ length: 501 }, (_, i) => `${i}`) }, 400],
    [{ ids: Array.from({ length: 500 }, (_, i) => `${i}`) }, 200],
  ])('a batch of %# has its response', async (body, status) => {
    const answer = await batch(body)
    expect(answer.status).toBe(status)
    if (status === 400) expect(answer.body.code).toBe('validation_error')
  })

  it('are not for the free tier', async () => {
    const answers = [await service.get('/deeplinks?id=0123456789abcdef', 'free')]
    answers.push(await batch({ ids: ['0123456789abcdef'] }, 'free'))
    for (const { status, body } of answers) {
      expect([status, body.code, body.required_tier]).toEqual([403, 'tier_restricted', 'hobby'])
    }
  })
})
