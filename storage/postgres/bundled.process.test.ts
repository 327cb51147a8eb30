import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTestPostgres } from '../../tests/support/test-postgres.ts'
import { startBundledPostgres } from './bundled.ts'

test('bundled PostgreSQL reports at once that it was killed during its start, and the next start succeeds', async () => {
  const top = mkdtempSync(join(tmpdir(), 'appwarden-bundled-'))
  const folder = join(top, 'postgres')
  const first = await startTestPostgres(folder)
  await first.stop()
  const file = join(folder, 'data/postmaster.pid')
  expect(existsSync(file)).toBe(false)

  // A quick machine may be ready before it is killed: then once more.
  let outcome = await killedWhileStarting(folder)
  for (let tries = 1; outcome === 'started' && tries < 8; tries++) outcome = await killedWhileStarting(folder)
  expect(outcome).toContain('did not start')

  const again = await startBundledPostgres(folder)
  await again.stop()
  rmSync(top, { recursive: true, force: true })
}, 30_000)

test('bundled PostgreSQL starts where its lock files name another program, or a process that ended and was never collected', async () => {
  const top = mkdtempSync(join(tmpdir(), 'appwarden-bundled-'))
  const folder = join(top, 'postgres')
  await (await startTestPostgres(folder)).stop()
  const data = join(folder, 'data')
  // The shell is replaced by a program that collects no children: the first `sleep` stays a zombie. It works in the folder of the
  // data, as a person may who looks at the files.
  const script = 'sleep 0 & echo $!; exec sleep 600'
  const other = spawn('sh', ['-c', script], { cwd: data, stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    const zombie = Number((await once(other.stdout, 'data'))[0])
    await expect.poll(() => readFileSync(`/proc/${zombie}/stat`, 'utf8')).toContain(') Z ')
    for (const pid of [other.pid as number, zombie]) {
      mkdirSync(join(folder, 'socket'), { recursive: true })
      for (const lock of [join(data, 'postmaster.pid'), join(folder, 'socket/.s.PGSQL.5432.lock')])
        writeFileSync(lock, `${pid}\n${data}\n1\n5432\n\n\n\n`)
      const lines: string[] = []
      const began = performance.now()
      const server = await startBundledPostgres(folder, (line) => lines.push(line))
      await server.stop()
      // Without waiting for a process that is no server to leave the folder (20 s).
      expect(performance.now() - began).toBeLessThan(15_000)
      expect(lines).toContain(`the lock files named process ${pid}, which is no server of this folder: removed`)
    }
  } finally {
    other.kill('SIGKILL')
    rmSync(top, { recursive: true, force: true })
  }
}, 60_000)

/** Kills the server as soon as its process is known. Answers what its start is refused with, or 'started' where that was too late. */
async function killedWhileStarting(folder: string): Promise<string> {
  const file = join(folder, 'data/postmaster.pid')
  let ended = false
  const start = startBundledPostgres(folder)
    .then(
      async (server) => {
        await server.stop()
        return 'started'
      },
      (error: Error) => error.message,
    )
    .finally(() => {
      ended = true
    })
  // Its process writes this file first and listens later.
  let pid = 0
  while (!ended && !pid) {
    await new Promise((wake) => setImmediate(wake))
    pid = existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0
  }
  // 0 would be everything that runs here.
  if (pid > 0 && !ended) process.kill(pid, 'SIGKILL')
  return start
}
