import type { JournalPendingDecisions } from '#contracts/telemetry/stored-event.ts'
import { type LocalServer, serveLocal } from '../local-socket/serve-local.ts'
import type { DiskJournal } from './open-journal.ts'
import type { JournalGap } from './port.ts'

/** The durable position goes out at most this often, and at once when nothing went out for that long. */
const NOTICE_MS = 10

/**
 * Lets other processes follow the journal and act as its JournalLink: append pending decisions (exempt from the backlog bound), release
 * what is stored. Close the server before the journal.
 */
export async function serveJournal(writer: DiskJournal, socketPath: string): Promise<LocalServer> {
  const head = () => ({ name: writer.name, durable: writer.durable() })
  const server = await serveLocal(socketPath, {
    greeting: () => [{ topic: 'durable', value: head() }],
    calls: {
      head,
      appendDecisions: async (decisions: JournalPendingDecisions) => void (await writer.append(decisions)),
      release: (position: number) => writer.release(position),
      oldest: () => writer.oldest(),
      dropBefore: (position: number) => writer.dropBefore(position),
      startBeyond: (position: number) => writer.startBeyond(position),
      reportGap: (gap: JournalGap) => writer.reportGap(gap),
    },
  })
  let timer: NodeJS.Timeout | undefined
  let changed = false
  const announce = () => {
    timer = undefined
    if (!changed) return
    changed = false
    server.notify('durable', head())
    timer = setTimeout(announce, NOTICE_MS)
  }
  const onChange = () => {
    changed = true
    timer ??= setTimeout(announce, 0)
  }
  const unfollow = writer.follow(onChange)
  const unfollowGaps = writer.onGap(onChange)
  return {
    notify: server.notify,
    async close() {
      unfollow()
      unfollowGaps()
      clearTimeout(timer)
      await server.close()
    },
  }
}
