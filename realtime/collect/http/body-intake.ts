import type { IncomingMessage } from 'node:http'
import { ProductError } from '#contracts/errors.ts'
import { bodyPool } from '../read/body-pool.ts'

/** Who sends a body, as limits count: `key` once it is known; `install` and `network` while the signature is not verified. */
export type BodySender =
  | { kind: 'server'; key: string }
  | { kind: 'device'; key: string; install: string; network: string }
  | { kind: 'anonymous'; network: string }

export type IntakeLimits = {
  /** Bytes of all bodies in memory: what arrived, and pool memory as allocated. */
  processBytes: number
  /** Of these, bytes of one ingest key. */
  keyBytes: number
  /** Of these, bytes of all bodies of devices whose signature is not verified yet, and of one network. */
  unverifiedBytes: number
  networkBytes: number
  /** Unfinished bodies of one install from one network, and of one network. */
  installBodies: number
  networkBodies: number
  /** Bodies before anyone is known (enrolment): bytes of all, and bodies of one network. */
  anonymousBytes: number
  anonymousBodies: number
  /** A body is complete within this time ... */
  bodyMs: number
  /** ... and after `graceMs` has arrived at this rate on average. */
  bytesPerSecond: number
  graceMs: number
}

const MB = 1024 * 1024
export const INTAKE_LIMITS: IntakeLimits = {
  processBytes: 64 * MB,
  keyBytes: 32 * MB,
  unverifiedBytes: 32 * MB,
  networkBytes: 8 * MB,
  installBodies: 8,
  networkBodies: 512,
  anonymousBytes: 4 * MB,
  anonymousBodies: 64,
  bodyMs: 15_000,
  bytesPerSecond: 1024,
  graceMs: 2000,
}
/** From here on a body is kept in pool memory, where another thread can read it: the exchange costs as much as reading a few events. */
const POOLED_BYTES = 16 * 1024
const SWEEP_MS = 500
/** Memory that a chunk needs besides its bytes. */
const CHUNK_OVERHEAD = 128

/** A body in memory; release() returns its memory to the budget. */
export type ReceivedBody = { bytes: Buffer; release(): void }
export type BodyIntake = {
  /**
   * Reads a body. Memory is counted as it arrives, never as announced. Throws ProductError request.too_large beyond `limit`,
   * collect.busy when the sender's or the process's share is used up, collect.slow, and collect.unreadable when the connection ends.
   */
  receive(request: IncomingMessage, limit: number, sender: BodySender): Promise<ReceivedBody>
  /** Bytes in memory and unfinished bodies. */
  status(): { bytes: number; unfinished: number }
  close(): void
}

