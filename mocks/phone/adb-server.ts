import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { words } from './shell-words.ts'
import type { Answer, SimulatedPhone } from './simulated-phone.ts'
import { SocketReader } from './socket-reader.ts'
import { syncService } from './sync-service.ts'

export type AdbServer = { port: number; phones: SimulatedPhone[]; close(): Promise<void> }

/** Version 41: what today's adb speaks; a client of another one would end the server. */
const VERSION = '0029'
const FEATURES = 'shell_v2,cmd,stat_v2'
const LOG_MS = 100

/**
 * An adb server with simulated phones: the smart-socket protocol over TCP, so that our client, adb itself and libraries talk to it alike.
 * Commands run in the phone; a phone that is `gone` drops its connections.
 */
export async function startAdbServer(phones: SimulatedPhone[], port = 0): Promise<AdbServer> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    void serve(socket, phones).catch(() => socket.destroy())
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    phones,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

const frame = (text: string) => `${Buffer.byteLength(text).toString(16).padStart(4, '0')}${text}`

async function serve(socket: Socket, phones: readonly SimulatedPhone[]): Promise<void> {
  const reader = new SocketReader(socket)
  const question = async () => {
    const length = Number.parseInt((await reader.exactly(4)).toString('latin1'), 16)
    return (await reader.exactly(length)).toString('utf8')
  }
  const refuse = (reason: string) => socket.end(`FAIL${frame(reason)}`)
  const here = () => phones.filter(({ gone }) => !gone)
  const named = (serial: string) => here().find((one) => serial === '' || one.serial === serial)
  let asked = await question()
  if (asked === 'host:version') return void socket.end(`OKAY${frame(VERSION)}`)
  if (asked === 'host:kill') return void socket.end('OKAY')
  if (asked === 'host:devices' || asked === 'host:devices-l') {
    const lines = here().map(({ serial, model }, index) =>
      asked === 'host:devices'
        ? `${serial}\tdevice\n`
        : `${serial.padEnd(22)} device product:simulated model:${model.replaceAll(' ', '_')} device:simulated transport_id:${index + 1}\n`,
    )
    return void socket.end(`OKAY${frame(lines.join(''))}`)
  }
  if (asked === 'host:features' || /^host-serial:.*:features$/.test(asked))
    return void socket.end(`OKAY${frame(FEATURES)}`)
  if (asked === 'host:host-features') return void socket.end(`OKAY${frame(FEATURES)}`)
  const transport = /^host:(tport:(?:serial:)?|transport[:-])(.*)$/.exec(asked)
  if (!transport) return void refuse(`unknown host service '${asked}'`)
  const serial = transport[2] === 'any' ? '' : (transport[2] ?? '')
  const phone = named(serial)
  if (!phone) return void refuse(serial === '' ? 'no devices/emulators found' : `device '${serial}' not found`)
  const id = Buffer.alloc(8)
  id.writeBigUInt64LE(BigInt(phones.indexOf(phone) + 1))
  socket.write(transport[1]?.startsWith('tport') ? Buffer.concat([Buffer.from('OKAY'), id]) : 'OKAY')
  asked = await question()
  const [, service = '', line = ''] = /^([a-z]+)(?:,[^:]*)?:(.*)$/s.exec(asked) ?? []
  const framed = asked.startsWith('shell,v2')
  if (service === 'sync') {
    socket.write('OKAY')
    return syncService(socket, reader, phone)
  }
  if (service !== 'shell' && service !== 'exec') return void refuse(`unknown service '${asked}'`)
  socket.write('OKAY')
  // adb itself sets what the user wants to see before it asks for the log.
  const [name, ...args] = words(line.replace(/^export ANDROID_LOG_TAGS=.{0,200}?; exec /, ''))
  if (name === 'logcat') return followLog(socket, phone, args, framed)
  const answer = await answerOf(phone, reader, line)
  if (phone.gone) return void socket.destroy()
  finish(socket, answer, framed)
}

/** A streamed install takes the package from the line; every other command answers at once, except that inputs take their time. */
async function answerOf(phone: SimulatedPhone, reader: SocketReader, line: string): Promise<Answer> {
  const args = words(line)
  const size = args[args.indexOf('-S') + 1]
  if (args[0] === 'cmd' && args[1] === 'package' && args[2] === 'install' && size) {
    phone.asked.push(line)
    return phone.install(await reader.exactly(Number(size)))
  }
  if (args[0] === 'pm' && args[1] === 'install') {
    const pushed = phone.shared.get(args.at(-1) ?? '')
    return pushed ? phone.install(pushed.content) : { exit: 1, out: '', err: 'Error: Unable to open file\n' }
  }
  const answer = phone.run(line)
  if (args[0] === 'monkey') {
    const throttle = Number(args[args.indexOf('--throttle') + 1])
    for (let left = throttle * Number(args.at(-1)); left > 0 && !phone.gone; left -= 100)
      await sleep(Math.min(100, left))
  }
  return answer
}

const packet = (kind: number, data: Buffer): Buffer => {
  const head = Buffer.alloc(5)
  head[0] = kind
  head.writeUInt32LE(data.length, 1)
  return Buffer.concat([head, data])
}

function finish(socket: Socket, { exit, out, err = '' }: Answer, framed: boolean): void {
  const [output, errors] = [Buffer.from(out as Buffer), Buffer.from(err)]
  if (!framed) return void socket.end(Buffer.concat([output, errors]))
  const parts = [
    ...(output.length > 0 ? [packet(1, output)] : []),
    ...(errors.length > 0 ? [packet(2, errors)] : []),
    packet(3, Buffer.from([exit])),
  ]
  socket.end(Buffer.concat(parts))
}

/** Lines as they come, until the other side goes or (`-d`) at once. */
async function followLog(
  socket: Socket,
  phone: SimulatedPhone,
  args: readonly string[],
  framed: boolean,
): Promise<void> {
  phone.asked.push(`logcat ${args.join(' ')}`)
  const since = args.indexOf('-T') < 0 ? 0 : Number(args[args.indexOf('-T') + 1]) * 1000
  const sentLines = new Set<string>()
  for (;;) {
    const fresh = phone.logSince(since).filter(({ line, at }) => !sentLines.has(`${at} ${line}`))
    for (const { at, line } of fresh) sentLines.add(`${at} ${line}`)
    const text = Buffer.from(fresh.map(({ line }) => `${line}\n`).join(''))
    if (phone.gone || socket.destroyed) return void socket.destroy()
    if (text.length > 0) socket.write(framed ? packet(1, text) : text)
    if (args.includes('-d')) return finish(socket, { exit: 0, out: '' }, framed)
    await sleep(LOG_MS)
  }
}
