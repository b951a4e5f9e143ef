import { expect, it } from 'vitest'
import { goneTopic, type TopicDifference } from '../../../../pipeline/log/kafka/topic-plan.ts'
import { watchTopics } from '../../../../pipeline/log/kafka/topic-watch.ts'
import type { TopicFault } from '../../../../pipeline/log/log.ts'

const differing = (topic: string, gravity: TopicDifference['gravity']): TopicDifference => ({
  ...{ topic, setting: 'cleanup.policy', is: 'delete', wanted: 'compact', gravity },
  why: 'rows are deleted by age',
})

it('a topic that was changed is named once when it comes and once when it has gone', async () => {
  let answer: readonly TopicDifference[] | Error = []
  let looks = 0
  const lines: (readonly [string, object])[] = []
  const note = (fields: object, message: string) => lines.push([message, fields])
  const stop = new AbortController()
  const faults = watchTopics(
    async () => {
      looks++
      if (answer instanceof Error) throw answer
      return answer
    },
    { debug() {}, info: note, warn: note },
    stop.signal,
    1,
  )
  /** Lets it look again, twice, with another answer. */
  async function next(another: typeof answer) {
    answer = another
    const before = looks
    await expect.poll(() => looks).toBeGreaterThan(before + 2)
  }
  const changed = differing('accounts', 'refused')
  await next([changed, differing('odds', 'warned')])
  expect(faults()).toEqual([changed])
  // Brokers that do not answer say nothing.
  await next(new Error('away'))
  expect(faults()).toEqual([changed])
  await next([changed])
  const { gravity: _, ...told } = changed
  expect(lines).toEqual([['a topic in use was deleted or changed', told]])
  await next([])
  expect(faults()).toEqual([])
  const { topic, setting, why } = changed
  expect(lines.slice(1)).toEqual([
    ['a topic is as wanted again; what it lost is not back', { topic, setting, why }],
  ])
  stop.abort()
})

it('a topic counts as gone after two looks in a row that miss it', async () => {
  const gone = { ...differing('bets', 'refused'), setting: goneTopic }
  const answers = [[gone], [], [gone], new Error('away'), [gone], []]
  const seen: (readonly TopicFault[])[] = []
  const stop = new AbortController()
  const faults = watchTopics(
    async () => {
      seen.push(faults())
      const answer = answers.shift() ?? []
      if (answer instanceof Error) throw answer
      return answer
    },
    { debug() {}, info() {}, warn() {} },
    stop.signal,
    1,
  )
  await expect.poll(() => seen.length).toBeGreaterThan(6)
  stop.abort()
  expect(seen.slice(0, 7)).toEqual([[], [], [], [], [], [gone], []])
})
