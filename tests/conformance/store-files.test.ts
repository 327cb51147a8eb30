import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startProgram } from '#server/programs.ts'
import { connectEventStore } from '#storage/events/serve/connect-event-store.ts'

test('the files of the event store are readable by the account that runs it alone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'appwarden-files-'))
  const storeSocket = join(folder, 's.sock')
  const options = {
    folder: join(folder, 'events'),
    journalFolder: join(folder, 'journal'),
    storeSocket,
    journalSocket: join(folder, 'j.sock'),
    memoryMb: 100,
    threads: 1,
  }
  const child = startProgram('store-process', [JSON.stringify(options)], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const store = connectEventStore(storeSocket)
  try {
    await store.ready(20_000)
    // The process answers before its file is open.
    await expect.poll(async () => (await store.status()).problem, { timeout: 20_000 }).toBeUndefined()
    const files = readdirSync(options.folder, { recursive: true, encoding: 'utf8' })
      .map((name) => ({ name, stat: statSync(join(options.folder, name)) }))
      .filter(({ stat }) => stat.isFile())
    expect(files.length).toBeGreaterThan(0)
    expect(files.filter(({ stat }) => stat.mode & 0o077).map(({ name }) => name)).toEqual([])
  } finally {
    await store.close()
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
    rmSync(folder, { recursive: true, force: true })
  }
})
