// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest'

/** An AudioContext that stays suspended until the test lets it run; counts the tones that were started. */
let state = 'suspended'
let tones = 0
class Context {
  currentTime = 0
  destination = {}
  get state() {
    return state
  }
  resume() {
    return new Promise(() => undefined)
  }
  createGain() {
    return { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect: () => undefined }
  }
  createOscillator() {
    return { frequency: { value: 0 }, connect: () => ({ connect: () => undefined }), start: () => tones++, stop() {} }
  }
}

beforeEach(() => {
  localStorage.clear()
  vi.resetModules()
  vi.stubGlobal('AudioContext', Context)
  ;[state, tones] = ['suspended', 0]
})

test('[OBS-01] sound is off until somebody chooses it in this browser, and then only for what he chose', async () => {
  const { chooseSound, soundAlert, useSound } = await import('./alert-sound.ts')
  state = 'running'
  expect(useSound.getState()).toEqual({ policy: 'off', blocked: false })
  await soundAlert(true)
  expect(tones).toBe(0)
  chooseSound('critical')
  expect(localStorage.getItem('alertSound')).toBe('critical')
  await vi.waitFor(() => expect(tones).toBe(2))
  await soundAlert(false)
  expect(tones).toBe(2)
  await soundAlert(true)
  expect(tones).toBe(4)
})

test('what the browser refuses is said, and a press lets it through', async () => {
  localStorage.setItem('alertSound', 'all')
  const { soundAlert, unlock, useSound } = await import('./alert-sound.ts')
  await soundAlert(true)
  expect(tones).toBe(0)
  expect(useSound.getState()).toEqual({ policy: 'all', blocked: true })
  state = 'running'
  expect(await unlock()).toBe(true)
  expect(useSound.getState().blocked).toBe(false)
  await soundAlert(false)
  expect(tones).toBe(2)
})

test('a browser without sound says the same, and a saved word of no policy is off', async () => {
  vi.stubGlobal('AudioContext', undefined)
  localStorage.setItem('alertSound', 'loud')
  const off = await import('./alert-sound.ts')
  expect(off.useSound.getState().policy).toBe('off')
  off.chooseSound('all')
  await vi.waitFor(() => expect(off.useSound.getState().blocked).toBe(true))
})
