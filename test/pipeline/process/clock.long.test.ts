import { expect, test } from 'vitest'
import { createClock } from '../../../pipeline/process/clock.ts'

const start = Date.UTC(2026, 10, 20, 12)
const hour = 3_600_000

/** Creates a machine whose clocks the test sets; `pass` advances all of them. */
function createMachine() {
  const machine = { system: start, monotonic: 5_000, boot: 77_000 }
  const steps: [stepMs: number, aheadMs: number][] = []
  const clock = createClock({
    onStep: (...step) => steps.push(step),
    system: () => machine.system,
    monotonic: () => machine.monotonic,
    sinceBoot: () => machine.boot,
  })
  const seen: number[] = [clock.now()]
  const look = () => {
    const now = clock.now()
    expect(now).toBeGreaterThanOrEqual(seen.at(-1)!)
    seen.push(now)
    return now
  }
  const pass = (ms: number, everyMs = 100) => {
    for (let left = ms; left > 0; left -= everyMs) {
      const passed = Math.min(everyMs, left)
      machine.system += passed
      machine.monotonic += passed
      machine.boot += passed
      look()
    }
    return look()
  }
  const sleep = (ms: number) => {
    machine.system += ms
    machine.boot += ms
  }
  return { machine, clock, steps, pass, sleep }
}

test('is the clock of the system while nobody sets that', () => {
  const { machine, clock, steps, pass } = createMachine()
  expect(pass(hour, 333)).toBe(machine.system)
  expect(clock.aheadMs()).toBe(0)
  expect(steps).toEqual([])
})

test.each([2 * hour, -2 * hour])(
  'continues when the system is set by %i ms, reports it once, and gets there by a tenth of the time',
  (stepMs) => {
    const { machine, clock, steps, pass } = createMachine()
    pass(60_000)
    const before = clock.now()
    machine.system += stepMs
    pass(60_000)
    expect(steps).toEqual([[stepMs, stepMs]])
    const passed = clock.now() - before
    expect(passed).toBeGreaterThan(60_000 * 0.9 - 1)
    expect(passed).toBeLessThan(60_000 * 1.1 + 1)
    expect(Math.abs(clock.aheadMs())).toBeLessThan(Math.abs(stepMs))
    pass(20 * hour + 5 * 60_000, 900)
    expect(Math.abs(clock.aheadMs())).toBeLessThanOrEqual(1)
    expect(steps).toHaveLength(1)
  },
)

test('follows the corrections of a time server without calling them steps', () => {
  const { machine, clock, steps, pass } = createMachine()
  for (let i = 0; i < 200; i++) {
    pass(10_000)
    machine.system += i % 2 ? 90 : -70
  }
  pass(60_000)
  expect(Math.abs(clock.aheadMs())).toBeLessThanOrEqual(1)
  expect(steps).toEqual([])
})

test('counts each of several steps from where the last one left it', () => {
  const { machine, steps, pass } = createMachine()
  pass(5_000)
  machine.system += hour
  pass(5_000)
  machine.system -= 3 * hour
  pass(5_000)
  expect(steps.map(([stepMs]) => stepMs)).toEqual([hour, -3 * hour])
})

test('counts the sleep of the machine as time that has passed', () => {
  const { machine, clock, steps, pass, sleep } = createMachine()
  pass(5_000)
  sleep(2 * hour)
  expect(pass(2_000)).toBe(machine.system)
  expect(clock.aheadMs()).toBe(0)
  expect(steps).toEqual([])
  // If the clock is also set during a sleep, both count.
  sleep(hour)
  machine.system += hour
  pass(2_000)
  expect(steps).toEqual([[hour, hour]])
})

test('does not overshoot after a process that stood still', () => {
  const { machine, clock, pass } = createMachine()
  pass(5_000)
  machine.system += 60_000
  pass(2_000)
  pass(hour, hour)
  expect(clock.aheadMs()).toBeGreaterThanOrEqual(0)
  pass(15 * 60_000)
  expect(Math.abs(clock.aheadMs())).toBeLessThanOrEqual(1)
})

test('continues from its last written time, however far behind the system is now', () => {
  const { clock, steps, pass } = createMachine()
  clock.continueFrom(start + 2 * hour)
  expect(clock.now()).toBe(start + 2 * hour)
  pass(60_000)
  expect(clock.now()).toBeLessThan(start + 2 * hour + 60_000)
  expect(clock.now()).toBeGreaterThan(start + 2 * hour + 53_000)
  expect(steps).toEqual([[-2 * hour, -2 * hour]])
  clock.continueFrom(start)
  expect(clock.now()).toBeGreaterThan(start + 2 * hour)
})
