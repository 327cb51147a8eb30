import { fork } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { waitFor } from '#tests/support/running-server.ts'
import type { startProgram } from '../programs.ts'
import { endLeftovers, recordChildren } from './leftover-children.ts'
import { type ChildSupervisor, type SuperviseOptions, superviseChild } from './supervise-child.ts'

let folder: string
let script: string
const running: ChildSupervisor[] = []
let stopped = false
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'supervise-'))
  script = join(folder, 'child.mjs')
  writeFileSync(
    script,
    `process.on('message', ({ ping }) => process.send({ pong: ping }))
     process.on('disconnect', () => process.env.STAYS || process.exit())
     if (process.env.FAILS) { process.stderr.write('cause of the failure\\n'); process.exit(3) }
     process.send({ ready: true })`,
  )
})
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(async () => {
  stopped = true
  for (const one of running.splice(0)) await one.stop()
  stopped = false
})

const startScript: typeof startProgram = (_program, args, options) => fork(script, args, options)
function supervise(options: Partial<SuperviseOptions> = {}): ChildSupervisor {
  const child = superviseChild('demo', {
    name: 'test',
    options: {},
    env: { ...process.env },
    stopped: () => stopped,
    start: startScript,
    liveness: { everyMs: 100, missed: 3, startMs: 20_000 },
    ...options,
  })
  running.push(child)
  return child
}

test('a process that cannot be forked is tried again until it can, and the supervisor lives', async () => {
  let attempts = 0
  const start: typeof startProgram = (program, args, options) => {
    attempts++
    if (attempts === 2) throw Object.assign(new Error('spawn EMFILE'), { code: 'EMFILE' })
    // What EAGAIN and ENOMEM look like: no exception, an 'error' event and no exit.
    if (attempts < 5) return fork(script, args, { ...options, execPath: '/nonexistent/node' })
    return startScript(program, args, options)
  }
  const child = supervise({ start, essential: true })
  await child.ready
  expect(attempts).toBe(5)
  expect(child.pid()).toBeGreaterThan(0)
})

test('a process that hangs (SIGSTOP) is ended and started again within seconds', async () => {
  const child = supervise()
  await child.ready
  const first = child.pid() as number
  await sleep(400)
  expect(child.pid()).toBe(first)
  process.kill(first, 'SIGSTOP')
  await waitFor(() => ![undefined, first].includes(child.pid()), 10_000, 'another process')
})

test('a process that ends is started again; an essential one that never works is given up with its exit code', async () => {
  const child = supervise()
  await child.ready
  const first = child.pid() as number
  process.kill(first, 'SIGKILL')
  await waitFor(() => ![undefined, first].includes(child.pid()), 10_000, 'another process')
  const failing = supervise({ env: { ...process.env, FAILS: '1' }, essential: true })
  await expect(failing.ready).rejects.toThrow('The test process does not start (3)')
  await sleep(500)
  expect(failing.pid()).toBe(undefined)
})

test('one that is not essential is tried for ever, also after its first start was given up', async () => {
  const env: NodeJS.ProcessEnv = { ...process.env, FAILS: '1' }
  let attempts = 0
  const child = supervise({
    start: (program, args, options) => {
      const fails = ++attempts < 5
      return startScript(program, args, { ...options, env: { ...env, FAILS: fails ? '1' : '' } })
    },
  })
  await expect(child.ready).rejects.toThrow('does not start')
  await waitFor(() => attempts === 5 && child.pid() !== undefined, 10_000, 'the fifth attempt')
})

test('processes of a killed supervisor are ended before the next one starts its own', async () => {
  const data = mkdtempSync(join(tmpdir(), 'leftover-'))
  writeFileSync(join(data, 'x'), '')
  const { mkdirSync } = await import('node:fs')
  mkdirSync(join(data, 'run'))
  const orphan = fork(script, [], { env: { ...process.env, STAYS: '1' } })
  recordChildren(data).add(orphan.pid as number)
  expect(readFileSync(join(data, 'run/children'), 'utf8')).toMatch(/^\d+ \d+$/)
  expect(await endLeftovers(data, 200)).toBe(1)
  await waitFor(() => orphan.signalCode === 'SIGKILL', 5000, 'its end')
  expect(await endLeftovers(data, 200)).toBe(0)
  rmSync(data, { recursive: true })
})
