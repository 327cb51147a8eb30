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
  const unfinished = new Set<Unfinished>()

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

  function receive(request: IncomingMessage, limit: number, sender: BodySender): Promise<ReceivedBody> {
    const announced = Number(request.headers['content-length'] ?? 0)
    if (announced > limit) return Promise.reject(tooLarge(limit))
    if (!open(sender)) return Promise.reject(busy())
    return new Promise((resolve, reject) => {
      let chunks: Buffer[] = []
      let pooled: Buffer | undefined
      let counted = 0
      const body: Unfinished = { startedAt: clock(), received: 0, fail }
      unfinished.add(body)

      /** Complete or given up: from here on the body counts only for its key and the process. */
      function finish(): void {
        unfinished.delete(body)
        request.off('data', onData)
        addUnfinished(sender, -counted)
        if (sender.kind === 'server') return
        networkBodies.add(networkOfSender(sender), -1)
        if (sender.kind === 'device') installBodies.add(installOfSender(sender), -1)
      }
      function release(): void {
        addHeld(sender, -counted)
        counted = 0
        chunks = []
        if (pooled) pool.release(pooled)
        pooled = undefined
      }
      function fail(error: Error): void {
        if (!unfinished.has(body)) return
        finish()
        release()
        request.pause()
        reject(error)
      }
      function count(bytes: number): boolean {
        if (!grow(sender, bytes)) return false
        counted += bytes
        return true
      }
      /** Joins the chunks in pool memory, which is counted as allocated. */
      function joinInPool(): boolean {
        const memory = pool.acquire(body.received)
        if (!memory) return false
        pooled = memory
        if (!count(memory.buffer.byteLength)) return false
        join(chunks, memory)
        chunks = []
        return true
      }
      function onData(chunk: Buffer): void {
        body.received += chunk.length
        // Thousands of tiny chunks need more memory for themselves than for their bytes.
        if (body.received > limit) fail(tooLarge(limit))
        else if (count(chunk.length + CHUNK_OVERHEAD)) chunks.push(chunk)
        else fail(busy())
      }
      request.on('data', onData)
      request.on('end', () => {
        if (!unfinished.has(body)) return
        if (body.received >= POOLED_BYTES && !joinInPool()) return fail(busy())
        finish()
        const bytes = pooled ?? (chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, body.received))
        resolve({ bytes, release })
      })
      request.on('error', fail)
      request.on('close', () => {
        if (!request.complete) fail(new ProductError('collect.unreadable', { detail: 'the connection ended' }))
      })
    })
  }

  return {
    receive,
    status: () => ({ bytes: totalBytes, unfinished: unfinished.size }),
    close: () => clearInterval(sweep),
  }
}

type Unfinished = { startedAt: number; received: number; fail(error: Error): void }
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
