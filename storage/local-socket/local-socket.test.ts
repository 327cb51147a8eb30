import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { ProductError } from '#contracts/errors.ts'
import { connectLocal, type LocalClient } from './connect-local.ts'
import { type LocalServer, type LocalService, serveLocal } from './serve-local.ts'
import { findSocket, prepareSocket, prepareSocketFolder } from './socket-path.ts'

const root = mkdtempSync(join(tmpdir(), 'appwarden-socket-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let sockets = 0
const newPath = () => join(root, `${++sockets}.sock`)

describe('local socket', () => {
  const open: { close(): unknown }[] = []
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one.close()
  })
  const serve = async (path: string, service: LocalService): Promise<LocalServer> => {
    const server = await serveLocal(path, service)
    open.push(server)
    return server
  }
  const link = (path: string, onNotice?: (topic: string, value: unknown) => void): LocalClient => {
    const client = connectLocal(path, {
      unavailable: () => new ProductError('server.store_down'),
      ...(onNotice && { onNotice }),
    })
    open.push(client)
    return client
  }

  test('calls cross with their values and errors, many at once', async () => {
    const path = newPath()
    await serve(path, {
      calls: {
        echo: (value: unknown) => value,
        later: async (n: number) => {
          await sleep(20 - n)
          return n
        },
        refuse: () => {
          throw new ProductError('input.invalid', { detail: 'x' }, { retry_after: 3 })
        },
        fail: () => {
          throw Object.assign(new Error('broken'), { code: 'EIO' })
        },
      },
    })
    const client = link(path)
    await client.ready(2000)
    const value = {
      text: '消息\0',
      big: 2n ** 80n,
      list: [1.5, null, undefined],
      bytes: new Uint8Array([1, 2]),
      map: new Map([[1, 'a']]),
    }
    expect(await client.call('echo', value)).toEqual(value)
    const large = 'x'.repeat(3_000_000)
    expect(await client.call('echo', large)).toBe(large)
    const numbers = Array.from({ length: 20 }, (_, n) => n)
    expect(await Promise.all(numbers.map((n) => client.call('later', n)))).toEqual(numbers)
    await expect(client.call('refuse')).rejects.toMatchObject({
      key: 'input.invalid',
      params: { detail: 'x' },
      extra: { retry_after: 3 },
    })
    await expect(client.call('fail')).rejects.toMatchObject({ message: 'broken', code: 'EIO' })
    for (const name of ['nothing', 'constructor', '__proto__'])
      await expect(client.call(name)).rejects.toThrow('unknown call')
  })

  test('a stream runs only a little ahead of its reader, and ends when he leaves', async () => {
    const path = newPath()
    let made = 0
    let ended = false
    await serve(path, {
      calls: {},
      streams: {
        async *count(signal: AbortSignal, limit: number) {
          try {
            for (; made < limit && !signal.aborted; ) yield made++
          } finally {
            ended = true
          }
        },
        // biome-ignore lint/correctness/useYield: it fails before its first item
        async *broken() {
          throw new ProductError('data.missing')
        },
      },
    })
    const client = link(path)
    await client.ready(2000)
    const seen: unknown[] = []
    for await (const item of client.stream('count', [1000])) {
      seen.push(item)
      await sleep(5)
      expect(made).toBeLessThan(seen.length + 8)
      if (seen.length === 10) break
    }
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    while (!ended) await sleep(5)
    made = 0
    const all: unknown[] = []
    for await (const item of client.stream('count', [50])) all.push(item)
    expect(all.length).toBe(50)
    const controller = new AbortController()
    for await (const _ of client.stream('count', [1e9], controller.signal)) controller.abort()
    await expect(client.stream('broken', [])[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      key: 'data.missing',
    })
  })

  test('while the server is away calls fail at once; the client comes back by itself and hears the greeting again', async () => {
    const path = newPath()
    const heard: unknown[] = []
    const client = link(path, (topic, value) => heard.push([topic, value]))
    await expect(client.call('x')).rejects.toMatchObject({ key: 'server.store_down' })
    await expect(client.ready(30)).rejects.toMatchObject({ key: 'server.store_down' })
    const service: LocalService = {
      calls: { x: () => 1, hang: () => new Promise(() => {}) },
      greeting: () => [{ topic: 'hello', value: 1 }],
    }
    const first = await serveLocal(path, service)
    await client.ready(3000)
    const hanging = expect(client.call('hang')).rejects.toMatchObject({ key: 'server.store_down' })
    first.notify('news', [2])
    await client.call('x')
    await first.close()
    await hanging
    await serve(path, service)
    await client.ready(3000)
    expect(await client.call('x')).toBe(1)
    expect(heard).toEqual([
      ['hello', 1],
      ['news', [2]],
      ['hello', 1],
    ])
  })

  test('only its owner may connect; a dead socket is replaced, a living one is not', async () => {
    const path = newPath()
    writeFileSync(path, '')
    await serve(path, { calls: {} })
    expect(statSync(path).mode & 0o777).toBe(0o600)
    await expect(serveLocal(path, { calls: {} })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })

  test('bytes that are no frames close that connection and no other', async () => {
    const path = newPath()
    await serve(path, { calls: { x: () => 1 } })
    const client = link(path)
    await client.ready(2000)
    for (const bytes of [Buffer.alloc(64, 0xff), Buffer.from([4, 0, 0, 0, 1, 2, 3, 4]), Buffer.from([0, 0, 0, 0])]) {
      const socket = connect(path)
      socket.on('error', () => {})
      socket.write(bytes)
      await new Promise((resolve) => socket.on('close', resolve))
    }
    expect(await client.call('x')).toBe(1)
  })

  describe('below a folder whose path is too long for a socket', () => {
    const deep = () => join(root, `${++sockets}`, '数据 folder-'.repeat(12))

    test('[A0] server and client meet at a short address, in folders that only this account can enter', async () => {
      const path = join(deep(), 'run', 'x.sock')
      await serve(path, { calls: { x: () => 1 } })
      const client = link(path)
      await client.ready(2000)
      expect(await client.call('x')).toBe(1)
      expect(Buffer.byteLength(findSocket(path))).toBeLessThanOrEqual(103)
      for (const folder of [dirname(path), dirname(findSocket(path))]) expect(statSync(folder).mode & 0o777).toBe(0o700)
      await expect(serveLocal(path, { calls: {} })).rejects.toMatchObject({ code: 'EADDRINUSE' })
    })

    test('[A0] a client that starts before the server connects once the server listens', async () => {
      const path = join(deep(), 'x.sock')
      const client = link(path)
      await sleep(30)
      await serve(path, { calls: { x: () => 1 } })
      await client.ready(2000)
      expect(await client.call('x')).toBe(1)
    })

    test('[A0] all sockets of one folder share a runtime folder, which goes with the last of them', async () => {
      const folder = deep()
      const first = await serveLocal(join(folder, 'a.sock'), { calls: {} })
      const second = await serveLocal(join(folder, 'b.sock'), { calls: {} })
      const runtime = dirname(findSocket(join(folder, 'a.sock')))
      expect(dirname(findSocket(join(folder, 'b.sock')))).toBe(runtime)
      await first.close()
      expect(existsSync(runtime)).toBe(true)
      await second.close()
      expect(existsSync(runtime)).toBe(false)
      expect(readdirSync(folder)).toEqual([])
    })

    test('[A0] a runtime folder that was deleted, opened to others or copied with its data folder is replaced', async () => {
      const folder = deep()
      const first = prepareSocketFolder(folder)
      expect(prepareSocketFolder(folder)).toBe(first)
      rmSync(first, { recursive: true })
      const second = prepareSocketFolder(folder)
      expect(second).not.toBe(first)
      chmodSync(second, 0o755)
      const third = prepareSocketFolder(folder)
      expect(third).not.toBe(second)
      const copy = deep()
      cpSync(folder, copy, { recursive: true, verbatimSymlinks: true })
      expect(prepareSocketFolder(copy)).not.toBe(third)
      expect(prepareSocketFolder(folder)).toBe(third)
      for (const one of [second, dirname(findSocket(join(copy, 'x.sock'))), third]) rmSync(one, { recursive: true })
    })

    test('[A0] runtime folders whose data folder was deleted are removed when the next one is created', () => {
      const gone = deep()
      const stale = prepareSocketFolder(gone)
      rmSync(gone, { recursive: true })
      const hourAgo = new Date(Date.now() - 3_600_000)
      utimesSync(stale, hourAgo, hourAgo)
      const fresh = prepareSocketFolder(deep())
      expect(existsSync(stale)).toBe(false)
      rmSync(fresh, { recursive: true })
    })

    test('[A0] a socket name that leaves no valid address is refused with its name', () => {
      expect(() => prepareSocket(join(deep(), `${'n'.repeat(40)}.sock`))).toThrow('more than 32 bytes: nnn')
    })
  })
})
