import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { ProductError } from '#contracts/errors.ts'
import { log } from '#runtime/log.ts'
import { type BatchBody, type BatchFacts, type ReadBatch, type ReadingTools, readBatch } from './read-batch.ts'
import type { ReadingReply, ReadingRequest, ReadingThreadData } from './reading-thread.ts'

/** Bodies that wait for a thread before another one is started, or this thread reads the next one itself. */
const ENOUGH = 4
/** Compressed bodies that wait for a thread, and those of one application, before more are answered with collect.busy. */
const MOST_WAITING = 64
const MOST_OF_ONE_APP = 32
/** A thread that had no body for so long gives its memory back. */
const IDLE_MS = 60_000
const MOST_THREADS = Math.max(1, Math.min(4, availableParallelism() - 1))

export type BatchReaders = {
  /**
   * Synchronous where this thread reads the body: then its frame is valid until the next one is read. Compressed bodies are always read
   * in another thread. Throws or rejects with ProductError; collect.busy when too many compressed bodies wait.
   */
  read(body: BatchBody, facts: BatchFacts): ReadBatch | Promise<ReadBatch>
  close(): Promise<void>
}

/** Reads small bodies in this thread, and large ones (body-pool.ts) and compressed ones in worker threads, started on demand. */
export function batchReaders(
  tools: ReadingTools,
  pepper: Buffer,
  startThread: (data: ReadingThreadData) => Worker,
  idleMs = IDLE_MS,
): BatchReaders {
  const threads = new Set<Thread>()

  function leastBusy(): Thread | undefined {
    let best: Thread | undefined
    for (const thread of threads) if (!best || thread.waiting.length < best.waiting.length) best = thread
    return best
  }
  /** A ready thread with few waiting bodies; starts one if necessary. */
  function freeThread(): Thread | undefined {
    const best = leastBusy()
    const isFree = best !== undefined && best.waiting.length < ENOUGH
    if (!isFree && threads.size < MOST_THREADS) start()
    return isFree && best?.isReady ? best : undefined
  }
  /** The thread that a compressed body waits for, ready or not. */
  function threadFor(app: number): Thread {
    freeThread()
    const thread = leastBusy() as Thread
    const ofApp = thread.waiting.reduce((sum, one) => sum + (one.app === app ? 1 : 0), 0)
    if (thread.waiting.length >= MOST_WAITING || ofApp >= MOST_OF_ONE_APP)
      throw new ProductError('collect.busy', {}, { retry_after: 1 })
    return thread
  }
  function start(): void {
    const thread = openThread(startThread({ pepper }), idleMs, () => threads.delete(thread))
    threads.add(thread)
  }

  return {
    read(body, facts) {
      if (body.form.gzip) return threadFor(facts.app).read(body, facts)
      const thread = body.bytes.buffer instanceof SharedArrayBuffer ? freeThread() : undefined
      return thread ? thread.read(body, facts) : readBatch(body, facts, tools)
    },
    async close() {
      await Promise.all([...threads].map(({ worker }) => worker.terminate()))
    },
  }
}

type Waiting = { app: number; resolve(read: ReadBatch): void; reject(error: Error): void }
type Thread = {
  worker: Worker
  isReady: boolean
  waiting: readonly Waiting[]
  read(body: BatchBody, facts: BatchFacts): Promise<ReadBatch>
}

/** Shared memory as it is; a small body as a copy, because a message would copy the whole network buffer it is part of. */
function sendable(bytes: Buffer): Buffer {
  return bytes.buffer instanceof SharedArrayBuffer ? bytes : (Uint8Array.from(bytes) as Buffer)
}

/** `onEnd` is called when the thread ends; its waiting bodies are refused with collect.busy, so that senders retry. */
function openThread(worker: Worker, idleMs: number, onEnd: () => void): Thread {
  // Answers come in the order of the requests. A list, not a map: see open-journal.ts.
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
      worker.postMessage({ body: { ...body, bytes: sendable(body.bytes) }, facts } satisfies ReadingRequest)
      return new Promise((resolve, reject) => waiting.push({ app: facts.app, resolve, reject }))
    },
  }
  worker.on('message', (reply: ReadingReply) => {
    if (reply === 'ready') {
      thread.isReady = true
      worker.unref()
      return
    }
    const answered = waiting.shift()
    if ('refusal' in reply) {
      const { key, params, extra } = reply.refusal
      answered?.reject(new ProductError(key, params, extra))
    } else
      answered?.resolve({
        ...reply.read,
        frame: reply.frame && Buffer.from(reply.frame.buffer, reply.frame.byteOffset, reply.frame.length),
      })
  })
  worker.on('error', (error) => log.error({ err: error }, 'the reading thread ended'))
  worker.on('exit', () => {
    clearTimeout(idle)
    onEnd()
    for (const { reject } of waiting) reject(new ProductError('collect.busy', {}, { retry_after: 1 }))
  })
  return thread
}
