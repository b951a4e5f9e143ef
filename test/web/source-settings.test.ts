/** The form that adds a live source: what is typed becomes settings that the source takes. */

import { describe, expect, it } from 'vitest'
import { fieldsOf, settingsOf, textOf } from '../../api/web/client/data/source-settings.ts'
import { findLiveSource, liveSources } from '../../pipeline/feeds/live-sources.ts'
import { sourceCases } from '../pipeline/feeds/source-cases.ts'

const fieldsOfSource = (name: string) => fieldsOf(findLiveSource(name)!.settings)

describe('the form of a source', () => {
  it.each(sourceCases.map(({ source, settings }) => [source.name, settings] as const))(
    'opens %s with what is typed, and shows the same again',
    (name, settings) => {
      const fields = fieldsOfSource(name)
      const texts = Object.fromEntries(
        Object.entries(settings).map(([key, value]) => {
          const field = fields.find((one) => one.name === key)!
          return [key, textOf(field, value)]
        }),
      )
      const typed = settingsOf(fields, texts)
      expect(typed).toEqual(settings)
      expect(findLiveSource(name)!.openBy(typed, {}).name).toBe(name)
    },
  )

  it('describes every field that does not explain itself, and hides keys', () => {
    const selfExplaining = new Set(['username', 'password', 'clientId', 'clientSecret', 'apiKey'])
    const silent = liveSources.flatMap(({ name }) =>
      fieldsOfSource(name)
        .filter((field) => field.description === '' && !selfExplaining.has(field.name))
        .map((field) => `${name} ${field.name}`),
    )
    expect(silent).toEqual([
      'polymarket leagues',
      'betfair-exchange loginUrl',
      'betfair-exchange certificateLoginUrl',
      'betfair-exchange port',
    ])
    const hidden = liveSources.flatMap(({ name }) =>
      fieldsOfSource(name)
        .filter(({ kind }) => kind === 'secret')
        .map((field) => `${name} ${field.name}`),
    )
    expect(hidden).toEqual([
      'the-odds-api apiKey',
      'pinnacle apiKey',
      'fanduel applicationKey',
      'matchbook password',
      'novig clientSecret',
      'prophetx apiKey',
      'betfair-exchange appKey',
      'betfair-exchange sessionToken',
      'betfair-exchange password',
    ])
  })

  it('takes lists by commas, null for no budget, and leaves out what is empty', () => {
    const fields = fieldsOfSource('the-odds-api')
    const typed = {
      ...{ apiKey: ' k ', sports: 'basketball_nba, , icehockey_nhl,', regions: '' },
      ...{ creditsPerMonth: 'null', intervalMs: '90000', scoresDaysFrom: 'two' },
    }
    expect(settingsOf(fields, typed)).toEqual({
      ...{ apiKey: 'k', sports: ['basketball_nba', 'icehockey_nhl'] },
      ...{ creditsPerMonth: null, intervalMs: 90_000, scoresDaysFrom: 'two' },
    })
    expect(settingsOf(fieldsOfSource('kambi'), { live: 'false' })).toEqual({ live: false })
    expect(() => settingsOf(fieldsOfSource('caesars'), { competitions: '[{' })).toThrow(
      'competitions is not JSON.',
    )
  })
})
