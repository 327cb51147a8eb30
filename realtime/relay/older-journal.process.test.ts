import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toTuple } from '#contracts/telemetry/stored-event.ts'
import { LOG_FOLDER, OPTIONS } from '#runtime/start-process.ts'
import { startProgram } from '#server/programs.ts'
import { serveEventStore } from '#storage/events/serve/serve-event-store.ts'
import { openJournal } from '#storage/journal/open-journal.ts'
import { serveJournal } from '#storage/journal/serve-journal.ts'
import { madeEvent } from '#tests/support/made-events.ts'
import {
  bareClient,
  isFrame,
  isSnapshot,
  isStream,
  type RelayBed,
  relayBed,
  STREAM,
  WALL,
} from '#tests/support/relay-bed.ts'

let bed: RelayBed
beforeAll(async () => {
  bed = await relayBed()
}, 30_000)
afterAll(() => bed.close())

/** A session that the relay finds when it checks the tickets' subjects. */
async function sessionOfUser(): Promise<{ id: string; userId: number }> {
  const { db } = bed.meta
  const role = { key: 'r', zh: 'r', en: 'r', built_in: false, sees_all: true, auth: ['events.read'] }
  await db.insertInto('roles').values(role).execute()
  const user = await db
    .insertInto('users')
    .values({
      ...{ username: 'one@example.com', role: 'r', password_hash: '', password_history: [] },
      ...{ super: false, must_change_password: false, disabled: false, created_at: 0 },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const at = { created_at: Date.now(), last_input_at: Date.now(), ended_at: null, end_reason: null }
  const session = { id: 's1', user_id: user.id, label: 's1', address: '', agent: '' }
  await db
    .insertInto('sessions')
    .values({ ...session, ...at })
    .execute()
  return { id: 's1', userId: user.id }
}

test('[A5] a relay whose journal comes back shorter goes on from its end: one log line, the same process, the same sockets', async () => {
  const folder = join(bed.folder, 'journal')
  const paths = { journalSocket: join(bed.folder, 'j.sock'), storeSocket: join(bed.folder, 's.sock') }
  const logs = join(bed.folder, 'logs')
  mkdirSync(logs)
  let journal = await openJournal(folder, { maxBacklogBytes: 1e9 })
  let owner = await serveJournal(journal, paths.journalSocket)
  const store = await serveEventStore(bed.store, paths.storeSocket)
  const append = async (count: number) => {
    const events = Array.from({ length: count }, () => madeEvent({ receivedAt: Date.now(), id: crypto.randomUUID() }))
    await journal.append({ kind: 'batch', at: Date.now(), events: events.map(toTuple) })
    return events
  }
  /** Copies another journal over it while its owner is away. */
  const exchange = async (from: string) => {
    await owner.close()
    await journal.close()
    cpSync(from, folder, { recursive: true })
    journal = await openJournal(folder, { maxBacklogBytes: 1e9 })
    owner = await serveJournal(journal, paths.journalSocket)
  }
  const subject = await sessionOfUser()
  const options = { ...paths, journalFolder: folder, database: bed.address, listen: { host: '127.0.0.1', port: 0 } }
  const program = startProgram('relay-process', [], {
    env: { ...process.env, [LOG_FOLDER]: logs, [OPTIONS]: JSON.stringify(options) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  try {
    const port = await new Promise<number>((resolve, reject) => {
      program.on('message', (message: { port?: number }) => message.port !== undefined && resolve(message.port))
      program.on('exit', (code) => reject(new Error(`the relay ended with ${code}`)))
    })
    await append(2)
    const backup = join(bed.folder, 'backup')
    cpSync(folder, backup, { recursive: true })
    const [wall, stream] = [
      await bareClient(`http://127.0.0.1:${port}`, await bed.ticket(subject)),
      await bareClient(`http://127.0.0.1:${port}`, await bed.ticket(subject)),
    ]
    await wall.subscribe(WALL)
    await wall.wait(isSnapshot)
    await stream.subscribe(STREAM)
    await stream.wait(isStream)
    for (let round = 1; round <= 2; round++) {
      const [lost] = await append(3)
      await stream.until((m) => isStream(m) && m.rows.some(({ id }) => id === lost?.id))
      await exchange(backup)
      await delay(1500)
      // Nothing of what the older journal holds already is counted or shown again, what comes now is.
      wall.heard.length = 0
      const [fresh] = await append(1)
      await stream.until((m) => isStream(m) && m.rows[0]?.id === fresh?.id)
      await wall.until((m) => isFrame(m) || isSnapshot(m))
      const lines = readFileSync(join(logs, 'relay.log'), 'utf8')
        .split('\n')
        .filter((line) => line.includes('shorter'))
      expect(lines).toHaveLength(round)
    }
    expect([program.exitCode, wall.socket.connected, stream.socket.connected]).toEqual([null, true, true])
    for (const { socket } of [wall, stream]) socket.disconnect()
  } finally {
    program.removeAllListeners('exit')
    program.kill('SIGKILL')
    await owner.close()
    await store.close()
    await journal.close()
  }
}, 60_000)