/** `clock`: milliseconds that only grow (performance.now). */
export function bodyIntake(limits: IntakeLimits = INTAKE_LIMITS, clock = () => performance.now()): BodyIntake {
  const pool = bodyPool(limits.processBytes)
  let totalBytes = 0
  let unverifiedBytes = 0
  let anonymousBytes = 0
  const keyBytes = openCounts()
  const networkBytes = openCounts()
  const installBodies = openCounts()
  const networkBodies = openCounts()
  const unfinished = new Set<IncomingBody>()

  const sweep = setInterval(() => {
    const time = clock()
    for (const body of unfinished) {
      const age = time - body.startedAt
      const slow = age > limits.graceMs && body.received * 1000 < age * limits.bytesPerSecond
      if (slow || age > limits.bodyMs) body.fail(new ProductError('collect.slow'))
    }
  }, SWEEP_MS)
  sweep.unref()

  /** Whether the sender may have one more unfinished body; counts it. */
  function open(sender: BodySender): boolean {
    if (sender.kind === 'server') return true
    const network = networkOfSender(sender)
    const most = sender.kind === 'anonymous' ? limits.anonymousBodies : limits.networkBodies
    if (networkBodies.of(network) >= most) return false
    if (sender.kind === 'device') {
      if (installBodies.of(installOfSender(sender)) >= limits.installBodies) return false
      installBodies.add(installOfSender(sender), 1)
    }
    networkBodies.add(network, 1)
    return true
  }
  /** Whether the shares of the sender and of the process leave room for so many bytes; counts them. */
  function grow(sender: BodySender, bytes: number): boolean {
    if (totalBytes + bytes > limits.processBytes) return false
    if (sender.kind !== 'anonymous' && keyBytes.of(sender.key) + bytes > limits.keyBytes) return false
    if (sender.kind !== 'server' && networkBytes.of(networkOfSender(sender)) + bytes > limits.networkBytes) return false
    if (sender.kind === 'device' && unverifiedBytes + bytes > limits.unverifiedBytes) return false
    if (sender.kind === 'anonymous' && anonymousBytes + bytes > limits.anonymousBytes) return false
    addUnfinished(sender, bytes)
    addHeld(sender, bytes)
    return true
  }
  function addUnfinished(sender: BodySender, bytes: number): void {
    if (sender.kind === 'server') return
    networkBytes.add(networkOfSender(sender), bytes)
    if (sender.kind === 'device') unverifiedBytes += bytes
    else anonymousBytes += bytes
  }
  function addHeld(sender: BodySender, bytes: number): void {
    totalBytes += bytes
    if (sender.kind !== 'anonymous') keyBytes.add(sender.key, bytes)
  }

  /** One body on its way. A class, because its functions are made once and not for each of many thousand bodies a second. */
  class IncomingBody {
    readonly startedAt = clock()
    received = 0
    private counted = 0
    private chunks: Buffer[] = []
    private pooled: Buffer | undefined

    private readonly request: IncomingMessage
    private readonly limit: number
    private readonly sender: BodySender
    private readonly resolve: (body: ReceivedBody) => void
    private readonly reject: (error: Error) => void

    constructor(
      request: IncomingMessage,
      limit: number,
      sender: BodySender,
      resolve: (body: ReceivedBody) => void,
      reject: (error: Error) => void,
    ) {
      this.request = request
      this.limit = limit
      this.sender = sender
      this.resolve = resolve
      this.reject = reject
      unfinished.add(this)
      request.on('data', (chunk: Buffer) => this.take(chunk))
      request.on('end', () => this.complete())
      request.on('error', (error) => this.fail(error))
      request.on('close', () => {
        if (!request.complete) this.fail(new ProductError('collect.unreadable', { detail: 'the connection ended' }))
      })
    }

    fail(error: Error): void {
      if (!unfinished.has(this)) return
      this.finish()
      this.release()
      this.request.pause()
      this.reject(error)
    }
    private take(chunk: Buffer): void {
      if (!unfinished.has(this)) return
      this.received += chunk.length
      // Thousands of tiny chunks need more memory for themselves than for their bytes.
      if (this.received > this.limit) this.fail(tooLarge(this.limit))
      else if (this.count(chunk.length + CHUNK_OVERHEAD)) this.chunks.push(chunk)
      else this.fail(busy())
    }
    private complete(): void {
      if (!unfinished.has(this)) return
      if (this.received >= POOLED_BYTES && !this.joinInPool()) {
        this.fail(busy())
        return
      }
      this.finish()
      const { pooled, chunks } = this
      const bytes = pooled ?? (chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, this.received))
      this.resolve({ bytes, release: () => this.release() })
    }
    /** Complete or given up: from here on the body counts only for its key and the process. */
    private finish(): void {
      const { sender } = this
      unfinished.delete(this)
      addUnfinished(sender, -this.counted)
      if (sender.kind === 'server') return
      networkBodies.add(networkOfSender(sender), -1)
      if (sender.kind === 'device') installBodies.add(installOfSender(sender), -1)
    }
    private release(): void {
      addHeld(this.sender, -this.counted)
      this.counted = 0
      this.chunks = []
      if (this.pooled) pool.release(this.pooled)
      this.pooled = undefined
    }
    private count(bytes: number): boolean {
      if (!grow(this.sender, bytes)) return false
      this.counted += bytes
      return true
    }
    /** Joins the chunks in pool memory, which is counted as allocated. */
    private joinInPool(): boolean {
      const memory = pool.acquire(this.received)
      if (!memory) return false
      this.pooled = memory
      if (!this.count(memory.buffer.byteLength)) return false
      join(this.chunks, memory)
      this.chunks = []
      return true
    }
  }

  function receive(request: IncomingMessage, limit: number, sender: BodySender): Promise<ReceivedBody> {
    const announced = Number(request.headers['content-length'] ?? 0)
    if (announced > limit) return Promise.reject(tooLarge(limit))
    if (!open(sender)) return Promise.reject(busy())
    return new Promise((resolve, reject) => new IncomingBody(request, limit, sender, resolve, reject))
  }

  return {
    receive,
    status: () => ({ bytes: totalBytes, unfinished: unfinished.size }),
    close: () => clearInterval(sweep),
  }
}

type Networked = Exclude<BodySender, { kind: 'server' }>

/** Enrolments and batches of a network are counted apart: one cannot use up the share of the other. */
function networkOfSender({ kind, network }: Networked): string {
  return `${kind} ${network}`
}
/** The network is part of it: a stranger who knows an install's id cannot use up its share. */
function installOfSender({ install, network }: Extract<BodySender, { kind: 'device' }>): string {
  return `${install} ${network}`
}
function join(chunks: readonly Buffer[], into: Buffer): void {
  let at = 0
  for (const chunk of chunks) {
    into.set(chunk, at)
    at += chunk.length
  }
}

/** Sums by key, without entries for keys whose sum is 0. */
function openCounts() {
  const counts = new Map<string, number>()
  const of = (key: string) => counts.get(key) ?? 0
  return {
    of,
    add(key: string, change: number): void {
      const sum = of(key) + change
      if (sum === 0) counts.delete(key)
      else counts.set(key, sum)
    },
  }
}

function busy(): ProductError {
  return new ProductError('collect.busy', {}, { retry_after: 1 })
}
function tooLarge(limit: number): ProductError {
  return new ProductError('request.too_large', {}, { limit })
}
