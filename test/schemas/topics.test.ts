import avro from 'avsc'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { alertOccasions, deliveryStates, ruleTypes, targetTypes } from '../../schemas/alert.ts'
import { aliasStates } from '../../schemas/alias.ts'
import { attributeList, type Kind, statedMembers } from '../../schemas/attributes.ts'
import { betOutcomes } from '../../schemas/bet.ts'
import { missingCloseReasons } from '../../schemas/closing-line.ts'
import type { OddsRecord } from '../../schemas/feed-record.ts'
import { opportunityKinds, visibilityBit } from '../../schemas/opportunity.ts'
import { lifeEnds } from '../../schemas/opportunity-life.ts'
import { audiences, sourceStates } from '../../schemas/source.ts'
import { type Topic, topics } from '../../schemas/topics.ts'
import { guardReasons } from '../../schemas/withheld-price.ts'

const text = fc
  .string({ unit: 'grapheme', maxLength: 30 })
  .map((value) => Buffer.from(value).toString())
const long = fc.integer({ min: -62_135_596_800_000, max: 8_640_000_000_000_000 })
const number = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .map((value) => (value === 0 ? 0 : value))
const nullable = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null })
const flag = fc.boolean()

const attributeKinds: Record<Kind, fc.Arbitrary<unknown>> = { number, flag, text, link: text }
const attributesBy = (members: readonly { readonly name: string; readonly kind: Kind }[]) =>
  Object.fromEntries(members.map(({ name, kind }) => [name, nullable(attributeKinds[kind])]))

const feedEvent = fc.record({
  externalId: nullable(text),
  sport: text,
  league: text,
  homeTeam: text,
  awayTeam: text,
  startsAt: long,
  isLive: flag,
})
const feedSelection = fc.record({
  selection: nullable(text),
  selectionType: text,
  line: nullable(number),
  price: nullable(number),
  removed: flag,
  suspended: flag,
  changedAt: nullable(long),
  ...attributesBy(statedMembers('selection')),
})
const feedMarket = fc.record({
  marketType: text,
  line: nullable(number),
  playerName: nullable(text),
  statCategory: nullable(text),
  suspended: flag,
  ...attributesBy(statedMembers('market')),
  selections: fc.array(feedSelection, { maxLength: 3 }),
})
const futureType = fc.constantFrom('TEAM', 'PLAYER', 'OVER_UNDER', 'YES_NO')
const feedFuture = fc.record({
  externalId: nullable(text),
  sport: text,
  league: text,
  name: text,
  futureType,
  subject: nullable(text),
  season: nullable(text),
  settlesAt: nullable(long),
})
const feedFutureSelection = fc.record({
  selection: text,
  line: nullable(number),
  price: nullable(number),
  removed: flag,
  suspended: flag,
  changedAt: nullable(long),
  externalId: nullable(text),
  deepLink: nullable(text),
})
const status = fc.constantFrom('upcoming', 'live', 'final', 'postponed', 'cancelled')
const said = { sportsbook: text, observedAt: long, trace: nullable(text) }
const shares = {
  handle: nullable(fc.tuple(number, number)),
  bets: nullable(fc.tuple(number, number)),
}

const figures = { worth: number, prices: fc.array(number, { maxLength: 3 }) }
const lifeFigures = fc.record({ at: long, ...figures })
const lifeAbout = {
  id: text,
  league: text,
  peak: lifeFigures,
  references: fc.array(text, { maxLength: 2 }),
  scopes: fc.integer({ min: 0, max: 15 }),
  isSuspected: flag,
}
const splitBlocks = {
  moneyline: nullable(
    fc.record({ ...shares, awayPrice: nullable(number), homePrice: nullable(number) }),
  ),
  spread: nullable(
    fc.record({ ...shares, awayLine: nullable(number), homeLine: nullable(number) }),
  ),
  total: nullable(fc.record({ ...shares, line: nullable(number) })),
}
const splitsAbout = { eventId: text, league: text, sportsbook: text }

const pricedSelection = {
  sportsbook: text,
  marketType: text,
  selection: text,
  selectionType: text,
  line: nullable(number),
  playerName: nullable(text),
  statCategory: nullable(text),
}

const accountsKept = { id: text, revision: text, createdAt: long, updatedAt: long, name: text }

const aliasNames = { league: text, sportsbook: text, spelling: text, team: text }

