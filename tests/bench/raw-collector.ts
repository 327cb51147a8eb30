import { open } from 'node:fs/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { COLLECT_EVENTS_PATH } from '#contracts/telemetry/wire.ts'

const Event = Type.Object({
  event_id: Type.String({ minLength: 1, maxLength: 64 }),
  type: Type.String({ maxLength: 16 }),
  device_id: Type.String({ minLength: 1, maxLength: 128 }),
  occurred_at: Type.Optional(Type.Number()),
  reported_at: Type.Optional(Type.Number()),
  ...Object.fromEntries(
    'user_id platform app_version channel os model brand network sdk_version package_name signer session_id risk_type action client_ip'
      .split(' ')
      .map((name) => [name, Type.Optional(Type.String({ maxLength: 256 }))]),
  ),
  detail: Type.Optional(Type.Object({})),
})
const batch = Compile(Type.Array(Event, { maxItems: 1000 }))

type Waiting = { bytes: Buffer; done(): void }

/** The least a collector could do: Fastify, JSON.parse, a compiled check, one write and one fdatasync for all bodies that wait. */
export async function rawCollector(file: string): Promise<{ app: FastifyInstance; close(): Promise<void> }> {
  const handle = await open(file, 'w')
  let waiting: Waiting[] = []
  let writing: Promise<void> | undefined
  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting
      waiting = []
      await handle.writev(group.map(({ bytes }) => bytes))
      await handle.datasync()
      for (const { done } of group) done()
    }
    writing = undefined
  }
  const app = Fastify({ bodyLimit: 8 * 1024 * 1024 })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.post(COLLECT_EVENTS_PATH, async (request, reply) => {
    const bytes = request.body as Buffer
    const events: unknown = JSON.parse(bytes.toString('utf8'))
    if (!batch.Check(events)) return reply.code(400).send({})
    await new Promise<void>((resolve) => {
      waiting.push({ bytes, done: resolve })
      writing ??= writeAll()
    })
    return reply.code(202).send({ accepted: events.length })
  })
  return {
    app,
    async close() {
      await app.close()
      await writing
      await handle.close()
    },
  }
}
