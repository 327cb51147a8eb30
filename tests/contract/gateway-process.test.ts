import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeGatewayPolicy } from '#server/modules/communication/gateway-policy.ts'
import { programCommand } from '#server/programs.ts'
import { type GatewayBed, GatewayClient, gatewayBed } from '#tests/support/gateway-bed.ts'
import { waitFor } from '#tests/support/running-server.ts'

/** `appwarden gateway` as a process, which is killed. */
let bed: GatewayBed
const running = new Set<ChildProcess>()
beforeAll(async () => {
  bed = await gatewayBed()
}, 60_000)
afterAll(async () => {
  for (const one of running) one.kill('SIGKILL')
  await bed?.close()
})

type Started = { child: ChildProcess; url: string; metrics: string; output(): string }

/** Beside the product: its data folder gives PostgreSQL and key. */
async function start(
  env: Record<string, string> = { APPWARDEN_DATA: bed.folder },
  ...more: string[]
): Promise<Started> {
  const { file, args } = programCommand('cli')
  const options = ['--upstream', bed.upstream.href, '--listen', '127.0.0.1:0', '--metrics', '127.0.0.1:0', ...more]
  const { DATABASE_URL: _, APPWARDEN_KEK: __, ...inherited } = process.env
  const child = spawn(file, [...args, 'gateway', ...options], { env: { ...inherited, ...env } })
  running.add(child)
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
  await waitFor(() => /^metrics/m.test(text) || child.exitCode !== null, 30_000, 'the gateway')
  const [, url = ''] = /^gateway (\S+)/m.exec(text) ?? []
  const [, metrics = ''] = /^metrics (\S+)/m.exec(text) ?? []
  return { child, url, metrics, output: () => text }
}

async function stop({ child }: Started, signal: NodeJS.Signals): Promise<number | null> {
  const exit = once(child, 'exit')
  child.kill(signal)
  const [code] = (await exit) as [number | null]
  running.delete(child)
  return code
}

test('[COMM-01] a gateway killed under load accepts no message twice when it is back, and its sessions go on', async () => {
  const first = await start()
  const client = new GatewayClient(first.url)
  expect(await client.connect(bed.key)).toBe(200)
  const sent: Uint8Array[] = []
  const load = Array.from({ length: 8 }, async (_, lane) => {
    for (let at = 0; at < 200; at++) {
      const { message } = client.seal('/kill', `${lane}.${at}`)
      sent.push(message)
      // After the kill no answer comes: this lane is over.
      const answer = await client.post('/kill', message).catch(() => undefined)
      if (!answer) return
      await answer.arrayBuffer().catch(() => undefined)
    }
  })
  await waitFor(() => bed.received.length > 100, 20_000, 'load')
  await stop(first, 'SIGKILL')
  await Promise.all(load)
  const accepted = bed.received.length
  const second = await start()
  client.url = second.url
  const again = await Promise.all(sent.map(async (message) => (await client.post('/kill', message)).status))
  const counts = new Map<string, number>()
  for (const { body } of bed.received) counts.set(body, (counts.get(body) ?? 0) + 1)
  expect(Math.max(...counts.values())).toBe(1)
  // What had not reached the gateway before the kill is accepted now, once; everything else is a replay.
  expect(again.filter((status) => status === 200).length).toBe(bed.received.length - accepted)
  expect(again.filter((status) => status === 400).length).toBeGreaterThan(100)
  expect((await client.request('/after', 'x')).status).toBe(200)
  const metrics = await (await fetch(second.metrics)).text()
  expect(metrics).toMatch(/^appwarden_gateway_refused_total\{reason="replayed"\} \d{3,}$/m)
  const listed = () => bed.meta.db.selectFrom('communication_gateways').select('address').execute()
  expect((await listed()).map(({ address }) => address)).toContain(second.url)
  expect(await stop(second, 'SIGTERM')).toBe(0)
  expect((await listed()).map(({ address }) => address)).not.toContain(second.url)
}, 90_000)

test('[COMM-01] on another machine DATABASE_URL and the key are enough; without the key it says what is missing', async () => {
  const { host = '', user = '', password = '', database = '' } = bed.database as Record<string, string>
  const folder = mkdtempSync(join(tmpdir(), 'appwarden-elsewhere-'))
  const env = {
    APPWARDEN_DATA: folder,
    DATABASE_URL: `postgres://${user}:${encodeURIComponent(password)}@/${database}?host=${encodeURIComponent(host)}`,
  }
  try {
    const keyless = await start(env)
    expect(keyless.child.exitCode).toBe(1)
    expect(keyless.output()).toContain('APPWARDEN_KEK')
    const kek = readFileSync(join(bed.folder, 'keys', 'kek'), 'utf8')
    const elsewhere = await start({ ...env, APPWARDEN_KEK: kek }, '--policy', 'observe')
    const client = new GatewayClient(elsewhere.url)
    expect(await client.connect(bed.key)).toBe(200)
    expect((await client.request('/x', 'x')).status).toBe(200)
    expect((await fetch(`${elsewhere.url}/plain`)).status).toBe(200)
    expect(await stop(elsewhere, 'SIGTERM')).toBe(0)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}, 60_000)

test('[COMM-01] without PostgreSQL every message gets 503, the log says so, and the gateway goes on when it is back', async () => {
  const gateway = await start()
  const client = new GatewayClient(gateway.url)
  expect(await client.connect(bed.key)).toBe(200)
  expect((await client.request('/x', 'x')).status).toBe(200)
  const before = bed.received.length
  await bed.stopDatabase()
  try {
    const answer = await client.post('/x', client.seal('/x', 'x').message)
    expect([answer.status, await answer.text()]).toEqual([503, '{"error":"busy"}'])
    expect(answer.headers.get('retry-after')).toBe('1')
    expect(await new GatewayClient(gateway.url).connect(bed.key)).toBe(503)
  } finally {
    await bed.startDatabase()
  }
  expect(bed.received.length).toBe(before)
  await waitFor(async () => (await client.request('/x', 'x')).status === 200, 20_000, 'the database')
  expect(await new GatewayClient(gateway.url).connect(bed.key)).toBe(200)
  // Changes of keys and policy are heard again.
  await writeGatewayPolicy(bed.meta, 'observe')
  await waitFor(async () => (await fetch(`${gateway.url}/plain`)).status === 200, 20_000, 'the policy')
  await writeGatewayPolicy(bed.meta, 'enforce')
  expect(await stop(gateway, 'SIGTERM')).toBe(0)
  const logs = join(bed.folder, 'logs')
  const lines = readdirSync(logs)
    .map((name) => readFileSync(join(logs, name), 'utf8'))
    .join('')
  expect(lines).toContain('gateway: a message cannot be checked')
}, 90_000)

test('wrong options are refused with a sentence and exit code 1', async () => {
  for (const [option, value, words] of [
    ['--policy', 'maybe', 'observe or enforce'],
    ['--listen', 'nowhere', 'HOST:PORT'],
    ['--max-body', '5', '--max-body'],
    ['--collector', 'http://127.0.0.1:1', 'APPWARDEN_GATEWAY_INGEST_KEYS'],
  ] as const) {
    const refused = await start({ APPWARDEN_DATA: bed.folder }, option, value)
    expect(refused.child.exitCode).toBe(1)
    expect(refused.output()).toContain(words)
    running.delete(refused.child)
  }
}, 60_000)
