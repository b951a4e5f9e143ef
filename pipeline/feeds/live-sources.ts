/** Every live source, in the order in which an error about a wrong name lists them. */

import { betfairExchange } from './betfair/source.ts'
import { bovada } from './bovada/source.ts'
import { caesars } from './caesars/source.ts'
import { draftKings } from './draftkings/source.ts'
import { fanDuel } from './fanduel/source.ts'
import { kalshi } from './kalshi/source.ts'
import { kambi } from './kambi/source.ts'
import type { LiveSource } from './kit/source.ts'
import { matchbook } from './matchbook/source.ts'
import { novig } from './novig/source.ts'
import { pinnacle } from './pinnacle/source.ts'
import { polymarket } from './polymarket/source.ts'
import { prophetX } from './prophetx/source.ts'
import { sxBet } from './sx-bet/source.ts'
import { theOddsApi } from './the-odds-api/source.ts'

export const liveSources: readonly LiveSource[] = [
  theOddsApi,
  pinnacle,
  kambi,
  draftKings,
  fanDuel,
  bovada,
  caesars,
  kalshi,
  polymarket,
  sxBet,
  matchbook,
  novig,
  prophetX,
  betfairExchange,
]

export const findLiveSource = (name: string) => liveSources.find((source) => source.name === name)
