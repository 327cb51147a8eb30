import { existsSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import type { Isolation, SandboxLimits } from './isolation.ts'
import { runSandboxed, type SandboxedRun } from './run-sandboxed.ts'

const OPEN: Isolation = { prefix: [], kept: [], missing: [] }
const LIMITS: SandboxLimits = { memoryMb: 512, cpuSeconds: 60, wallSeconds: 20, openFiles: 64 }

async function run(code: string, more: Partial<SandboxedRun> = {}) {
  const lines: string[] = []
  const end = await runSandboxed({
    program: { file: process.execPath, args: ['--max-old-space-size=64', '-e', code, '--'] },
    isolation: OPEN,
    limits: LIMITS,
    order: { answer: 42 },
    input: Readable.from([Buffer.from('bytes')]),
    outputBytes: 100_000,
    signal: new AbortController().signal,
    onLine: (line) => lines.push(line),
    ...more,
  })
  return { end, lines }
}

test('gives bytes and order, takes lines, and hands on nothing of the environment', async () => {
  process.env['APPWARDEN_TEST_SECRET'] = 'secret'
  const code = `const fs = require('fs')
    const say = (text) => fs.writeSync(3, text + '\\n')
    say(fs.readFileSync(0, 'utf8')); say(process.argv.at(-1)); say(JSON.stringify(process.env))`
  const { end, lines } = await run(code)
  delete process.env['APPWARDEN_TEST_SECRET']
  expect(end).toEqual({ ended: 'done' })
  expect(lines.slice(0, 2)).toEqual(['bytes', '{"answer":42}'])
  expect(lines[2]).not.toContain('secret')
})

test('runs in the background at a lower priority than its caller', async () => {
  // It is set once the process is there: the program looks a moment later.
  const code = `setTimeout(() => require('fs').writeSync(3, require('os').getPriority() + '\\n'), 200)`
  const own = getPriority()
  expect((await run(code)).lines).toEqual([String(own)])
  const { lines } = await run(code, { background: true })
  expect(Number(lines[0])).toBeGreaterThanOrEqual(Math.max(own, 10))
})

test('is ended by time, and by a caller that cancels it', async () => {
  const forever = 'for (;;) {}'
  const { end } = await run(forever, { limits: { ...LIMITS, wallSeconds: 0.3 } })
  expect(end).toEqual({ ended: 'limit', limit: 'time' })
  const stop = new AbortController()
  setTimeout(() => stop.abort(), 300)
  expect((await run(forever, { signal: stop.signal })).end).toEqual({ ended: 'stopped' })
  expect((await run(forever, { signal: AbortSignal.abort() })).end).toEqual({ ended: 'stopped' })
})

test('is ended by memory and by how much it says', async () => {
  const hoarder = 'const all = []; for (;;) all.push(new Array(100000).fill({}))'
  expect((await run(hoarder)).end).toEqual({ ended: 'limit', limit: 'memory' })
  const talker = `for (;;) require('fs').writeSync(3, 'x'.repeat(1000))`
  const { end, lines } = await run(talker)
  expect(end).toEqual({ ended: 'limit', limit: 'output' })
  expect(lines).toEqual([])
})

test('a crash is reported with the end of its error output; a missing program counts as a crash', async () => {
  const { end } = await run(`throw new Error('broken inside')`)
  expect(end).toMatchObject({ ended: 'crashed', detail: expect.stringContaining('broken inside') })
  const missing = await run('', { program: { file: '/no/such/program', args: [] } })
  expect(missing.end).toMatchObject({ ended: 'crashed', detail: expect.stringContaining('ENOENT') })
})

test('nothing of its group outlives it', async () => {
  const code = `const child = require('child_process').spawn('sleep', ['60'], { stdio: 'ignore' })
    require('fs').writeSync(3, child.pid + '\\n')`
  const { lines } = await run(`${code}; process.exit(0)`)
  const pid = Number(lines[0])
  // What was killed may wait as a zombie for a parent that never asks.
  const alive = () => existsSync(`/proc/${pid}/stat`) && !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  for (let tries = 0; tries < 50 && alive(); tries++) await new Promise((wake) => setTimeout(wake, 20))
  expect(alive()).toBe(false)
})
