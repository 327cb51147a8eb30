import type { FastifyReply } from 'fastify'

/** Aborted, with `reason`, where the client closes the connection before it is answered. */
export function clientGone({ raw }: FastifyReply, reason?: Error): AbortSignal {
  const controller = new AbortController()
  raw.once('close', () => {
    if (!raw.writableEnded) controller.abort(reason)
  })
  return controller.signal
}
