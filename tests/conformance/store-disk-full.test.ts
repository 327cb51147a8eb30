import { type ChildProcess, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { toTuple } from '#contracts/telemetry/stored-event.ts'
import { startProgram } from '#server/programs.ts'
import { connectEventStore } from '#storage/events/serve/connect-event-store.ts'
import { openJournal } from '#storage/journal/open-journal.ts'
import { serveJournal } from '#storage/journal/serve-journal.ts'
import { madeEvent } from '#tests/support/made-events.ts'
import { eventId } from './random-events.ts'

const NOW = Date.UTC(2026, 5, 1, 4)
/** Longer than what the store moves into the file when it is quiet (flusher.ts: 16 MB). */
const LOG_BYTES = 18 * 1024 * 1024
/** What is left on the full disk: less than a CHECKPOINT of that log needs. */
const ROOM_BYTES = 512 * 1024
const canMount = process.platform === 'linux' && process.getuid?.() === 0

test.skipIf(!canMount)(
  'an event store on a full disk ends with a reason when DuckDB invalidates the file, and stores everything once there is space',
  { timeout: 90_000 },
  async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'appwarden-full-'))
    const events = join(folder, 'events')
    mkdirSync(events)
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', events], { stdio: 'ignore' })
    } catch {
      return context.skip('mount is not permitted here')
    }
    const journal = await openJournal(join(folder, 'journal'), { maxBacklogBytes: 1e9 })
    const link = await serveJournal(journal, join(folder, 'j.sock'))
    const options = {
      folder: events,
      journalFolder: journal.folder,
      storeSocket: join(folder, 's.sock'),
      journalSocket: join(folder, 'j.sock'),
      memoryMb: 100,
      threads: 1,
    }
    // As the supervisor does: a process that ends is started again.
    const exits: (number | null)[] = []
    let child: ChildProcess | undefined
    let stopping = false
    const start = () => {
      child = startProgram('store-process', [JSON.stringify(options)], {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      })
      child.once('exit', (code) => {
        exits.push(code)
        if (!stopping) setTimeout(start, 200)
      })
    }
    start()
    const store = connectEventStore(options.storeSocket)
    try {
      await store.ready(20_000)
      let sent = 0
      const post = async () => {
        const batch = Array.from({ length: 2000 }, () => {
          const i = sent++
          const reason = Array.from({ length: 4 }, (_, k) => createHash('md5').update(`${i} ${k}`).digest('hex')).join(
            '',
          )
          return toTuple(madeEvent({ id: eventId(i), receivedAt: NOW, extra: JSON.stringify({ reason }) }))
        })
        await journal.append({ kind: 'batch', at: NOW, events: batch })
      }
      // Once nothing comes in, the store moves a long write-ahead log into the file: that CHECKPOINT needs room.
      const logBytes = () => statSync(join(events, 'events.duckdb.wal'), { throwIfNoEntry: false })?.size ?? 0
      while (logBytes() < LOG_BYTES) {
        await post()
        await sleep(100)
      }
      while ((await store.status()).rows < sent) await sleep(50)
      const { bavail, bsize } = statfsSync(events)
      const ballast = join(events, 'ballast')
      writeFileSync(ballast, Buffer.alloc(bavail * bsize - ROOM_BYTES))
      for (const until = Date.now() + 30_000; exits.length === 0 && Date.now() < until; ) await sleep(50)
      expect(exits[0]).toBe(1)
      rmSync(ballast)
      const until = Date.now() + 30_000
      let rows = 0
      while (rows < sent && Date.now() < until) {
        rows = (await store.status().catch(() => ({ rows: 0 }))).rows
        await sleep(100)
      }
      expect(rows).toBe(sent)
      expect((await store.status()).state).toBe('ok')
    } finally {
      stopping = true
      const gone = child && child.exitCode === null ? once(child, 'exit') : undefined
      child?.kill('SIGKILL')
      await gone
      await store.close()
      await link.close()
      await journal.close()
      execFileSync('umount', ['-l', events])
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
