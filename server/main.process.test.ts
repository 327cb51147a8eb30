import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseLogLine } from '#runtime/log-line.ts'
import { freePort, healthOf, treeOf, waitFor } from '#tests/support/running-server.ts'
import { startProgram } from './programs.ts'

const PASSWORD = 'Granite-Harbour-27'
const SERVICES = ['store', 'collector', 'console', 'relay', 'jobs'] as const
let folder: string
let product: ChildProcess
let url: string
let said = ''

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'appwarden-main-'))
  // What a mistake in any program would be: a promise that is rejected and that nothing handles.
  const mistake = join(folder, 'mistake.mjs')
  writeFileSync(mistake, `process.on('SIGUSR2', () => { Promise.reject(new Error('rejected by the test')) })`)
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  product = startProgram('main', [], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...process.env,
      NODE_OPTIONS: `--import=${pathToFileURL(mistake)}`,
      PORT: String(port),
      HOST: '127.0.0.1',
      APPWARDEN_DATA: join(folder, 'data'),
      APPWARDEN_ADMIN_PASSWORD: PASSWORD,
    },
  })
  for (const stream of [product.stdout, product.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  await waitFor(
    async () => {
      if (product.exitCode !== null) throw new Error(said)
      return said.includes('Ready on') && (await healthOf(url))?.['state'] === 'ok'
    },
    170_000,
    'the start of the product',
  )
}, 180_000)
afterAll(async () => {
  if (product.exitCode === null) {
    const exit = once(product, 'exit')
    product.kill('SIGTERM')
    await exit
  }
  rmSync(folder, { recursive: true, force: true })
})

const read = (pid: number, file: 'cmdline' | 'environ') => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return '' // ended meanwhile
  }
}
const tree = () => treeOf(product.pid as number)

/** The process of each service, as its own log names it. */
function pids(): Record<string, number | undefined> {
  const found = tree().map((pid) => [pid, read(pid, 'cmdline')] as const)
  const program = (name: string) => (name === 'relay' ? /relay-process|realtime.main/ : new RegExp(`${name}-process`))
  return Object.fromEntries(SERVICES.map((name) => [name, found.find(([, line]) => program(name).test(line))?.[0]]))
}

test.runIf(process.platform === 'linux')(
  'no command line of any process has the secret of PostgreSQL or the password of the administrator; no environment of PostgreSQL has either',
  () => {
    const secret = readFileSync(join(folder, 'data/postgres/secret'), 'utf8')
    expect(secret.length).toBeGreaterThan(20)
    const all = tree().map((pid) => ({ pid, line: read(pid, 'cmdline'), environment: read(pid, 'environ') }))
    const ofPostgres = all.filter(({ line }) => /postgres/.test(line) && !/-process|main/.test(line))
    expect(Object.values(pids()).filter(Boolean)).toHaveLength(SERVICES.length)
    expect(ofPostgres.length).toBeGreaterThan(3)
    for (const { line } of all) for (const word of [secret, PASSWORD]) expect(line).not.toContain(word)
    for (const { environment, line } of ofPostgres)
      for (const word of [secret, PASSWORD]) expect(environment, line).not.toContain(word)
  },
)

test.runIf(process.platform === 'linux')(
  'a rejection that nothing handles is logged with its stack and ends that process alone, which is started again',
  async () => {
    for (const name of ['console', 'relay'] as const) {
      const before = pids()
      process.kill(before[name] as number, 'SIGUSR2')
      await waitFor(() => ![undefined, before[name]].includes(pids()[name]), 50_000, `another ${name} process`)
      const { [name]: _ended, ...others } = before
      expect(pids()).toMatchObject(others)
      const lines = readFileSync(join(folder, `data/logs/${name}.log`), 'utf8')
        .split('\n')
        .map(parseLogLine)
      expect(lines.filter((line) => line?.level === 60)).toMatchObject([
        {
          pid: before[name],
          msg: 'an unexpected error ends this process',
          origin: 'unhandledRejection',
          err: { message: 'rejected by the test', stack: expect.stringContaining('mistake.mjs') },
        },
      ])
      await waitFor(async () => (await healthOf(url))?.['state'] === 'ok', 50_000, 'the product to be ok again')
    }
    expect(product.exitCode).toBe(null)
  },
  120_000,
)
