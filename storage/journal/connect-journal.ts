import { connectLocal } from '../local-socket/connect-local.ts'
import { createReader, type JournalLink } from './journal-reader.ts'

/** A journal of another process: read from the disk as far as its owner says it is durable. */
export type RemoteJournal = JournalLink & {
  connected(): boolean
  close(): void
}

type JournalHead = { name: string; durable: number }

/**
 * Connects to serveJournal and resolves once its owner is there, however long that takes, unless the signal aborts. Reconnects by
 * itself; where the owner comes back with another journal (name), positions mean nothing any more: `onReplaced` is called, reads wait.
 */
export async function connectJournal(
  folder: string,
  socketPath: string,
  signal?: AbortSignal,
  onReplaced?: () => void,
): Promise<RemoteJournal> {
  const followers = new Set<() => void>()
  let standing: JournalHead | undefined
  const client = connectLocal(socketPath, {
    unavailable: () => new Error('the journal is away'),
    onNotice(_topic, value) {
      const heard = value as JournalHead
      if (standing && heard.name !== standing.name) {
        onReplaced?.()
        return
      }
      standing = heard
      for (const listener of followers) listener()
    },
  })
  let first: JournalHead | undefined = standing
  while (!first) {
    if (signal?.aborted) {
      client.close()
      throw signal.reason
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
    first = standing
  }
  const { name } = first
  const durable = () => (standing as JournalHead).durable
  const reader = createReader({
    name,
    folder,
    durable,
    follow(listener) {
      const call = () => listener()
      followers.add(call)
      return () => followers.delete(call)
    },
  })
  return {
    ...reader,
    async appendDecisions(verdicts) {
      await client.call('appendVerdicts', verdicts)
    },
    release(position) {
      client.call('release', position).catch(() => {})
    },
    connected: client.connected,
    close: client.close,
  }
}
