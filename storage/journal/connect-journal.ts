import { connectLocal } from '../local-socket/connect-local.ts'
import { createReader, type JournalLink } from './journal-reader.ts'

/** A journal of another process: read from the disk up to the position that its owner announces as durable. */
export type RemoteJournal = JournalLink & {
  connected(): boolean
  close(): void
}

type JournalHead = { name: string; durable: number }

/**
 * Connects to serveJournal and resolves once its owner is there, however long that takes, unless the signal aborts. Reconnects by
 * itself. Where the owner comes back with another journal (name), positions of the old one say nothing about it: `onReplaced` is called,
 * and reads wait. `onShorter`: it came back with fewer positions than it had announced, so the journal was exchanged for an older one.
 */
export async function connectJournal(
  folder: string,
  socketPath: string,
  signal?: AbortSignal,
  onReplaced?: () => void,
  onShorter?: () => void,
): Promise<RemoteJournal> {
  const followers = new Set<() => void>()
  let head: JournalHead | undefined
  /** Aborted while there is no connection. */
  let session = new AbortController()
  session.abort()
  let waiting: (() => void)[] = []
  const client = connectLocal(socketPath, {
    unavailable: () => new Error('the journal is not reachable'),
    onNotice(_topic, value) {
      const announced = value as JournalHead
      if (head && announced.name !== head.name) {
        onReplaced?.()
        return
      }
      const isShorter = head !== undefined && announced.durable < head.durable
      head = announced
      if (session.signal.aborted) {
        session = new AbortController()
        for (const resolve of waiting) resolve()
        waiting = []
      }
      if (isShorter) onShorter?.()
      for (const listener of followers) listener()
    },
    onLost: () => session.abort(),
  })
  let first: JournalHead | undefined = head
  while (!first) {
    if (signal?.aborted) {
      client.close()
      throw signal.reason
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
    first = head
  }
  const durable = () => (head as JournalHead).durable
  const { name } = first
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
  // Both are said again: a release with the next block, a gap when the flusher reads it again after a reconnection.
  const notify = (method: string, ...args: unknown[]) => void client.call(method, ...args).catch(() => {})
  return {
    ...reader,
    folder,
    async session(stop) {
      while (session.signal.aborted && !stop.aborted)
        await new Promise<void>((resolve) => {
          waiting.push(resolve)
          stop.addEventListener('abort', () => resolve(), { once: true })
        })
      return AbortSignal.any([stop, session.signal])
    },
    async end() {
      const asked = (await client.call('head')) as JournalHead
      if (asked.name !== name) throw new Error('the journal was replaced')
      return asked.durable
    },
    oldest: () => client.call('oldest') as Promise<number>,
    async appendDecisions(decisions) {
      await client.call('appendDecisions', decisions)
    },
    release: (position) => notify('release', position),
    dropBefore: (position) => client.call('dropBefore', position) as Promise<boolean>,
    async startBeyond(position) {
      const durable = (await client.call('startBeyond', position)) as number
      if (head) head.durable = Math.max(head.durable, durable)
      return durable
    },
    reportGap: (gap) => notify('reportGap', gap),
    connected: client.connected,
    close: client.close,
  }
}