const situation = fc.dictionary(
  fc.stringMatching(/^[a-z][a-z0-9_]{0,20}$/),
  fc.oneof(text, number, flag),
  { maxKeys: 4, noNullPrototype: true },
)
const shownScore = { homeScore: fc.nat(), awayScore: fc.nat(), period: nullable(text) }

const rows: Record<keyof typeof topics, fc.Arbitrary<object>> = {
  feedOdds: fc.oneof(
    fc.record({
      type: fc.constant('odds'),
      ...said,
      mode: fc.constantFrom('snapshot', 'delta'),
      event: feedEvent,
      via: nullable(text),
      markets: fc.array(feedMarket, { maxLength: 3 }),
    }),
    fc.record({ type: fc.constant('event_status'), ...said, event: feedEvent, status }),
    fc.record({
      type: fc.constant('book_status'),
      ...said,
      status: fc.constantFrom('up', 'down'),
      audience: fc.option(fc.constantFrom(...audiences), { nil: null }),
    }),
    fc.record({
      type: fc.constant('futures'),
      ...said,
      mode: fc.constantFrom('snapshot', 'delta'),
      future: feedFuture,
      via: nullable(text),
      prices: fc.array(feedFutureSelection, { maxLength: 3 }),
    }),
    fc.record({ type: fc.constant('tick'), observedAt: long, isRecorded: flag }),
  ),
  recordedTime: fc.record({ at: long }),
  withheldPrices: fc.record({
    id: long,
    sportsbook: text,
    league: text,
    reason: fc.constantFrom(...guardReasons),
    since: long,
  }),
  mainLines: fc.record({
    eventId: text,
    league: text,
    marketType: text,
    team: nullable(fc.constantFrom('home', 'away')),
    playerName: nullable(text),
    isLive: flag,
    lines: fc.array(nullable(number)),
    own: fc.array(fc.record({ sportsbook: text, line: number })),
  }),
  traces: fc.record({
    pushes: fc.array(
      fc.record({
        trace: text,
        topic: text,
        firstOffset: fc.nat(),
        lastOffset: fc.nat(),
        records: fc.nat(),
      }),
      { maxLength: 3 },
    ),
  }),
  feedGameState: fc.record({
    type: fc.constant('game_state'),
    ...said,
    event: feedEvent,
    state: fc
      .array(
        fc.tuple(
          fc.stringMatching(/^[a-z][a-z0-9_]{0,20}$/),
          fc.oneof(text, number, flag, fc.constant(null)),
        ),
        { maxLength: 6 },
      )
      .map((entries) => Object.fromEntries(entries)),
  }),
  gameStates: fc.record({
    eventId: text,
    sport: text,
    league: text,
    reports: fc.array(
      fc.record({
        sportsbook: text,
        observedAt: long,
        homeScore: nullable(fc.nat()),
        awayScore: nullable(fc.nat()),
        period: nullable(text),
        clock: nullable(text),
        situation,
      }),
      { maxLength: 3 },
    ),
    states: fc.array(
      fc.record({
        fromLevel: fc.constantFrom(0, 1, 2, 3),
        observedAt: long,
        ...shownScore,
        clock: nullable(text),
        primaryBook: text,
        primaryAt: long,
        bookCount: fc.nat(),
        situation,
        before: nullable(fc.record(shownScore)),
      }),
      { maxLength: 3 },
    ),
  }),
  gameResults: fc.record({
    eventId: text,
    sport: text,
    league: text,
    startsAt: long,
    status,
    reports: fc.array(
      fc.record({
        sportsbook: text,
        observedAt: long,
        final: nullable(fc.record({ home: fc.nat(), away: fc.nat() })),
        endedIn: nullable(text),
        periods: fc.array(fc.record({ period: text, home: fc.nat(), away: fc.nat() }), {
          maxLength: 3,
        }),
      }),
      { maxLength: 3 },
    ),
  }),
  feedSplits: fc.record({
    type: fc.constant('splits'),
    ...said,
    event: feedEvent,
    ...splitBlocks,
  }),
  splits: fc.record({
    ...splitsAbout,
    ...splitBlocks,
    observedAt: long,
    snapshotAt: long,
  }),
  splitSnapshots: fc.record({ ...splitsAbout, ...splitBlocks, at: long, flipped: flag }),
  feedRejected: fc.record({
    sportsbook: text,
    code: text,
    message: text,
    receivedAt: long,
    text,
  }),
  feedAliases: fc.record({
    type: fc.constant('alias'),
    ...aliasNames,
    state: fc.constantFrom('confirmed', 'forbidden', 'removed'),
    isForbidden: flag,
    observedAt: long,
    revision: text,
  }),
  aliases: fc.record({
    ...aliasNames,
    state: fc.constantFrom(...aliasStates),
    readings: fc.nat(1_000),
    eventId: nullable(text),
    createdAt: long,
    updatedAt: long,
    revision: text,
    evenings: fc.nat(1_000),
    startsAt: nullable(long),
    teams: fc.array(text),
    eventIds: fc.array(text),
  }),
  events: fc.record({
    id: text,
    sport: text,
    league: text,
    leagueMapped: flag,
    homeTeam: text,
    awayTeam: text,
    listedHome: nullable(text),
    listedAway: nullable(text),
    flipped: flag,
    startsAt: long,
    status,
    isLive: flag,
    isLiveByClock: nullable(flag),
    wasPlayed: nullable(flag),
    updatedAt: long,
  }),
  odds: fc.record({
    id: fc.integer({ min: 1e14, max: 1e15 - 1 }),
    eventId: text,
    league: text,
    sportsbook: text,
    marketType: text,
    selection: text,
    selectionType: text,
    line: nullable(number),
    playerName: nullable(text),
    statCategory: nullable(text),
    price: number,
    isLive: flag,
    isActive: flag,
    observedAt: long,
    changedAt: nullable(long),
    isFiledByDraw: nullable(flag),
    ...attributesBy(attributeList.map(([name, { kind }]) => ({ name, kind }))),
  }),
  opportunityLives: fc.record({
    ...lifeAbout,
    kind: fc.constantFrom(...opportunityKinds),
    eventId: text,
    sport: text,
    marketType: text,
    playerName: nullable(text),
    isLive: flag,
    legs: fc.array(
      fc.record({
        oddsId: fc.integer({ min: 1e14, max: 1e15 - 1 }),
        sportsbook: text,
        selectionType: text,
        line: nullable(number),
      }),
      { maxLength: 3 },
    ),
    detected: lifeFigures,
    gone: lifeFigures,
    why: fc.constantFrom(...lifeEnds),
  }),
  runningLives: fc.record(lifeAbout),
  opportunities: fc.record({
    id: text,
    kind: fc.constantFrom(...opportunityKinds),
    eventId: text,
    league: text,
    legs: fc.array(fc.integer({ min: 1e14, max: 1e15 - 1 })),
    reference: fc.array(fc.integer({ min: 1e14, max: 1e15 - 1 })),
    scopes: fc.integer({ min: 1, max: 7 }),
    isSuspected: flag,
    detectedAt: long,
    detected: nullable(fc.record(figures)),
  }),
  closingLines: fc.record({
    ...pricedSelection,
    oddsId: long,
    eventId: text,
    sport: text,
    league: text,
    startsAt: long,
    capturedAt: long,
    pricedAt: nullable(long),
    price: nullable(number),
    noVig: nullable(number),
    missing: nullable(fc.constantFrom(...missingCloseReasons)),
    missingSince: nullable(long),
    withheld: nullable(fc.constantFrom(...guardReasons)),
  }),
  priceChanges: fc.record({
    oddsId: long,
    eventId: text,
    league: text,
    at: long,
    what: fc.integer({ min: 1, max: 63 }),
    price: number,
    isLive: fc.boolean(),
    isActive: fc.boolean(),
    of: nullable(fc.record(pricedSelection)),
  }),
  sightings: fc.record({
    eventId: text,
    league: text,
    sportsbook: text,
    lastSeenAt: long,
    externalId: nullable(text),
    listing: text,
    formerListings: fc.array(text),
    hasGivenPrices: flag,
    statedAt: nullable(long),
    homeTeam: text,
    awayTeam: text,
    startsAt: long,
    swapped: flag,
    isLive: flag,
    isByClock: nullable(flag),
    via: nullable(text),
    ownSince: nullable(long),
    statedStatus: nullable(text),
  }),
  futures: fc.record({
    marketId: text,
    sport: text,
    league: text,
    question: text,
    futureType,
    subject: nullable(text),
    season: nullable(text),
    sportsbook: text,
    name: text,
    externalId: nullable(text),
    settlesAt: nullable(long),
    prices: fc.array(
      fc.record({
        id: fc.integer({ min: 1e14, max: 1e15 - 1 }),
        selection: text,
        line: nullable(number),
        price: number,
        isActive: flag,
        changedAt: nullable(long),
        externalId: nullable(text),
        deepLink: nullable(text),
      }),
      { maxLength: 3 },
    ),
    observedAt: long,
  }),
  futureSightings: fc.record({
    marketId: text,
    league: text,
    sportsbook: text,
    lastSeenAt: long,
    statedAt: nullable(long),
    externalId: nullable(text),
    relistedId: nullable(text),
    relistedAt: nullable(long),
  }),
  sources: fc.record({
    source: text,
    state: fc.constantFrom(...sourceStates),
    reason: nullable(text),
    since: long,
    lastSuccessAt: nullable(long),
    nextTryAt: nullable(long),
    rows: fc.nat(),
    unmatched: fc.nat(),
    skipped: fc
      .array(fc.tuple(fc.stringMatching(/^[a-z][a-z0-9_]{0,20}$/), fc.nat()), { maxLength: 4 })
      .map((entries) => Object.fromEntries(entries)),
    creditsLeft: nullable(number),
    creditsUsed: nullable(number),
    creditsPerMonth: nullable(number),
    audience: fc.constantFrom(...audiences),
    isExperimental: flag,
    sportsbooks: fc.array(text, { maxLength: 3 }),
    updatedAt: long,
  }),
  sourcePauses: fc.record({ source: text, isPaused: flag, at: long }),
  addedSources: fc.record({ source: text, settings: text, at: long }),
  sportsbookStatus: fc.record({
    sportsbook: text,
    status: fc.constantFrom('up', 'down'),
    since: long,
    audience: fc.constantFrom(...audiences),
  }),
  accounts: fc.oneof(
    fc.record({
      type: fc.constant('account'),
      ...accountsKept,
      tier: fc.constantFrom('free', 'hobby', 'pro', 'sharp', 'enterprise'),
      addOns: fc.subarray(['streaming', 'game_state']),
      isDisabled: flag,
      isOwner: flag,
      expiresAt: nullable(long),
      trialStartedAt: nullable(long),
      trialEndsAt: nullable(long),
    }),
    fc.record({
      type: fc.constant('key'),
      ...accountsKept,
      accountId: text,
      hash: text,
      preview: text,
      rotatedAt: nullable(long),
      maxStreams: nullable(fc.nat(1_000)),
      former: fc.array(fc.record({ hash: text, endsAt: long }), { maxLength: 3 }),
    }),
  ),
  usage: fc.record({
    accountId: text,
    keyId: text,
    day: fc.nat(),
    writer: text,
    requests: fc.integer({ min: 0, max: 1e15 }),
    minute: fc.integer({ min: 0, max: 1e15 }),
    minuteRequests: fc.integer({ min: 0, max: 1e15 }),
    byFamily: fc.dictionary(fc.stringMatching(/^[a-z][a-z_]{0,19}$/), fc.nat(), {
      noNullPrototype: true,
    }),
  }),
  apiProcesses: fc.record({
    process: text,
    saidAt: long,
    minute: fc.nat(),
    requests: fc.dictionary(fc.stringMatching(/^key_[0-9a-f]{12}$/), fc.nat(), {
      noNullPrototype: true,
    }),
    streams: fc.dictionary(fc.stringMatching(/^key_[0-9a-f]{12}$/), fc.nat(1_000), {
      noNullPrototype: true,
    }),
  }),
  alerts: fc.record({
    id: text,
    accountId: text,
    revision: text,
    createdAt: long,
    updatedAt: long,
    name: text,
    type: fc.constantFrom(...ruleTypes),
    kind: fc.constantFrom(...opportunityKinds),
    query: text,
    occasion: fc.constantFrom(...alertOccasions),
    improvement: number,
    perHour: fc.integer({ min: 1, max: 60 }),
    quiet: nullable(
      fc.record({
        from: fc.integer({ min: 0, max: 1439 }),
        to: fc.integer({ min: 0, max: 1439 }),
        timeZone: text,
      }),
    ),
    stakes: fc.record({
      total: nullable(number),
      unit: nullable(number),
      kelly: nullable(number),
    }),
    target: fc.record({
      type: fc.constantFrom(...targetTypes),
      url: text,
      secret: nullable(text),
      chatId: nullable(text),
    }),
    isPaused: flag,
    pauseReason: nullable(text),
  }),
  alertDeliveries: fc.record({
    id: text,
    accountId: text,
    alertId: text,
    revision: text,
    type: fc.constantFrom(...ruleTypes, 'test'),
    occasion: text,
    worth: number,
    decidedAt: long,
    state: fc.constantFrom(...deliveryStates),
    isRetried: flag,
    attempts: fc.integer({ min: 0, max: 1e6 }),
    attemptedAt: nullable(long),
    problem: nullable(text),
    deliveredAt: nullable(long),
    message: text,
    remoteId: nullable(text),
    goneAt: nullable(long),
    editedAt: nullable(long),
    visibilityBit: nullable(fc.constantFrom(...Object.values(visibilityBit))),
    sportsbooks: nullable(fc.array(text, { maxLength: 3 })),
  }),
  profiles: fc.record({
    accountId: text,
    revision: text,
    updatedAt: long,
    sportsbooks: fc.array(
      fc.record({
        sportsbook: text,
        commission: nullable(number),
        maxStake: nullable(number),
        status: text,
      }),
      { maxLength: 3 },
    ),
    state: nullable(text),
    bankroll: nullable(number),
    kelly: nullable(number),
    stakeUnit: nullable(number),
    currency: nullable(text),
    priceFormat: nullable(text),
    hiddenLeagues: fc.array(text, { maxLength: 3 }),
  }),
  deployments: fc.record({
    name: nullable(text),
    prices: fc.constantFrom('live', 'simulated', 'recorded'),
    settings: fc.dictionary(fc.stringMatching(/^[a-z][a-z_]{0,19}$/), text, {
      noNullPrototype: true,
    }),
    process: text,
    writtenAt: long,
  }),
  bets: fc.record({
    id: text,
    accountId: text,
    revision: text,
    createdAt: long,
    reference: nullable(text),
    placedAt: long,
    event: fc.record({
      id: nullable(text),
      homeTeam: nullable(text),
      awayTeam: nullable(text),
      startsAt: nullable(long),
      isDay: flag,
      sport: nullable(text),
      league: nullable(text),
    }),
    market: text,
    selection: text,
    line: nullable(number),
    playerName: nullable(text),
    price: number,
    stake: number,
    sportsbook: text,
    found: nullable(
      fc.record({
        eventId: text,
        sport: text,
        league: text,
        homeTeam: text,
        awayTeam: text,
        startsAt: long,
        marketType: text,
        selectionType: text,
        line: nullable(number),
        playerName: nullable(text),
      }),
    ),
    verdict: nullable(
      fc.record({
        outcome: fc.constantFrom(...betOutcomes),
        returned: nullable(number),
        sharedBy: nullable(fc.nat()),
        reason: nullable(text),
        at: long,
      }),
    ),
  }),
}

