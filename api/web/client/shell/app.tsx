/** The frame of all pages: header, routing, the API key and the reader's choices. */

import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { chainsOf } from '../../../../pipeline/rules/odds/chains.ts'
import { priceFormats } from '../../../../schemas/price-format.ts'
import { isCurrent, places } from '../../places.ts'
import type { Account, Profile } from '../../wire.ts'
import { type Choices, choicesOf, type KeptChoices } from '../data/choices.ts'
import { sortLeagues } from '../data/leagues.ts'
import { pastIn } from '../data/past.ts'
import { readAccount, readLeagues, readMarkets, readSportsbooks } from '../data/reference.ts'
import { isFinal, RefusedError, retryMs } from '../data/refused.ts'
import { boardNow } from '../data/service-time.ts'
import { keptChoices, session, settings } from '../data/session.ts'
import { askedIn, eventIdAt } from '../data/subject.ts'
import { failureText } from '../format/failure.ts'
import { formatChoices } from '../format/odds.ts'
import { zoneText } from '../format/time.ts'
import { BoardPage } from '../pages/board.tsx'
import { EventPage } from '../pages/event.tsx'
import { OpportunitiesPage } from '../pages/opportunities.tsx'
import { type Desk, DeskContext } from './context.ts'
import { Failure } from './failure.tsx'
import { Help } from './help.tsx'
import { KeyGate } from './key-gate.tsx'
import { onDemand } from './on-demand.tsx'
import { usePolled } from './polled.ts'
import { go, setTitle, useAddress } from './router.ts'
import { Select } from './select.tsx'
import { useKeys } from './use-keys.ts'
import { useIsDark } from './use-media.ts'
import { useNotices } from './use-notices.ts'
import { useOutdated } from './use-outdated.ts'
import { useProfile } from './use-profile.ts'

const AlertsPage = onDemand(async () => (await import('../pages/alerts.tsx')).AlertsPage)
const BetsPage = onDemand(async () => (await import('../pages/bets.tsx')).BetsPage)
const KeysPage = onDemand(async () => (await import('../pages/keys.tsx')).KeysPage)
const ProfilePage = onDemand(async () => (await import('../pages/profile.tsx')).ProfilePage)
const RecordPage = onDemand(async () => (await import('../pages/record.tsx')).RecordPage)
const SourcesPage = onDemand(async () => (await import('../pages/sources.tsx')).SourcesPage)
const ToolsPage = onDemand(async () => (await import('../pages/tools.tsx')).ToolsPage)

/** The profile may be changed elsewhere. */
const profileEveryMs = 30_000
const { sharpBook, hasConsensus: consensus, anchors = [] } = settings
const chain = chainsOf({ sharpBook, consensus, anchors: new Map(anchors) })

/** Reads the sportsbooks, and the board's time at that moment (epoch ms): that of a recording may run faster. */
async function readBooks() {
  const sportsbooks = await readSportsbooks()
  return { sportsbooks, boardAt: boardNow() }
}

/** The pages use less than this share of the key's rate limit. */
const share = 0.4

export function App() {
  const address = useAddress()
  const [kept, setKept] = useState<KeptChoices>(keptChoices.read)
  const { profile, read, edit, save, refusal } = useProfile()
  const choices = useMemo(() => choicesOf(kept, profile), [kept, profile])
  const [isHelpOpen, setHelpOpen] = useState(false)
  const isOutdated = useOutdated()
  const shown = useRef(choices)
  shown.current = choices
  const choose = useCallback(
    (changes: Partial<Choices>) => {
      const next = keptChoices.change(changes, shown.current)
      // What else another tab has changed is shown here from the next load on.
      const changed = Object.keys(changes).map((name) => [name, next[name as keyof Choices]])
      setKept((before) => ({ ...before, ...Object.fromEntries(changed) }))
      save(changes)
    },
    [save],
  )
  const { pathname } = address
  useEffect(() => session.follow(() => location.reload()), [])
  useEffect(() => setTitle(titleOf(pathname)), [pathname])
  // Before the effects of its parts: a chart reads the colours in one.
  useLayoutEffect(() => {
    if (choices.scheme) document.documentElement.dataset.scheme = choices.scheme
    else delete document.documentElement.dataset.scheme
  }, [choices.scheme])
  useKeys({
    '?': () => setHelpOpen(true),
    f: () => {
      const at = priceFormats.indexOf(choices.format)
      choose({ format: priceFormats[(at + 1) % priceFormats.length]! })
    },
  })
  return (
    <>
      <Header
        path={address.pathname}
        choices={choices}
        choose={choose}
        onHelp={() => setHelpOpen(true)}
      />
      {settings.isSimulated && (
        <p class="simulated" role="note">
          Simulated prices: no sportsbook offers them. <a href="/docs/sources">Use real prices</a>
        </p>
      )}
      {isOutdated && (
        <p class="refusal" role="status">
          The service was restarted with other settings or another version.{' '}
          <button type="button" onClick={() => location.reload()}>
            Reload
          </button>
        </p>
      )}
      {refusal && (
        <p class="refusal" role="alert">
          {refusal}
        </p>
      )}
      {pageFor(address, { choices, profile, readProfile: read, choose, editProfile: edit })}
      {isHelpOpen && <Help onClose={() => setHelpOpen(false)} />}
    </>
  )
}

