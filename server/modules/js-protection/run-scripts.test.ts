import { describe, expect, test } from 'vitest'
import { protectRead } from '#engines/jsguard/protect-script.ts'
import { parseScript } from '#engines/jsguard/read-script.ts'
import { PRESETS, SCRIPT_OPTIONS } from '#engines/jsguard/script-options.ts'
import { runScripts } from './run-scripts.ts'

const clock = () => performance.now()
const protectedForms = (text: string, name: string) =>
  Object.fromEntries(
    PRESETS.map((preset) => [
      preset,
      protectRead(parseScript(text, name), preset, { name, seed: 4, options: { ...SCRIPT_OPTIONS, preset } }).code,
    ]),
  )

const MODULE = `import { send } from './net.js'
export function fee(amount, level) { if (level === 'gold') return 0; return Math.max(2, Math.round(amount * 0.002)) }
export const sign = (text) => { let h = 0; for (const c of String(text)) h = (h * 31 + c.charCodeAt(0)) | 0; return h.toString(16) }
document.querySelector('#pay').addEventListener('click', () => send(sign('x')))
`

describe('trial run', () => {
  test('code for a browser runs with what is not there, and every preset gives the same results', () => {
    const { runs, untimed, trials } = runScripts(
      { name: 'pay.mjs', original: MODULE, protected: protectedForms(MODULE, 'pay.mjs') },
      clock,
    )
    expect(untimed).toBe('')
    expect(runs).toBeGreaterThanOrEqual(5)
    for (const preset of PRESETS) {
      expect(trials[preset], preset).toMatchObject({ same: 10, calls: 10 })
      expect(trials[preset]?.slowdown).toBeGreaterThan(0.2)
    }
    expect(trials['high']?.slowdown).toBeGreaterThan(trials['low']?.slowdown ?? 0)
  }, 60_000)

  test('a form that does something else is found out', () => {
    const original = 'function twice(n) { return n * 2 }'
    const { trials } = runScripts(
      { name: 'a.js', original, protected: { low: 'function twice(n) { return n * 3 }', high: 'function other() {}' } },
      clock,
    )
    expect(trials['low']?.same).toBeLessThan(trials['low']?.calls ?? 0)
    expect(trials['high']?.same).toBeLessThan(trials['high']?.calls ?? 0)
  }, 60_000)

  test('code that waits for ever, that fails, or that waits at its top level is not timed, and says why', () => {
    const none = { low: 'var a = 1' }
    expect(runScripts({ name: 'a.js', original: 'for (;;) {}', protected: none }, clock).untimed).toBe('time')
    expect(runScripts({ name: 'a.js', original: 'throw new Error("no")', protected: none }, clock).untimed).toBe(
      'browser',
    )
    expect(runScripts({ name: 'a.mjs', original: 'export const a = await b()', protected: none }, clock).untimed).toBe(
      'await',
    )
  }, 60_000)
})
