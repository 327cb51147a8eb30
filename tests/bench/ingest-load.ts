import { connect, type Socket } from 'node:net'
import { makeBodies, stamp } from './ingest-bodies.ts'

/**
 * The sending side of the ingest benchmark, a process of its own so that its work is not the collector's. Keeps `connections` batches
 * under way until the parent sends a message (any message stops it; it says itself when it starts), then reports what was acknowledged.
 */
export type LoadReport = { events: number; batches: number; refused: number; milliseconds: number; latencies: number[] }

const [port, key, connections, run] = process.argv.slice(2) as [string, string, string, string]
const bodies = makeBodies(7, 200)
const report: LoadReport = { events: 0, batches: 0, refused: 0, milliseconds: 0, latencies: [] }
let next = 0
let stopping = false

function drive(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    let received = ''
    let sentAt = 0
    let events = 0
    const send = () => {
      if (stopping) {
        socket.end()
        resolve()
        return
      }
      const body = bodies[next++ % bodies.length] as (typeof bodies)[number]
      stamp(body, Number(run))
      events = body.events
      sentAt = performance.now()
      // The head goes with a copy: a body gets a new timestamp while older bytes of it may still wait in the socket.
      const head = `POST /collect/v1/events HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.bytes.length}\r\n\r\n`
      socket.write(Buffer.concat([Buffer.from(head), body.bytes]))
    }
    socket.setNoDelay(true)
    socket.on('connect', send)
    socket.on('error', reject)
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text
      const end = received.indexOf('\r\n\r\n')
      if (end < 0) return
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0)
      if (received.length < end + 4 + length) return
      const answer = JSON.parse(received.slice(end + 4)) as { accepted?: number }
      if (answer.accepted === events) {
        report.events += events
        report.batches++
        report.latencies.push(performance.now() - sentAt)
      } else report.refused++
      received = ''
      send()
    })
  })
}

process.once('message', () => {
  stopping = true
})
process.send?.('started')
const start = Date.now()
await Promise.all(Array.from({ length: Number(connections) }, () => drive(connect(Number(port), '127.0.0.1'))))
report.milliseconds = Date.now() - start
process.send?.(report, () => process.disconnect())
