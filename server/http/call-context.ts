import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyReply } from 'fastify'
import { ProductError } from '#contracts/errors.ts'
import type { CallContext } from '#storage/events/serve/connect-event-store.ts'
import { clientGone } from './client-gone.ts'
import type { Caller } from './module.ts'

const calls = new AsyncLocalStorage<CallContext>()

/** For whom the running request is handled; undefined outside requests. Queries of the event store are limited and cancelled by it. */
export const currentCall = (): CallContext | undefined => calls.getStore()

/** Runs a request's handler so that the queries it starts belong to its caller and end when the client disconnects. */
export function withinCall<T>(caller: Caller, reply: FastifyReply, handle: () => T): T {
  const signal = clientGone(reply, new ProductError('server.query_cancelled'))
  const user = caller.kind === 'anonymous' ? caller.address : String(caller.userId)
  return calls.run({ user, signal }, handle)
}
