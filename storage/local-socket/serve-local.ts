import { createServer, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { readFrames, sendFrame, serializeError } from './frames.ts'
import { listenPrivate } from './listen-private.ts'
import { releaseSocketFolder } from './socket-path.ts'

/** What a local server offers. Arguments come from a process of the same installation and are not validated again. */
export type LocalService = {
  calls: Record<string, (...args: never[]) => unknown>
  /** Calls that get a signal: it aborts when the client cancels the call or disconnects. */
  cancellable?: Record<string, (signal: AbortSignal, ...args: never[]) => unknown>
  streams?: Record<string, (signal: AbortSignal, ...args: never[]) => AsyncIterable<unknown>>
  /** Notices that every new connection gets first. */
  greeting?(): { topic: string; value: unknown }[]
}

export type LocalServer = {
  notify(topic: string, value: unknown): void
  /** Ends all connections; calls under way are dropped. */
  close(): Promise<void>
}

/** Items of a stream that may be under way to a client that has not asked for more. */
const STREAM_WINDOW = 4

/** Listens at the path (0600). A socket left behind by a dead process is replaced; a living one is an error (EADDRINUSE). */
export async function serveLocal(path: string, service: LocalService): Promise<LocalServer> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    serveSocket(socket, service)
  })
  await listenPrivate(server, path)
  return {
    notify(topic, value) {
      for (const socket of sockets) sendFrame(socket, { kind: 'notice', topic, value })
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
      releaseSocketFolder(dirname(path))
    },
  }
}

function serveSocket(socket: Socket, service: LocalService): void {
  const streams = new Map<number, { controller: AbortController; more(): void }>()
  const running = new Map<number, AbortController>()
  socket.on('error', () => {}) // 'close' follows and does what is to be done
  socket.on('close', () => {
    for (const { controller, more } of streams.values()) {
      controller.abort()
      more()
    }
    for (const controller of running.values()) controller.abort()
  })
  for (const { topic, value } of service.greeting?.() ?? []) sendFrame(socket, { kind: 'notice', topic, value })

  async function call(id: number, method: string, args: unknown[]): Promise<void> {
    try {
      sendFrame(socket, { kind: 'answer', id, value: await handle(id, method, args) })
    } catch (error) {
      sendFrame(socket, { kind: 'error', id, error: serializeError(error) })
    } finally {
      running.delete(id)
    }
  }

  function handle(id: number, method: string, args: unknown[]): unknown {
    if (service.cancellable && Object.hasOwn(service.cancellable, method)) {
      const controller = new AbortController()
      running.set(id, controller)
      return service.cancellable[method]?.(controller.signal, ...(args as never[]))
    }
    const handler = Object.hasOwn(service.calls, method) ? service.calls[method] : undefined
    if (!handler) throw new Error(`unknown call ${method}`)
    return handler(...(args as never[]))
  }

  async function stream(id: number, method: string, args: unknown[]): Promise<void> {
    const controller = new AbortController()
    let allowed = STREAM_WINDOW
    let wake = () => {}
    streams.set(id, {
      controller,
      more() {
        allowed++
        wake()
      },
    })
    try {
      const handler = service.streams && Object.hasOwn(service.streams, method) ? service.streams[method] : undefined
      if (!handler) throw new Error(`unknown stream ${method}`)
      for await (const value of handler(controller.signal, ...(args as never[]))) {
        if (controller.signal.aborted) break
        sendFrame(socket, { kind: 'item', id, value })
        allowed--
        while (allowed <= 0 && !controller.signal.aborted) await new Promise<void>((resolve) => (wake = resolve))
      }
      if (!socket.destroyed) sendFrame(socket, { kind: 'end', id })
    } catch (error) {
      if (!socket.destroyed) sendFrame(socket, { kind: 'error', id, error: serializeError(error) })
    } finally {
      streams.delete(id)
    }
  }

  readFrames(socket, (frame) => {
    if (frame.kind === 'call') void call(frame.id, frame.method, frame.args)
    else if (frame.kind === 'open') void stream(frame.id, frame.method, frame.args)
    else if (frame.kind === 'more') streams.get(frame.id)?.more()
    else if (frame.kind === 'cancel') {
      const one = streams.get(frame.id)
      one?.controller.abort()
      one?.more()
      running.get(frame.id)?.abort()
    }
  })
}
