import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { startAdbServer } from '#mocks/phone/adb-server.ts'
import { SimulatedPhone } from '#mocks/phone/simulated-phone.ts'
import { listPhones } from './adb-client.ts'
import { AdbError } from './adb-error.ts'
import { AdbPhone } from './adb-phone.ts'

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

/** A server that answers each question with the next of these bytes and then ends, or stays silent. */
async function hostile(answers: readonly Buffer[], ends = true): Promise<{ host: string; port: number }> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    let index = 0
    socket.on('data', () => {
      const answer = answers[index++]
      if (answer) socket.write(answer)
      if (index >= answers.length && ends) socket.end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  open.push(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port }
}

const okay = Buffer.from('OKAY')
const packet = (kind: number, length: number, data: string | Buffer = '') => {
  const head = Buffer.alloc(5)
  head[0] = kind
  head.writeUInt32LE(length, 1)
  return Buffer.concat([head, Buffer.from(data as string)])
}
const trouble = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error: unknown) => (error instanceof AdbError ? error.trouble : String(error)),
  )

describe('[DET-01] phones behind an adb server', () => {
  test('are listed with their models; without a server there are none', async () => {
    const server = await startAdbServer([new SimulatedPhone({ serial: '192.168.1.7:5555' })])
    const address = { host: '127.0.0.1', port: server.port }
    expect(await listPhones(address)).toEqual([{ serial: '192.168.1.7:5555', model: 'Simulated_phone' }])
    await server.close()
    expect(await listPhones(address)).toEqual([])
  })

  test('commands have exit codes, errors apart, and words stay words', async () => {
    const server = await startAdbServer([new SimulatedPhone()])
    open.push(() => server.close())
    const phone = new AdbPhone({ host: '127.0.0.1', port: server.port }, 'simulated-1')
    const said = await phone.shell(['echo', "it's; $(reboot)", '&&', 'two  words'], { ms: 2000 })
    expect(said).toMatchObject({ exit: 0, errors: '' })
    expect(said.output.toString()).toBe("it's; $(reboot) && two  words\n")
    expect(await phone.shell(['nothing'], { ms: 2000 })).toMatchObject({
      exit: 127,
      errors: expect.stringMatching(/not found/),
    })
    expect(
      await trouble(new AdbPhone({ host: '127.0.0.1', port: server.port }, 'other').shell(['echo'], { ms: 2000 })),
    ).toBe('refused')
  })

  test('hostile answers end in a named trouble, within the time, and nothing is kept beyond the bound', async () => {
    const ask = async (answers: readonly Buffer[], bytes = 1000, ends = true) =>
      new AdbPhone(await hostile(answers, ends), 'x').shell(['id'], { ms: 300, bytes })
    expect(await trouble(ask([Buffer.from('WHAT')]))).toBe('broken')
    expect(await trouble(ask([Buffer.from('FAILzzzz')]))).toBe('broken')
    expect(await trouble(ask([Buffer.from('FAILffff')]))).toBe('broken')
    expect(await trouble(ask([Buffer.from('FAIL0003no!')]))).toBe('refused')
    expect(await trouble(ask([okay, okay]))).toBe('closed')
    expect(await trouble(ask([okay], 1000, false))).toBe('time')
    expect(await trouble(ask([okay, Buffer.concat([okay, packet(9, 1, 'x')])]))).toBe('broken')
    expect(await trouble(ask([okay, Buffer.concat([okay, packet(3, 4, 'abcd')])]))).toBe('broken')
    // Four gigabytes are announced and nothing comes: nothing is allocated.
    expect(await trouble(ask([okay, Buffer.concat([okay, packet(1, 0xffffffff, 'abc')])]))).toBe('closed')
    const cut = await ask([okay, Buffer.concat([okay, packet(1, 5000, Buffer.alloc(5000, 65)), packet(3, 1, '\0')])])
    expect(cut).toMatchObject({ exit: null })
    expect(cut.output).toHaveLength(1000)
  })

  test('whatever bytes come, the answer is a result or a named trouble', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.boolean(), async (bytes, framed) => {
        const body = Buffer.from(bytes)
        const address = await hostile(framed ? [okay, Buffer.concat([okay, body])] : [body])
        const said = await trouble(new AdbPhone(address, 'x').shell(['id'], { ms: 1000 }))
        expect(['none', 'broken', 'closed', 'refused']).toContain(said)
        expect(Array.isArray(await listPhones(await hostile([body])))).toBe(true)
      }),
      { numRuns: 60 },
    )
  })
})
