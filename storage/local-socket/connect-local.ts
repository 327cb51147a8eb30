import { connect, type Socket } from 'node:net'
import { deserializeError, readFrames, sendFrame } from './frames.ts'
import { findSocket } from './socket-path.ts'

export type LocalClientOptions = {
  /** What calls reject with while there is no connection, and when it breaks under them. */
  unavailable(): Error
  onNotice?(topic: string, value: unknown): void
  /** Called when a connection breaks, before its calls reject. */
  onLost?(): void
}

export type LocalClient = {
  /** Rejects as `request` does, after CALL_TIMEOUT_MS. */
  call(method: string, ...args: unknown[]): Promise<unknown>
  /**
   * A call with a limit: rejects with `unavailable()` after `timeoutMs`, with the signal's reason when it aborts. Either way the server is
   * asked to cancel the call.
   */
  request(method: string, args: unknown[], limits: { timeoutMs: number; signal?: AbortSignal }): Promise<unknown>
  /** Items as the server makes them, a few ahead of the reader at most; leaving the loop or aborting cancels it there. */
  stream(method: string, args: unknown[], signal?: AbortSignal): AsyncIterable<unknown>
  connected(): boolean
  /** Resolves once connected; rejects after `milliseconds`. */
  ready(milliseconds: number): Promise<void>
  close(): void
}

type Pending = {
  item?(value: unknown): void
  done(value: unknown): void
  fail(error: Error): void
}

/** A process that does not answer for so long counts as unavailable. */
const CALL_TIMEOUT_MS = 60_000
const RECONNECT_MS = 50
const RECONNECT_MAX_MS = 1000

/** Connects to serveLocal at the same path, at once and again whenever the connection is lost. */
export function connectLocal(path: string, options: LocalClientOptions): LocalClient {
  const pending = new Map<number, Pending>()
  let socket: Socket | undefined
  let nextId = 1
  let delay = RECONNECT_MS
  let timer: NodeJS.Timeout | undefined
  let closed = false
  let waiters: (() => void)[] = []

  function open(): void {
    const fresh = connect(findSocket(path))
    fresh.on('connect', () => {
      socket = fresh
      delay = RECONNECT_MS
      for (const resolve of waiters) resolve()
      waiters = []
    })
    fresh.on('error', () => {}) // 'close' follows
    fresh.on('close', () => {
      if (socket === fresh) {
        socket = undefined
        options.onLost?.()
      }
      const lost = [...pending.values()]
      pending.clear()
      for (const one of lost) one.fail(options.unavailable())
      if (closed) return
      timer = setTimeout(open, delay)
      delay = Math.min(delay * 2, RECONNECT_MAX_MS)
    })
    readFrames(fresh, (frame) => {
      if (frame.kind === 'notice') return options.onNotice?.(frame.topic, frame.value)
      const one = pending.get(frame.id)
      if (frame.kind === 'item') return one?.item?.(frame.value)
      pending.delete(frame.id)
      if (frame.kind === 'answer') one?.done(frame.value)
      else if (frame.kind === 'end') one?.done(undefined)
      else if (frame.kind === 'error') one?.fail(deserializeError(frame.error))
    })
  }
  open()

  async function* stream(method: string, args: unknown[], signal?: AbortSignal): AsyncGenerator<unknown> {
    const link = socket
    if (!link) throw options.unavailable()
    const id = nextId++
    const items: unknown[] = []
    let ended = false
    let failure: Error | undefined
    let wake = () => {}
    const finish = (error?: Error) => {
      failure = error
      ended = true
      wake()
    }
    pending.set(id, {
      item(value) {
        items.push(value)
        wake()
      },
      done: () => finish(),
      fail: finish,
    })
    const onAbort = () => wake()
    signal?.addEventListener('abort', onAbort)
    sendFrame(link, { kind: 'open', id, method, args })
    try {
      while (!signal?.aborted) {
        if (items.length > 0) {
          yield items.shift()
          if (!link.destroyed) sendFrame(link, { kind: 'more', id })
        } else if (ended) {
          if (failure) throw failure
          return
        } else await new Promise<void>((resolve) => (wake = resolve))
      }
    } finally {
      signal?.removeEventListener('abort', onAbort)
      if (pending.delete(id) && !link.destroyed) sendFrame(link, { kind: 'cancel', id })
    }
  }

  function request(
    method: string,
    args: unknown[],
    { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal },
  ): Promise<unknown> {
    const link = socket
    if (!link) return Promise.reject(options.unavailable())
    if (signal?.aborted) return Promise.reject(signal.reason)
    const id = nextId++
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timeout)
        signal?.removeEventListener('abort', onAbort)
      }
      const cancel = (reason: unknown) => {
        settle()
        if (pending.delete(id) && !link.destroyed) sendFrame(link, { kind: 'cancel', id })
        reject(reason)
      }
      const onAbort = () => cancel(signal?.reason)
      const timeout = setTimeout(() => cancel(options.unavailable()), timeoutMs)
      signal?.addEventListener('abort', onAbort, { once: true })
      pending.set(id, {
        done(value) {
          settle()
          resolve(value)
        },
        fail(error) {
          settle()
          reject(error)
        },
      })
      sendFrame(link, { kind: 'call', id, method, args })
    })
  }

  return {
    call: (method, ...args) => request(method, args, { timeoutMs: CALL_TIMEOUT_MS }),
    request,
    stream,
    connected: () => socket !== undefined,
    ready(milliseconds) {
      if (socket) return Promise.resolve()
      return new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(options.unavailable()), milliseconds)
        waiters.push(() => {
          clearTimeout(late)
          resolve()
        })
      })
    },
    close() {
      closed = true
      clearTimeout(timer)
      socket?.destroy()
    },
  }
}
