import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { COLLECT_POLICY_PATH, POLICY_FETCHES } from '#contracts/telemetry/policy.ts'
import { deviceKey, signDeviceRequest } from '#realtime/collect/enrol/installs.ts'
import { openCollector, testDatabase } from '#tests/support/collector.ts'
import type { BenchLine } from './bench-line.ts'

const DEVICES = 1000
const CONNECTIONS = 32

/** Policy fetches a second of one collector process, over HTTP from this same process, which signs them beforehand. */
export async function run(): Promise<BenchLine[]> {
  const folder = mkdtempSync(join(tmpdir(), 'aw-policy-bench-'))
  const database = await testDatabase(folder)
  const app = await database.makeApp()
  const key = await database.makeKey(app, 'enrolment')
  const installs = Array.from({ length: DEVICES }, () => ({
    id: randomUUID(),
    device: randomBytes(16).toString('hex'),
  }))
  await database.meta.db
    .insertInto('installs')
    .values(
      installs.map((one) => ({ ...one, ingest_key_id: key.id, application_id: app, created_at: 0, revoked_at: null })),
    )
    .execute()
  const collector = await openCollector({
    meta: database.meta,
    folder: join(folder, 'journal'),
    now: Date.now,
    keep: false,
  })
  const origin = await collector.app.listen({ host: '127.0.0.1', port: 0 })
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const target = `${COLLECT_POLICY_PATH}?version=1.0`
  const master = Buffer.alloc(32, 2)

  /** All requests are signed beforehand: what is measured is the collector and the connection. */
  function signedFetches(sequence: number, etag?: string) {
    return installs.map(({ id }) => {
      const tstamp = Math.floor(Date.now() / 1000)
      const nonce = randomBytes(16).toString('base64url')
      const mac = signDeviceRequest(deviceKey(master, app, id), {
        method: 'GET',
        target,
        tstamp,
        nonce,
        body: Buffer.alloc(0),
      })
      return {
        'x-aw-install': id,
        'x-aw-seq': String(sequence),
        'x-aw-tstamp': String(tstamp),
        'x-aw-signature': `2.${nonce}.${mac.toString('base64url')}`,
        ...(etag && { 'if-none-match': etag }),
      }
    })
  }
  function fetchOne(headers: Record<string, string>): Promise<{ status: number; etag: string }> {
    return new Promise((resolve, reject) => {
      request(new URL(target, origin), { agent, headers }, (answer) => {
        answer.resume()
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, etag: String(answer.headers.etag) }))
      })
        .on('error', reject)
        .end()
    })
  }
  async function play(rounds: number, from: number, etag?: string): Promise<{ perSecond: number; etag: string }> {
    const queue = Array.from({ length: rounds }, (_, round) => signedFetches(from + round, etag)).flat()
    const total = queue.length
    const expected = etag ? 304 : 200
    let last = ''
    const started = performance.now()
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        for (let headers = queue.pop(); headers; headers = queue.pop()) {
          const answer = await fetchOne(headers)
          if (answer.status !== expected) throw new Error(`answered ${answer.status}`)
          last = answer.etag
        }
      }),
    )
    return { perSecond: (total / (performance.now() - started)) * 1000, etag: last }
  }

  const cold = await play(1, 1)
  const whole = await play(3, 10)
  const same = await play(POLICY_FETCHES - 4, 20, whole.etag)
  agent.destroy()
  await collector.close()
  await database.close()
  rmSync(folder, { recursive: true, force: true })
  return [
    line('policy fetches, first of a device', cold.perSecond, 0),
    line('policy fetches, whole document', whole.perSecond, 1000),
    line('policy fetches, 304', same.perSecond, 1500),
  ]
}

function line(name: string, perSecond: number, least: number): BenchLine {
  const value = Math.round(perSecond)
  const none = { peer: null, peer_value: null, ratio: null }
  return { name, value, unit: 'requests/s', ...none, limit: least ? `value >= ${least}` : '', ok: value >= least }
}