interface Choosing extends Pick<Desk, 'choices' | 'choose' | 'editProfile'> {
  readonly profile: Profile | null
  readonly readProfile: () => Promise<void>
}

function pageFor(address: URL, choosing: Choosing) {
  const { pathname } = address
  if (pathname === '/sources') return <SourcesPage />
  if (pathname === '/keys') return <KeysPage />
  if (pathname === '/record') return <RecordPage parameters={address.searchParams} />
  const eventId = eventIdAt(pathname)
  const isOfKey =
    ['/', '/opportunities', '/alerts', '/bets', '/profile', '/tools'].includes(pathname) ||
    eventId !== null
  if (!isOfKey) return <UnknownPage />
  return (
    <WithKey {...choosing}>
      {eventId !== null ? (
        <EventPage
          key={pathname}
          eventId={eventId}
          asked={askedIn(address.searchParams)}
          at={pastIn(address.searchParams, boardNow())}
        />
      ) : pathname === '/opportunities' ? (
        <OpportunitiesPage parameters={address.searchParams} />
      ) : pathname === '/alerts' ? (
        <AlertsPage />
      ) : pathname === '/bets' ? (
        <BetsPage parameters={address.searchParams} />
      ) : pathname === '/profile' ? (
        <ProfilePage />
      ) : pathname === '/tools' ? (
        <ToolsPage tool={address.searchParams.get('tool')} />
      ) : (
        <BoardPage parameters={address.searchParams} />
      )}
    </WithKey>
  )
}

interface WithKeyProps extends Choosing {
  readonly children: preact.ComponentChildren
}

