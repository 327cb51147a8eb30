import { lookup as resolveName } from 'node:dns'
import { once } from 'node:events'
import { isIP, type LookupFunction } from 'node:net'
import { connect, rootCertificates, type TLSSocket } from 'node:tls'
import { checkedLookup } from '../../platform/outgoing/post-json.ts'
import { mayConnect } from '../../platform/outgoing/target-check.ts'

/** One message of RFC 5424, without its frame. */
export type SyslogMessage = {
  /** Epoch ms. */
  at: number
  severity: 'info' | 'warning'
  /** MSGID: at most 32 printable ASCII characters. */
  id: string
  /** Parameters of the one structured data element. */
  data: Readonly<Record<string, string | number>>
  text: string
}

/** Log audit (RFC 5424, table 1). */
const FACILITY = 13
const SEVERITIES = { warning: 4, info: 6 } as const
/** The enterprise number for documentation (RFC 5612): the product has none of its own. */
const ELEMENT = 'appwarden@32473'
const TIMEOUT_MS = 10_000
/** Receivers must take 2,048 bytes and should take 8,192 (RFC 5425, 4.3.1). */
const LONGEST_VALUE = 1500
const TRUSTED = [...rootCertificates]

/** RFC 5424 section 6. The text is UTF-8 and begins with its mark. */
export function syslogMessage(host: string, { at, severity, id, data, text }: SyslogMessage): string {
  const parameters = Object.entries(data).map(([name, value]) => ` ${name}="${parameterValue(String(value))}"`)
  const printable = (part: string, longest: number) => part.replace(/[^!-~]/g, '_').slice(0, longest) || '-'
  return [
    `<${FACILITY * 8 + SEVERITIES[severity]}>1`,
    new Date(at).toISOString(),
    printable(host, 255),
    'appwarden',
    '-',
    printable(id, 32),
    `[${ELEMENT}${parameters.join('')}]`,
    `\ufeff${text.slice(0, LONGEST_VALUE)}`,
  ].join(' ')
}

/** Quote, backslash and closing bracket are escaped (section 6.3.3). */
function parameterValue(value: string): string {
  return value.slice(0, LONGEST_VALUE).replace(/["\\\]]/g, '\\$&')
}

/**
 * Sends messages over TLS with octet counting (RFC 5425) and closes the connection. Resolves when the receiver has the bytes and closed
 * its side or took all; syslog has no acknowledgement, so what a receiver loses after that is not noticed. Throws Error with the reason:
 * address refused, certificate not valid for the host, connection refused, time-out.
 */
export async function sendSyslog(
  { host, port, ca }: { host: string; port: number; ca: string },
  messages: readonly string[],
  options: { lookup?: LookupFunction; timeoutMs?: number } = {},
): Promise<void> {
  if (isIP(host) && !mayConnect(host, true)) throw new Error('address refused')
  const signal = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS)
  const socket = connect({
    host,
    port,
    ...(isIP(host) === 0 && { servername: host }),
    ca: ca === '' ? TRUSTED : [...TRUSTED, ca],
    minVersion: 'TLSv1.2',
    // A syslog server lies inside the own network; addresses that no server has are refused all the same.
    lookup: checkedLookup(options.lookup ?? resolveName, true, () => {}),
  })
  const stop = () => socket.destroy(new Error('time-out'))
  signal.addEventListener('abort', stop)
  try {
    await once(socket, 'secureConnect')
    await writeAll(
      socket,
      messages.map((message) => {
        const bytes = Buffer.from(message, 'utf8')
        return Buffer.concat([Buffer.from(`${bytes.length} `), bytes])
      }),
    )
  } finally {
    signal.removeEventListener('abort', stop)
    socket.destroy()
  }
}

/** Resolves when everything has left and the receiver ended its side, which it does after it has read all. */
function writeAll(socket: TLSSocket, frames: readonly Buffer[]): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('connection closed')))
    socket.resume()
    socket.once('end', () => resolve())
    socket.end(Buffer.concat(frames), () => setTimeout(resolve, 500).unref())
  })
}
