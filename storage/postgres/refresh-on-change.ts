import { log } from '#runtime/log.ts'
import type { MetaStore } from './database.ts'
import { CHANNELS } from './schema.ts'

/** After a background read that failed. */
const RETRY_MS = 2000

export type RefreshHandle = {
  /** Reads the stored state; when the promise resolves, every change made before the call is included. Throws what `read` throws. */
  refresh(): Promise<void>
  isReading(): boolean
  close(): void
}

/**
 * Keeps a process's in-memory copy of metadata current: calls `read` at once, then on each CHANNELS.changed notice that names one of
 * `changes`, after a reconnect to the database, and every `everyMs` milliseconds where a lost notice must not matter for long. Reads run
 * one after another, so a result read before the last change is never applied last. A failed background read keeps the previous state and
 * is repeated.
 */
export async function refreshOnChange(
  meta: Pick<MetaStore, 'listen'>,
  read: () => Promise<void>,
  { changes, everyMs }: { changes: readonly string[]; everyMs?: number },
): Promise<RefreshHandle> {
  let reading: Promise<void> | undefined
  let again = false
  let closed = false
  async function readAll(): Promise<void> {
    try {
      do {
        again = false
        await read().catch((error: unknown) => {
          if (!again) throw error
        })
      } while (again)
    } finally {
      reading = undefined // at once: a notice that arrives now starts a new read
    }
  }
  function refresh(): Promise<void> {
    if (reading) again = true
    else reading = readAll()
    return reading
  }
  let retry: NodeJS.Timeout | undefined
  let failing = false
  const quietly = () =>
    void refresh().then(
      () => {
        failing = false
      },
      (err: unknown) => {
        if (!failing)
          log.warn({ err, changes }, 'cannot read changed settings or keys, those of before apply until it succeeds')
        failing = true
        clearTimeout(retry)
        if (!closed) retry = setTimeout(quietly, RETRY_MS).unref()
      },
    )
  const onNotice = (payload: unknown) => {
    const { what } = (payload ?? {}) as { what?: string }
    if (what !== undefined && changes.includes(what)) quietly()
  }

  // Subscribe first, so that no change between reading and listening is missed.
  const unlisten = await meta.listen(CHANNELS.changed, onNotice, quietly)
  await refresh()
  const timer = everyMs === undefined ? undefined : setInterval(quietly, everyMs).unref()
  return {
    refresh,
    isReading: () => reading !== undefined,
    close() {
      closed = true
      clearInterval(timer)
      clearTimeout(retry)
      unlisten()
    },
  }
}
