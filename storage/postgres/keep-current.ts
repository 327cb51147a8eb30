import type { MetaStore } from './database.ts'
import { CHANNELS } from './schema.ts'

export type Kept = {
  /** Reads what is stored now; whatever changed before the call is in it when the promise is kept. Throws what `read` throws. */
  refresh(): Promise<void>
  isReading(): boolean
  close(): void
}

/**
 * Keeps what a process holds of the metadata in memory as it is stored: `read` runs at once, then whenever CHANNELS.changed tells
 * one of `changes`, when the line to the database is back, and every `everyMs` milliseconds where a lost word must not matter for
 * long. Reads follow one another: an answer that was read before the last change never comes last. Where one that nobody waits for
 * fails, what was held stays until the next.
 */
export async function keepCurrent(
  meta: Pick<MetaStore, 'listen'>,
  read: () => Promise<void>,
  { changes, everyMs }: { changes: readonly string[]; everyMs?: number },
): Promise<Kept> {
  let reading: Promise<void> | undefined
  let again = false
  async function readAll(): Promise<void> {
    try {
      do {
        again = false
        await read().catch((error: unknown) => {
          if (!again) throw error
        })
      } while (again)
    } finally {
      reading = undefined // at once: a word that comes now starts a read of its own
    }
  }
  function refresh(): Promise<void> {
    if (reading) again = true
    else reading = readAll()
    return reading
  }
  const quietly = () => void refresh().catch(() => {})
  const told = (payload: unknown) => {
    const { what } = (payload ?? {}) as { what?: string }
    if (what !== undefined && changes.includes(what)) quietly()
  }

  // Subscribed first, so that nothing changes unseen between reading and listening.
  const unlisten = await meta.listen(CHANNELS.changed, told, quietly)
  await refresh()
  const timer = everyMs === undefined ? undefined : setInterval(quietly, everyMs).unref()
  return {
    refresh,
    isReading: () => reading !== undefined,
    close() {
      clearInterval(timer)
      unlisten()
    },
  }
}
