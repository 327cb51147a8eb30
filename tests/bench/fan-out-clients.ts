import { request } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { LIVE_PATH, type LiveMessage, type Topic } from '#contracts/live/messages.ts'

/**
 * The receiving side of the fan-out benchmark, a process of its own: argument {url, tickets, topics} as JSON, one client a ticket. 'start'
 * begins the measurement, 'stop' ends it with a report. An event's latency is taken from the fair sample that each frame draws, up to the
 * moment its bytes are here. A hundred clients in one process would measure their own JSON parsing, so only one frame in nine is parsed.
 */
export type FanOutReport = {
  /** Arrival of the event to its frame in the client, and to the frame's cut, ms. */
  latencies: number[]
  untilCut: number[]
  frames: number
  bytes: number
}

const { url, tickets, topics } = JSON.parse(process.argv[2] ?? '{}') as {
  url: string
  tickets: string[]
  topics: Topic[]
}
/** Shares no factor with the number of clients, so that all have their turn. */
const PARSED = 9
const report: FanOutReport = { latencies: [], untilCut: [], frames: 0, bytes: 0 }
let measuring = false

function receive(text: string, at: number): void {
  if (!measuring || !text.startsWith('42["message",{"type":"frame"')) return
  report.frames++
  report.bytes += text.length
  if (report.frames % PARSED) return
  const [, message] = JSON.parse(text.slice(2)) as [string, LiveMessage]
  if (message.type !== 'frame') return
  for (const arc of message.arcs) {
    report.latencies.push(at - arc[6])
    report.untilCut.push(message.at - arc[6])
  }
}

/** Speaks just enough of WebSocket, Engine.IO and Socket.IO: connect, subscribe, answer pings. */
async function connect(ticket: string, client: number): Promise<void> {
  const socket = await upgrade(`${url}${LIVE_PATH}/?EIO=4&transport=websocket`)
  const send = (text: string) => socket.write(maskedFrame(text))
  let rest: Buffer = Buffer.alloc(0)
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      const at = Date.now()
      rest = rest.length ? Buffer.concat([rest, chunk]) : chunk
      for (let frame = readFrame(rest); frame; frame = readFrame(rest)) {
        rest = rest.subarray(frame.end)
        const { text } = frame
        if (text === '2') send('3')
        else if (text.startsWith('0{')) send(`40${JSON.stringify({ ticket })}`)
        else if (text.startsWith('40'))
          send(`420["subscribe",${JSON.stringify({ topic: topics[client % topics.length] })}]`)
        else if (text.startsWith('430')) resolve()
        else receive(text, at)
      }
    })
  })
}
function upgrade(address: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': Buffer.alloc(16, 7).toString('base64'),
    }
    request(address, { headers })
      .on('upgrade', (_response, socket, head) => {
        if (head.length) socket.unshift(head)
        resolve(socket as Socket)
      })
      .on('response', (response) => reject(new Error(`no upgrade: ${response.statusCode}`)))
      .on('error', reject)
      .end()
  })
}
function readFrame(bytes: Buffer): { text: string; end: number } | undefined {
  if (bytes.length < 2) return undefined
  const short = (bytes[1] as number) & 127
  const start = short === 127 ? 10 : short === 126 ? 4 : 2
  if (bytes.length < start) return undefined
  const length = short === 127 ? Number(bytes.readBigUInt64BE(2)) : short === 126 ? bytes.readUInt16BE(2) : short
  const end = start + length
  return bytes.length < end ? undefined : { text: bytes.toString('utf8', start, end), end }
}
function maskedFrame(text: string): Buffer {
  const body = Buffer.from(text)
  const head =
    body.length < 126
      ? Buffer.from([0x81, 0x80 | body.length])
      : Buffer.from([0x81, 0xfe, body.length >> 8, body.length & 255])
  return Buffer.concat([head, Buffer.alloc(4), body])
}

await Promise.all(
  tickets.map(async (ticket, client) => {
    await delay(client * 5)
    await connect(ticket, client)
  }),
)
process.on('message', (word) => {
  measuring = word === 'start'
  if (word === 'stop') process.send?.(report, () => process.exit(0))
})
process.send?.('ready')
