import { expect, it } from 'vitest'
import { broughtPrices } from '../../../pipeline/archive/archive-origin.ts'
import { readConfig } from '../../../pipeline/settings/config.ts'

const brought = (environment: Record<string, string>) => {
  const config = readConfig(environment)
  return broughtPrices(config, config.archive!)
}

const onServer = {
  OVERROUND_CLICKHOUSE_URL: 'http://user:a-password@clickhouse:8123',
  OVERROUND_CLICKHOUSE_DATABASE: 'odds',
}

it.each([
  [{}, 'simulated', 'The archive in data/archive', 'OVERROUND_DATA_DIR'],
  [
    { ...onServer, OVERROUND_FEEDS: 'none' },
    'live',
    'The archive in the database odds (OVERROUND_CLICKHOUSE_URL)',
    'OVERROUND_CLICKHOUSE_DATABASE',
  ],
  [
    { ...onServer, OVERROUND_FEEDS: 'replay:season.csv' },
    'recorded',
    'The archive in the database odds (OVERROUND_CLICKHOUSE_URL)',
    'OVERROUND_CLICKHOUSE_DATABASE',
  ],
])('with %j an archive gets %s prices', (environment, origin, archive, setting) => {
  expect(brought(environment)).toEqual({ origin, mayFollowOthers: false, archive, setting })
})

it('prices follow those of another origin if the operator allows it', () => {
  expect(brought({ OVERROUND_ADOPT_LOG: 'true' }).mayFollowOthers).toBe(true)
})
