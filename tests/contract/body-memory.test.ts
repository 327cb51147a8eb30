import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signin } from '#contracts/http/accounts.ts'
import { uploadFile } from '#contracts/http/assets.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { type HttpApp, startHttpApp } from '#tests/support/http-app.ts'

const SOCKETS = 60
const BODY = 8 * 1024 * 1024
const MAX_GROWTH = 8 * 1024 * 1024

let app: HttpApp
beforeAll(async () => {
  app = await startHttpApp()
})
afterAll(() => app.close())

/** Sockets of another process that each send all but the last bytes of a large body, and stay open. */
async function holdSockets(path: string, headers: string): Promise<{ end(): Promise<void> }> {
  const script = `
    const { connect } = require('node:net')
    const part = Buffer.alloc(64 * 1024, 0x61)
    for (let n = 0; n < ${SOCKETS}; n++) {
      const socket = connect(${new URL(app.url).port}, '127.0.0.1')
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

/** How much more memory for buffers this process, which serves the requests, holds at most while the sockets are open. */
async function growth(path: string, headers: string): Promise<number> {
  const before = process.memoryUsage().arrayBuffers
  let most = 0
  const sockets = await holdSockets(path, headers)
  try {
    for (let n = 0; n < 60; n++) {
      await sleep(50)
      most = Math.max(most, process.memoryUsage().arrayBuffers)
    }
    return most - before
  } finally {
    await sockets.end()
  }
}

test('sixty unauthenticated uploads of 8 MB hold at most 8 MB of memory', async () => {
  const form = 'content-type: multipart/form-data; boundary=x\\r\\n'
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
