import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** Header with which the console's live test requests a trace, and in which the gateway answers it. */
export const TRACE_HEADER = 'aw-trace'
/** Name of the secret that console and gateways share. */
export const TRACE_SECRET = 'communication.trace'
const WINDOW_SECONDS = 60

/** What the gateway did with one message. */
export type TraceStage = {
  stage: 'find' | 'open' | 'claim' | 'upstream' | 'seal' | 'handshake'
  micros: number
  bytes: number
}
export type Trace = {
  /** 'accepted', 'handshake', 'plain_passed', or why it was refused. */
  outcome: string
  stages: TraceStage[]
  policy: string
}

/** Permits the trace of this very request: `<unix seconds>.<mac>` over time, method, target and body. */
export function signTrace(
  secret: Buffer,
  request: { method: string; target: string; body: Uint8Array },
  now: number,
): string {
  const seconds = Math.floor(now / 1000)
  return `${seconds}.${macOf(secret, request, seconds)}`
}

export function isTraceSigned(
  secret: Buffer,
  header: string,
  request: { method: string; target: string; body: Uint8Array },
  now: number,
): boolean {
  const [, seconds = '', mac = ''] = /^(\d{1,12})\.([\w-]{43})$/.exec(header) ?? []
  if (mac === '' || Math.abs(now / 1000 - Number(seconds)) > WINDOW_SECONDS) return false
  return timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(secret, request, Number(seconds))))
}

function macOf(secret: Buffer, request: { method: string; target: string; body: Uint8Array }, seconds: number): string {
  const { method, target, body } = request
  const digest = createHash('sha256').update(body).digest('base64url')
  return createHmac('sha256', secret).update(`${seconds}\n${method}\n${target}\n${digest}`).digest('base64url')
}

export function writeTrace(trace: Trace): string {
  return Buffer.from(JSON.stringify(trace)).toString('base64url')
}
export function readTrace(header: string): Trace | undefined {
  try {
    return JSON.parse(Buffer.from(header, 'base64url').toString('utf8')) as Trace
  } catch {
    return undefined // no gateway of this version
  }
}