/** Pages that need an API key: asks for it when there is none or it was refused. */
function WithKey({ children, profile, readProfile, ...choosing }: WithKeyProps) {
  const { choices, choose, editProfile } = choosing
  const [account, setAccount] = useState<Account | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [tries, setTries] = useState(0)
  const [failure, setFailure] = useState<Error | null>(null)
  const key = session.key()
  useEffect(() => {
    if (key === null) return
    let timer = 0
    const enter = () =>
      readAccount().then(
        (account) => {
          setAccount(account)
          setFailure(null)
        },
        (error: Error) => {
          setFailure(error)
          if (error instanceof RefusedError && error.isOfKey) {
            session.drop()
            setRefusal(error.message)
            return
          }
          timer = window.setTimeout(enter, retryMs(error, isFinal(error) ? profileEveryMs : 1_000))
        },
      )
    enter()
    return () => clearTimeout(timer)
  }, [key, tries])
  const perMinute = account?.limits.requests_per_minute ?? 1_000
  const paceMs = Math.max(2_000, (60_000 / perMinute / share) * 6)
  // Read in parallel with the account, to load faster.
  const isIn = key !== null
  const booksEveryMs = paceMs * 2.5
  const books = usePolled(async () => (isIn ? readBooks() : null), booksEveryMs, [key])
  const ofProfile = usePolled(async () => (isIn ? readProfile() : undefined), profileEveryMs, [key])
  useNotices(account ? key : null, paceMs)
  const slow = usePolled(
    async () => (isIn ? Promise.all([readLeagues(), readMarkets()]) : null),
    Math.max(60_000, paceMs * 10),
    [key],
  )
  const desk = useMemo((): Desk | null => {
    if (!account || !profile || !books.value || !slow.value) return null
    const [leagues, markets] = slow.value
    const { sportsbooks, boardAt } = books.value
    const { isOnlyMine, isHiddenShown } = choices
    const ownNames = session.hasOwnKey() ? ['mine'] : choices.books
    const mine = choices.books.length > 0 ? ownNames : []
    return {
      account,
      profile,
      sportsbooks,
      prices: {
        sportsbooks,
        ofSportsbooks: { at: books.at, everyMs: booksEveryMs },
        upTo: boardAt - 1_000 * account.limits.odds_delay_seconds,
      },
      ...sortLeagues(leagues),
      markets: markets.filter(({ selection_count }) => selection_count).map(({ id }) => id),
      kinds: new Map(markets.map((market) => [market.id, market])),
      chain,
      choices,
      hidden: new Set(isHiddenShown ? [] : profile.hidden_leagues),
      mine,
      among: isOnlyMine ? mine : [],
      paceMs,
      choose,
      editProfile,
    }
  }, [account, profile, books.value, slow.value, choices, choose, editProfile, paceMs])
  if (key === null) {
    return (
      <main>
        <KeyGate
          title="The odds board"
          label="API key"
          hint="The key that the operator of this service gave you. It is sent in a header, never in a URL."
          canBeKept
          refusal={refusal}
          onEnter={(value, isForDevice) => {
            session.enter(value, isForDevice)
            setRefusal(null)
            setTries(tries + 1)
          }}
        />
      </main>
    )
  }
  if (!desk) {
    const error = failure ?? books.error ?? slow.error ?? ofProfile.error
    return (
      <main class="waiting" aria-busy="true">
        <p role="status">
          {error ? `${failureText(error, 0, choices.zone)} Trying again…` : 'Loading the board…'}
        </p>
      </main>
    )
  }
  return (
    <DeskContext.Provider value={desk}>
      <Failure of={books} what="Sportsbooks" />
      <Failure of={slow} what="Leagues and markets" />
      {children}
    </DeskContext.Provider>
  )
}

const UnknownPage = () => (
  <main class="page">
    <h1>There is no such page</h1>
    <p>
      Go to the <a href="/">board</a>, the <a href="/opportunities">opportunities</a> or the{' '}
      <a href="/docs">guides</a>.
    </p>
  </main>
)

/** Returns the title of a page until the page sets a better one. */
function titleOf(pathname: string): string {
  const place = places.find(([to]) => to === pathname)
  if (pathname === '/') return 'Odds board'
  return place?.[1] ?? (eventIdAt(pathname) === null ? 'No such page' : 'Game')
}

// ---- the header

interface HeaderProps {
  readonly path: string
  readonly choices: Choices
  readonly choose: Desk['choose']
  readonly onHelp: () => void
}

function Header({ path, choices, choose, onHelp }: HeaderProps) {
  const isDark = useIsDark(choices.scheme)
  return (
    <header class="top-bar">
      <a class="brand" href="/">
        over<b>round</b>
      </a>
      <nav aria-label="Pages">
        {places.map(([to, name]) => (
          <a key={to} href={to} aria-current={isCurrent(to, path) ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <div class="choices">
        <Select
          aria-label="Odds format"
          choices={formatChoices}
          value={choices.format}
          onChoose={(format) => choose({ format })}
        />
        <button
          type="button"
          title="The time zone of all times; a click changes between yours and UTC"
          onClick={() => choose({ zone: choices.zone === 'utc' ? 'local' : 'utc' })}
        >
          {zoneText(choices.zone)}
        </button>
        <button
          type="button"
          aria-label={isDark ? 'Light colours' : 'Dark colours'}
          onClick={() => choose({ scheme: isDark ? 'light' : 'dark' })}
        >
          {isDark ? '☀' : '☾'}
        </button>
        <button type="button" aria-label="Help" onClick={onHelp}>
          ?
        </button>
        {session.key() !== null && settings.sandboxKey === null && (
          <button
            type="button"
            onClick={() => {
              session.leave()
              go('/')
              location.reload()
            }}
          >
            Sign out
          </button>
        )}
      </div>
    </header>
  )
}
