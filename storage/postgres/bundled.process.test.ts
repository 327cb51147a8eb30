import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTestPostgres } from '../../tests/support/test-postgres.ts'
import { startBundledPostgres } from './bundled.ts'

test('a server that is killed while it starts is told at once, and starts after that', async () => {
  const top = mkdtempSync(join(tmpdir(), 'appwarden-bundled-'))
  const folder = join(top, 'postgres')
  const first = await startTestPostgres(folder)
  await first.stop()
  const file = join(folder, 'data/postmaster.pid')
  expect(existsSync(file)).toBe(false)

  let outcome: 'starting' | 'refused' | 'started' = 'starting'
  const start = startBundledPostgres(folder).then(
    () => {
      outcome = 'started'
    },
    (error: Error) => {
      outcome = 'refused'
      expect(error.message).toContain('did not start')
    },
  )
  // Its process writes this file first and listens later.
  let pid = 0
  while (outcome === 'starting' && !pid) {
    await new Promise((wake) => setImmediate(wake))
    pid = existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0
  }
  expect(pid).toBeGreaterThan(0) // 0 would be everything that runs here
  process.kill(pid, 'SIGKILL')
  await start
  expect(outcome).toBe('refused')

  const again = await startBundledPostgres(folder)
  await again.stop()
  rmSync(top, { recursive: true, force: true })
}, 30_000)
