import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signin } from '#contracts/http/accounts.ts'
import { uploadFile } from '#contracts/http/assets.ts'
import { startProgram } from '#server/programs.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { type HttpApp, startHttpApp } from '#tests/support/http-app.ts'
import { freePort, healthOf, treeOf, waitFor } from '#tests/support/running-server.ts'

const SOCKETS = 60
const BODY = 8 * 1024 * 1024
const MAX_GROWTH = 8 * 1024 * 1024

let app: HttpApp
beforeAll(async () => {
  app = await startHttpApp()
})
afterAll(() => app.close())

/** Sockets of another process that each send all but the last bytes of a large body, and stay open. */
async function holdSockets(url: string, path: string, headers: string): Promise<{ end(): Promise<void> }> {
  const script = `
    const { connect } = require('node:net')
    const part = Buffer.alloc(64 * 1024, 0x61)
    for (let n = 0; n < ${SOCKETS}; n++) {
      const socket = connect(${new URL(url).port}, '127.0.0.1')
      socket.on('error', () => {}).resume()
      socket.write('POST ${path} HTTP/1.1\\r\\nhost: 127.0.0.1\\r\\n${headers}content-length: ${BODY}\\r\\n\\r\\n')
      let left = ${BODY} - 10
      const more = () => { while (left > 0) { left -= part.length; if (!socket.write(part)) return socket.once('drain', more) } }
      more()
    }
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['-e', script], { stdio: 'ignore' })
  return {
    async end() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

const buffersHere = () => process.memoryUsage().arrayBuffers

/** How much more memory is held at most while the sockets are open: for buffers of this process, where it serves the requests. */
async function growth(path: string, headers: string, url = app.url, held = buffersHere): Promise<number> {
  const before = held()
  let most = 0
  const sockets = await holdSockets(url, path, headers)
  try {
    for (let n = 0; n < 60; n++) {
      await sleep(50)
      most = Math.max(most, held())
    }
    return most - before
  } finally {
    await sockets.end()
  }
}

const form = 'content-type: multipart/form-data; boundary=x\\r\\n'

test('sixty unauthenticated uploads of 8 MB hold at most 8 MB of memory', async () => {
  expect(await growth(uploadFile.path, `cookie: aw_sid=${'A'.repeat(43)}\\r\\n${form}`)).toBeLessThan(MAX_GROWTH)
  expect(await growth(uploadFile.path, `authorization: Bearer aw_at_${'A'.repeat(43)}\\r\\n${form}`)).toBeLessThan(
    MAX_GROWTH,
  )
})

test('large bodies to public and unknown paths hold at most 8 MB of memory and are refused', async () => {
  const json = 'content-type: application/json\\r\\n'
  expect(await growth(signin.path, json)).toBeLessThan(MAX_GROWTH)
  expect(await growth('/api/no/such/path/', json)).toBeLessThan(MAX_GROWTH)
  const client = new ConsoleClient(app.url)
  const type = { 'content-type': 'application/json' }
  expect((await client.send('POST', signin.path, `"${'x'.repeat(16 * 1024)}"`, type)).body['key']).toBe(
    'request.too_large',
  )
})

/** Resident memory of a process in bytes. */
const residentOf = (pid: number) =>
  1024 * Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN)

/**
 * The resident memory also holds what buffers leave behind in the heap and the allocator. The first load grows both once, to what is used
 * again afterwards, so it is left out; of the others the median counts, since the collector does other work too.
 */
test.skipIf(process.platform !== 'linux')(
  '[A10] sixty unauthenticated uploads of 8 MB grow the collector process of the whole product by at most 8 MB',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'appwarden-body-memory-'))
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const env = { ...process.env, PORT: String(port), HOST: '127.0.0.1', APPWARDEN_DATA: folder }
    const product = startProgram('main', [], { stdio: 'ignore', env })
    try {
      await waitFor(async () => (await healthOf(url))?.['state'] === 'ok', 170_000, 'the start of the product')
      const isCollector = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('collector-process')
      const collector = treeOf(product.pid as number).find(isCollector) as number
      const load = () => growth(uploadFile.path, `cookie: a=b\\r\\n${form}`, url, () => residentOf(collector))
      const first = await load()
      const later: number[] = []
      for (let n = 0; n < 5; n++) {
        await sleep(500)
        later.push(await load())
      }
      const median = later.toSorted((a, b) => a - b)[2] as number
      const note = `first ${first}, then ${later.join(', ')} bytes`
      expect(median, note).toBeLessThan(MAX_GROWTH)
    } finally {
      const exit = once(product, 'exit')
      product.kill('SIGTERM')
      await exit
      rmSync(folder, { recursive: true, force: true })
    }
  },
  240_000,
)
