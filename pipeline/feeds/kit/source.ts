/**
 * The definition of a live source: its name, whether its operator offers the access, its settings, and how it is opened
 * as a feed. `live-sources.ts` lists all sources; besides, only `sport-names.json` names some.
 */

import { z } from 'zod'
import type { SettingsSchema } from '../../../schemas/settings-schema.ts'
import { type Audience, audiences } from '../../../schemas/source.ts'
import type { Feed, Parsed } from '../feed.ts'
import { type Ask, createAsk, withoutBegun } from './ask.ts'
import type { GetJson, HttpSourceOptions } from './http-source.ts'
import { issueOf } from './payload-issue.ts'
import { createPollingFeed, type PollingFeedOptions, type TargetReader } from './polling-feed.ts'
import { createSession, type SessionOptions } from './session.ts'
import { createPageReader, type PageSource } from './withdrawals.ts'

/** Options and callbacks of a source, besides its settings. */
export interface Ports {
  readonly http?: HttpSourceOptions
  /** For the logger: a target failed this round. The feed itself goes on. */
  readonly onFailure?: (target: unknown, error: unknown) => void
  /** Called at the start with the cost of a metered source's settings. */
  readonly onEstimate?: (estimate: object) => void
  /** Sportsbooks that only measure others; nobody bets at them. Default: none. */
  readonly references?: ReadonlySet<string>
  /** Rounds in which every target failed before the source counts as down. Default 3. */
  readonly downAfterRounds?: number
}

/** Removes `undefined` from zod's optional fields; JSON has none. */
type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> }
export type SettingsOf<Shape extends z.ZodRawShape> = Defined<z.input<z.ZodObject<Shape>>>

export interface LiveSource {
  readonly name: string
  /**
   * Whether its operator offers this access to everybody who requests it. Other sources are read through the addresses
   * that their own web pages use. These may change any day, so such sources are experimental.
   */
  readonly isOfficial: boolean
  /** Whether it passes on prices of sportsbooks that may have a source of their own. Default: false. */
  readonly passesOn?: boolean
  /** The JSON Schema of its settings: descriptions for people, and `writeOnly` for keys and passwords. */
  readonly settings: SettingsSchema
  /** @throws SettingsError for settings that do not fit */
  openBy(settings: unknown, ports: Ports): Feed
}

/** A source cannot be opened with its settings. The message says in one line which setting is wrong, and why. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}

export interface Source<Settings> extends LiveSource {
  open(settings: Settings & Ports): Feed
}

/** Settings of every live source. */
const ofEverySource = {
  audience: z
    .enum(audiences)
    .default('all')
    .describe('Who sees its prices: `all` accounts, or only the `owner`’s.'),
}

export function defineSource<Shape extends z.ZodRawShape>(source: {
  readonly name: string
  readonly isOfficial: boolean
  readonly passesOn?: boolean
  readonly settings: Shape
  /** The sportsbooks that it gives and nobody can bet at: they have to be references. Default: none. */
  readonly measures?: (settings: SettingsOf<Shape>) => readonly string[]
  readonly open: (settings: SettingsOf<Shape> & Ports) => Feed
}): Source<SettingsOf<Shape>> {
  const { name, isOfficial, passesOn = false, measures, open } = source
  const schema = z.strictObject({ ...source.settings, ...ofEverySource })
  return {
    name,
    isOfficial,
    passesOn,
    open,
    get settings() {
      return z.toJSONSchema(schema, { io: 'input' }) as SettingsSchema
    },
    openBy(settings, ports) {
      const read = schema.safeParse(settings)
      if (!read.success) throw new SettingsError(issueOf(read.error))
      const { audience, ...rest } = read.data as { readonly audience: Audience }
      const own = rest as unknown as SettingsOf<Shape>
      const unnamed = measures?.(own).find((sportsbook) => !ports.references?.has(sportsbook))
      if (unnamed !== undefined) {
        throw new SettingsError(
          `nobody can bet at ${unnamed}: add it to OVERROUND_REFERENCES, and start the service again`,
        )
      }
      const feed = open({ ...own, ...ports })
      return { ...feed, source: { audience, isExperimental: !isOfficial, passesOn } }
    },
  }
}

/** Fields that settings of several sources have. */
export const names = z.array(z.string().min(1)).min(1)
export const ids = z.array(z.number().int().positive()).min(1)
/** A key or a password: never shown again. */
export const secret = z.string().min(1).meta({ writeOnly: true })
export const state = z
  .string()
  .length(2)
  .describe('The US state whose prices are read, two letters: `nj`.')
