import type { JournalPendingDecisions } from '#contracts/telemetry/stored-event.ts'
import { type LocalServer, serveLocal } from '../local-socket/serve-local.ts'
import type { DiskJournal } from './open-journal.ts'

/** The durable position goes out at most this often, and at once when nothing went out for that long. */
const NOTICE_MS = 10

/**
 * Lets other processes follow the journal, append verdicts (exempt from the backlog bound) and release what is stored.
 * Close the server before the journal.
 */
export async function serveJournal(writer: DiskJournal, socketPath: string): Promise<LocalServer> {
  const standing = () => ({ name: writer.name, durable: writer.durable() })
  const server = await serveLocal(socketPath, {
    greeting: () => [{ topic: 'durable', value: standing() }],
    calls: {
      standing,
      appendVerdicts: async (verdicts: JournalPendingDecisions) => void (await writer.append(verdicts)),
      release: (position: number) => writer.release(position),
    },
  })
  let timer: NodeJS.Timeout | undefined
  let changed = false
  const announce = () => {
    timer = undefined
    if (!changed) return
    changed = false
    server.notify('durable', standing())
    timer = setTimeout(announce, NOTICE_MS)
  }
  const unfollow = writer.follow(() => {
    changed = true
    timer ??= setTimeout(announce, 0)
  })
  return {
    notify: server.notify,
    async close() {
      unfollow()
      clearTimeout(timer)
      await server.close()
    },
  }
}