const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as object

describe.each(Object.keys(topics) as (keyof typeof topics)[])('the topic of %s', (name) => {
  const topic = topics[name] as Topic<unknown>

  it('returns the rows that were written', () => {
    fc.assert(
      fc.property(rows[name], (row) => {
        // Fields that a type of record lacks are decoded as their defaults.
        expect(plain(topic.decode(topic.encode(row)))).toMatchObject(plain(row))
      }),
      { numRuns: 150 },
    )
  })

  it('encodes into a buffer of its own', () => {
    const [first, second] = fc.sample(rows[name], { numRuns: 2, seed: 7 })
    const bytes = topic.encode(first)
    const copy = Buffer.from(bytes)
    topic.encode(second)
    expect(bytes).toEqual(copy)
  })

  it('refuses bytes that are no row', () => {
    const bytes = topic.encode(fc.sample(rows[name], { numRuns: 1, seed: 3 })[0])
    expect(() => topic.decode(bytes.subarray(0, -1))).toThrow()
    expect(() => topic.decode(Buffer.concat([bytes, Buffer.from([1])]))).toThrow()
    expect(() => topic.decode(Buffer.alloc(0))).toThrow()
  })

  it('refuses a row that lacks a field', () => {
    const [row] = fc.sample(rows[name], { numRuns: 1, seed: 5 })
    const required = (
      topic.schema as unknown as { fields: { name: string; default?: unknown }[] }
    ).fields.filter((field) => !('default' in field))
    expect(required.length).toBeGreaterThan(0)
    for (const field of required) {
      expect(() => topic.encode({ ...row, [field.name]: undefined })).toThrow()
    }
  })

  it('reads rows from before a field with a default was added', () => {
    const schema = structuredClone(topic.schema) as unknown as { fields: object[] }
    schema.fields.splice(1, 0, { name: 'addedLater', type: ['null', 'string'], default: null })
    schema.fields.push({ name: 'addedLast', type: 'double', default: 1.5 })
    const reader = avro.Type.forSchema(schema as unknown as avro.Schema)
    const resolver = reader.createResolver(avro.Type.forSchema(topic.schema))
    fc.assert(
      fc.property(rows[name], (row) => {
        const read = reader.fromBuffer(topic.encode(row), resolver) as object
        expect(plain(read)).toMatchObject({ ...plain(row), addedLater: null, addedLast: 1.5 })
      }),
      { numRuns: 30 },
    )
  })

  it('cannot add a field without a default', () => {
    const schema = structuredClone(topic.schema) as unknown as { fields: object[] }
    schema.fields.push({ name: 'demanded', type: 'string' })
    const reader = avro.Type.forSchema(schema as unknown as avro.Schema)
    expect(() => reader.createResolver(avro.Type.forSchema(topic.schema))).toThrow()
  })
})