export const baseUrl = z
  .url()
  .optional()
  .describe('The address instead of the source’s own, for a proxy or another country.')

/** An optional whole number. */
export const whole = (least: number, most = Number.MAX_SAFE_INTEGER) =>
  z.number().int().min(least).max(most).optional()

export const polled = {
  baseUrl,
  intervalMs: whole(500).describe(
    'Milliseconds from the start of one round to the start of the next.',
  ),
}

/** The ways to read the targets of a polled source. */
type Reading<Target> =
  /** Each reading has all of the target: a missing event is withdrawn. Each run opens a reader. */
  | {
      readonly openReader: () => TargetReader<Target>
      /**
       * Whether its records remove prices (`withdrawals.ts`). Then a missing event means nothing.
       */
      readonly namesWithdrawals?: boolean
    }
  /** The same from several responses: a reading is dated by the first response with prices. */
  | {
      readonly gather: (
        target: Target,
        ask: Ask,
        askList: Ask,
      ) => Promise<(receivedAt: number) => Parsed>
    }
  /** Page by page: each page has a part of the offers on its events. */
  | { readonly pages: PageSource<Target> }

/** Defines a source whose targets are read in rounds. Its settings include `polled`. */
export function definePolledSource<Shape extends z.ZodRawShape, Target>(source: {
  readonly name: string
  readonly isOfficial: boolean
  readonly settings: Shape
  readonly baseUrl: string | ((settings: SettingsOf<Shape>) => string)
  /** The default interval. */
  readonly intervalMs: number
  /** The sportsbooks that are down when the source is down. Default: the one named like the source. */
  readonly sportsbooks?: (settings: SettingsOf<Shape>) => readonly string[]
  /** The sportsbooks that it gives and nobody can bet at. Default: none. */
  readonly measures?: (settings: SettingsOf<Shape>) => readonly string[]
  /** Sent with every request. */
  readonly headers?: (settings: SettingsOf<Shape>) => Readonly<Record<string, string>>
  /** The session of a source with a login. */
  readonly session?: (settings: SettingsOf<Shape> & { readonly baseUrl: string }) => SessionOptions
  /** The parts of one round: leagues, sports, tabs. */
  readonly targets: (settings: SettingsOf<Shape>) => readonly Target[]
  readonly read: (settings: SettingsOf<Shape> & { readonly baseUrl: string }) => Reading<Target>
}): Source<SettingsOf<Shape & typeof polled>> {
  const { name, isOfficial, measures } = source
  return defineSource<Shape & typeof polled>({
    name,
    isOfficial,
    settings: { ...source.settings, ...polled },
    ...(measures && { measures: (stated) => measures(stated as SettingsOf<Shape>) }),
    open(stated) {
      const settings = stated as SettingsOf<Shape> & SettingsOf<typeof polled> & Ports
      const { intervalMs = source.intervalMs, http, onFailure, downAfterRounds } = settings
      const ownUrl = source.baseUrl
      const baseUrl = settings.baseUrl ?? (typeof ownUrl === 'string' ? ownUrl : ownUrl(settings))
      const own = { ...settings, baseUrl }
      const session = source.session?.(own)
      return createPollingFeed<Target>({
        name,
        sportsbooks: source.sportsbooks?.(settings) ?? [name.replaceAll('-', '_')],
        targets: source.targets(settings),
        intervalMs,
        ...readingOf(source.read(own), session),
        http: { ...http, headers: { ...http?.headers, ...source.headers?.(settings) } },
        ...(downAfterRounds !== undefined && { downAfterRounds }),
        ...(onFailure && { onFailure }),
      })
    },
  })
}

function readingOf<Target>(
  reading: Reading<Target>,
  session: SessionOptions | undefined,
): Pick<PollingFeedOptions<Target>, 'openReader' | 'namesWithdrawals'> {
  if ('pages' in reading) {
    return { namesWithdrawals: true, openReader: () => createPageReader(reading.pages) }
  }
  if ('openReader' in reading) return reading
  return {
    openReader() {
      const loggedIn = session ? createSession(session) : (get: GetJson) => get
      return async function* read(target, get) {
        const { ask, askList, receivedAt, lastReceivedAt } = createAsk(loggedIn(get))
        const parse = await reading.gather(target, ask, askList)
        yield withoutBegun(parse(receivedAt()), receivedAt(), lastReceivedAt())
      }
    },
  }
}
