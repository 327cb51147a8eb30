import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { ProductError } from '#contracts/errors.ts'
import { type BatchBody, type BatchFacts, type ReadBatch, type ReadingTools, readBatch } from './read-batch.ts'
import type { ReadingReply, ReadingRequest, ReadingThreadData } from './reading-thread.ts'

/** Bodies that a thread has before another one is started, or this thread reads the next one itself. */
const ENOUGH = 4
/** A thread that had no body for so long gives its memory back. */
const IDLE_MS = 60_000
const MOST_THREADS = Math.max(1, Math.min(4, availableParallelism() - 1))

export type BatchReaders = {
  /** At once where this thread reads it: then its frame is there until the next one is read. */
  read(body: BatchBody, facts: BatchFacts): ReadBatch | Promise<ReadBatch>
  close(): Promise<void>
}

/** Reads small bodies at once and large ones (body-pool.ts) in threads of their own, which are there while they are of use. */
export function batchReaders(
  tools: ReadingTools,
  pepper: Buffer,
  startThread: (data: ReadingThreadData) => Worker,
  idleMs = IDLE_MS,
): BatchReaders {
  const threads = new Set<Thread>()

  function freeThread(): Thread | undefined {
    let best: Thread | undefined
    for (const thread of threads) if (!best || thread.waiting.length < best.waiting.length) best = thread
    const isFree = best !== undefined && best.waiting.length < ENOUGH
    if (!isFree && threads.size < MOST_THREADS) start()
    return isFree && best?.isReady ? best : undefined
  }
  function start(): void {
    const thread = openThread(startThread({ pepper }), idleMs, () => threads.delete(thread))
    threads.add(thread)
  }

  return {
    read(body, facts) {
      const thread = body.bytes.buffer instanceof SharedArrayBuffer ? freeThread() : undefined
      return thread ? thread.read(body, facts) : readBatch(body, facts, tools)
    },
    async close() {
      await Promise.all([...threads].map(({ worker }) => worker.terminate()))
    },
  }
}

type Waiting = { resolve(read: ReadBatch): void; reject(error: Error): void }
type Thread = {
  worker: Worker
  isReady: boolean
  waiting: readonly Waiting[]
  read(body: BatchBody, facts: BatchFacts): Promise<ReadBatch>
}

/** `onEnd`: it is gone or going, for whatever reason; what it had is asked for again. */
function openThread(worker: Worker, idleMs: number, onEnd: () => void): Thread {
  // Answers come in the order of what was asked. A list, not a map: see open-journal.ts.
  const waiting: Waiting[] = []
  const idle = setTimeout(() => {
    if (waiting.length > 0) {
      idle.refresh()
      return
    }
    onEnd()
    void worker.terminate()
  }, idleMs).unref()
  const thread: Thread = {
    worker,
    isReady: false,
    waiting,
    read(body, facts) {
      idle.refresh()
      worker.postMessage({ body, facts } satisfies ReadingRequest)
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }))
    },
  }
  worker.on('message', (reply: ReadingReply) => {
    if (reply === 'ready') {
      thread.isReady = true
      worker.unref()
      return
    }
    const asked = waiting.shift()
    if ('refusal' in reply) {
      const { key, params, extra } = reply.refusal
      asked?.reject(new ProductError(key, params, extra))
    } else
      asked?.resolve({
        ...reply.read,
        frame: reply.frame && Buffer.from(reply.frame.buffer, reply.frame.byteOffset, reply.frame.length),
      })
  })
  worker.on('error', (error) => console.error(error))
  worker.on('exit', () => {
    clearTimeout(idle)
    onEnd()
    for (const { reject } of waiting) reject(new ProductError('collect.busy', {}, { retry_after: 1 }))
  })
  return thread
}
