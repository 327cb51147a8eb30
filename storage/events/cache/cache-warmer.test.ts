import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { CacheWarmer } from './cache-warmer.ts'

/** A question that runs until it is released or interrupted. */
function question() {
  let release = () => {}
  const started: AbortSignal[] = []
  const ask = (signal: AbortSignal) => {
    started.push(signal)
    return new Promise<void>((resolve, reject) => {
      release = resolve
      signal.addEventListener('abort', () => reject(signal.reason as Error))
    })
  }
  return { ask, started, release: () => release() }
}
const until = async (what: () => boolean) => {
  while (!what()) await sleep(2)
}

test('a question of a user interrupts what is prepared, which is asked again once the user has his answer', async () => {
  const warmer = new CacheWarmer(5)
  const one = question()
  warmer.start(() => [one.ask])
  await until(() => one.started.length === 1)
  let answered = () => {}
  const user = warmer.giveWay(() => new Promise<void>((resolve) => (answered = resolve)))
  expect(one.started[0]?.aborted).toBe(true)
  await sleep(30)
  expect(one.started).toHaveLength(1)
  answered()
  await user
  await until(() => one.started.length === 2)
  one.release()
  expect(await warmer.settled()).toBe(1)
  expect(one.started).toHaveLength(2)
})

test('a question that fails, and one that made way three times, are left out; the others are prepared', async () => {
  const warmer = new CacheWarmer(0)
  const often = question()
  const prepared: string[] = []
  warmer.start(() => [
    () => Promise.reject(new Error('refused')),
    often.ask,
    async () => {
      prepared.push('last')
    },
  ])
  for (let time = 1; time <= 3; time++) {
    await until(() => often.started.length === time)
    await warmer.giveWay(async () => {})
  }
  expect(await warmer.settled()).toBe(1)
  expect(often.started).toHaveLength(3)
  expect(prepared).toEqual(['last'])
})

test('a start while questions are prepared begins again with the questions of that time, once', async () => {
  const warmer = new CacheWarmer(0)
  let lists = 0
  const one = question()
  const list = () => (lists++ === 0 ? [one.ask] : [])
  warmer.start(list)
  await until(() => one.started.length === 1)
  warmer.start(list)
  warmer.start(list)
  one.release()
  await warmer.settled()
  expect(lists).toBe(2)
})

test('closing interrupts what is prepared, and nothing begins afterwards', async () => {
  const warmer = new CacheWarmer(60_000)
  await warmer.giveWay(async () => {})
  const one = question()
  warmer.start(() => [one.ask])
  await warmer.close()
  warmer.start(() => [one.ask])
  await warmer.settled()
  expect(one.started).toEqual([])
})
