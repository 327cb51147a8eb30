import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyReply } from 'fastify'
import { expect, test } from 'vitest'
import { currentCall, withinCall } from './call-context.ts'
import type { Caller } from './module.ts'

const caller = { kind: 'session', userId: 7, address: '10.0.0.1' } as Caller

/** Serves one request with the handler, over a real connection. */
async function serve(handle: () => Promise<void>) {
  const server = createServer((_request, raw) => {
    void withinCall(caller, { raw } as unknown as FastifyReply, handle).then(() => raw.end('done'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, port: (server.address() as AddressInfo).port }
}

test('the signal of a call aborts when its client disconnects before the answer', async () => {
  let reason: unknown
  let started = () => {}
  const running = new Promise<void>((resolve) => (started = resolve))
  let ended = () => {}
  const cancelled = new Promise<void>((resolve) => (ended = resolve))
  const { server, port } = await serve(async () => {
    const { user, signal } = currentCall() ?? {}
    expect(user).toBe('7')
    started()
    await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()))
    reason = signal?.reason
    ended()
  })
  const call = request({ port, host: '127.0.0.1' }).on('error', () => {})
  call.end()
  await running
  call.destroy()
  await cancelled
  expect(reason).toMatchObject({ key: 'server.query_cancelled' })
  server.close()
})

test('the signal of an answered call never aborts, and outside of calls no signal exists', async () => {
  let signal: AbortSignal | undefined
  const { server, port } = await serve(async () => {
    signal = currentCall()?.signal
  })
  await (await fetch(`http://127.0.0.1:${port}/`)).text()
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
  expect(signal?.aborted).toBe(false)
  expect(currentCall()).toBeUndefined()
})