describe('the attributes of a price', () => {
  const avroTypes: Record<Kind, string> = {
    number: 'double',
    flag: 'boolean',
    text: 'string',
    link: 'string',
  }
  interface Field {
    readonly name: string
    readonly type: { readonly items: Fields }
    readonly default?: unknown
  }
  interface Fields {
    readonly fields: readonly Field[]
  }
  const itemsOf = ({ fields }: Fields, list: string) =>
    fields.find(({ name }) => name === list)!.type.items
  const market = itemsOf(topics.feedOdds.schema as unknown as Fields, 'markets')
  const records = {
    'a selection in feed-odds.avsc': [itemsOf(market, 'selections'), statedMembers('selection')],
    'a market in feed-odds.avsc': [market, statedMembers('market')],
    'a row in odds.avsc': [
      topics.odds.schema as unknown as Fields,
      attributeList.map(([name, { kind }]) => ({ name, kind })),
    ],
  } as const

  it.each(Object.entries(records))('are fields of %s', (_, [{ fields }, members]) => {
    const expected = members.map(({ name, kind }) => ({
      name,
      type: ['null', avroTypes[kind]],
      default: null,
    }))
    // A name missing here is missing in the file.
    const names = new Set<string>(members.map(({ name }) => name))
    const stated = fields.filter(({ name }) => names.has(name))
    expect(stated.sort(byName)).toEqual(expected.sort(byName))
  })

  it('may be left out of a statement', () => {
    const { feedOdds } = topics
    const [record] = fc.sample(
      rows.feedOdds.filter((row) => 'markets' in row),
      { numRuns: 1, seed: 3 },
    ) as unknown as [OddsRecord]
    const bare = {
      ...{ line: null, removed: false, suspended: false, changedAt: null },
      ...{ selection: null, selectionType: 'home', price: 2 },
    }
    const asked = { marketType: 'moneyline', line: null, playerName: null, statCategory: null }
    const markets = [{ ...asked, suspended: false, selections: [bare] }]
    const [read] = (feedOdds.decode(feedOdds.encode({ ...record, markets })) as OddsRecord).markets
    expect(read).toMatchObject({ maxBet: null, externalId: null })
    expect(read?.selections[0]).toMatchObject({ maxBet: null, externalId: null, deepLink: null })
  })
})

const byName = (a: { readonly name: string }, b: { readonly name: string }) =>
  a.name < b.name ? -1 : 1
describe('the topics', () => {
  it('have unique names', () => {
    const names = Object.values(topics).map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })

  it('accept a row larger than any before', () => {
    const row = fc.sample(rows.feedRejected, 1)[0] as Parameters<
      typeof topics.feedRejected.encode
    >[0]
    for (const length of [100_000, 70_000, 3_000_000]) {
      const long = { ...row, text: '東'.repeat(length) }
      expect(topics.feedRejected.decode(topics.feedRejected.encode(long)).text).toBe(long.text)
    }
  })
})
