import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { GATEWAY_POLICY_NAMES } from '#domain/communication.ts'
import { isUrl } from '#domain/url-check.ts'
import { closeLog, log, openLog } from '#runtime/log.ts'
import type { Config } from '#server/config.ts'
import { gatewayMetrics } from '#server/modules/communication/gateway/gateway-metrics.ts'
import { GATEWAY_LIMITS, startGateway } from '#server/modules/communication/gateway/start-gateway.ts'
import { openSecrets } from '#server/platform/secrets.ts'
import { bundledAddress } from '#storage/postgres/bundled.ts'
import { type DatabaseAddress, openDatabase } from '#storage/postgres/database.ts'
import { UsageError } from './usage-error.ts'

const DEFAULT_LISTEN = '127.0.0.1:8090'
/** A statement beyond it fails: the client hears 'busy' and tries again. */
const STATEMENT_MS = 5000

const USAGE = `appwarden gateway --upstream URL
  --listen HOST:PORT     where apps connect (${DEFAULT_LISTEN}); TLS with APPWARDEN_TLS_CERT and APPWARDEN_TLS_KEY
  --policy observe|enforce   instead of the policy of the console
  --name NAME            as the console lists it (this machine's name)
  --address URL          where the console reaches it, if not at HOST:PORT
  --metrics HOST:PORT    Prometheus metrics (127.0.0.1, the port after the one of --listen)
  --collector URL        reports refusals as events; APPWARDEN_GATEWAY_INGEST_KEYS=<application id>=<server key>,...
  --max-body BYTES       of a request (${GATEWAY_LIMITS.maxBodyBytes})
  --timeout SECONDS      of the server behind (${GATEWAY_LIMITS.upstreamMs / 1000})
  --rate-address N       requests a second of one address (${GATEWAY_LIMITS.addresses.perSecond})
  --rate-session N       requests a second of one session (${GATEWAY_LIMITS.sessions.perSecond})
  --rate-handshake N     handshakes a second of one address (${GATEWAY_LIMITS.handshakes.perSecond})`

/** Runs until SIGTERM or SIGINT. Throws UsageError, and Error with a line for the operator. */
export async function gatewayCommand(args: string[], config: Config, env: NodeJS.ProcessEnv): Promise<number> {
  const options = readOptions(args, env)
  openLog({ process: `gateway-${options.listen.port}`, folder: makeFolder(config.paths.logs), terminal: 'warn' })
  const meta = await openDatabase(databaseOf(config), { migrate: false, connections: 10, statementMs: STATEMENT_MS })
  try {
    if (!env['APPWARDEN_KEK'] && !existsSync(join(config.paths.keys, 'kek')))
      throw new Error(`No key file in ${config.paths.keys}: copy it from the server, or set APPWARDEN_KEK`)
    const secret = await openSecrets({
      meta,
      keyFolder: config.paths.keys,
      now: Date.now,
      kek: env['APPWARDEN_KEK'],
    })
    const { tls } = config
    const gateway = await startGateway({
      ...{ meta, secret, now: Date.now, upstream: options.upstream, policy: options.policy, limits: options.limits },
      ...options.listen,
      tls: tls && { cert: readFileSync(tls.cert, 'utf8'), key: readFileSync(tls.key, 'utf8') },
      trustProxy: config.trustProxy,
      version: config.version,
      listed: { name: options.name, address: options.address },
      events: options.events,
    })
    const metrics = createServer((request, response) => {
      const isMetrics = request.method === 'GET' && request.url === '/metrics'
      response.writeHead(isMetrics ? 200 : 404, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
      response.end(isMetrics ? gatewayMetrics(gateway.status()) : '')
    })
    await new Promise<void>((resolve, reject) => {
      const { host, port } = options.metrics ?? { host: '127.0.0.1', port: gateway.port + 1 }
      metrics.once('error', reject).listen(port, host, () => resolve())
    })
    const { address, port } = metrics.address() as AddressInfo
    console.log(`gateway ${gateway.url} -> ${options.upstream.href}`)
    console.log(`metrics http://${address}:${port}/metrics`)
    log.info({ upstream: options.upstream.href }, 'gateway: started')
    await new Promise<void>((stop) => {
      process.once('SIGTERM', () => stop()).once('SIGINT', () => stop())
    })
    console.log('stopping')
    await gateway.close()
    metrics.close()
    metrics.closeAllConnections()
    log.info('gateway: stopped')
    return 0
  } finally {
    await meta.close()
    closeLog()
  }
}

function readOptions(args: string[], env: NodeJS.ProcessEnv) {
  const { values } = parseArgs({
    args,
    options: {
      upstream: { type: 'string' },
      listen: { type: 'string', default: DEFAULT_LISTEN },
      policy: { type: 'string' },
      name: { type: 'string', default: hostname() },
      address: { type: 'string' },
      metrics: { type: 'string' },
      collector: { type: 'string' },
      'max-body': { type: 'string', default: String(GATEWAY_LIMITS.maxBodyBytes) },
      timeout: { type: 'string', default: String(GATEWAY_LIMITS.upstreamMs / 1000) },
      'rate-address': { type: 'string', default: String(GATEWAY_LIMITS.addresses.perSecond) },
      'rate-session': { type: 'string', default: String(GATEWAY_LIMITS.sessions.perSecond) },
      'rate-handshake': { type: 'string', default: String(GATEWAY_LIMITS.handshakes.perSecond) },
    },
  })
  const upstream = urlOf('--upstream', values.upstream)
  if (!upstream) throw new UsageError(USAGE)
  const policy = GATEWAY_POLICY_NAMES.find((one) => one === values.policy)
  if (values.policy !== undefined && !policy) throw new UsageError('--policy must be observe or enforce')
  const rate = (name: 'rate-address' | 'rate-session' | 'rate-handshake') => {
    const perSecond = numberOf(name, values[name], 1, 100_000)
    return { burst: perSecond * 4, perSecond }
  }
  const collector = urlOf('--collector', values.collector)
  return {
    upstream,
    listen: hostAndPort('--listen', values.listen),
    policy,
    name: values.name.slice(0, 64),
    address: urlOf('--address', values.address)?.origin,
    metrics: values.metrics === undefined ? undefined : hostAndPort('--metrics', values.metrics),
    limits: {
      // The answer of the server behind is sealed in memory, like the request.
      maxBodyBytes: numberOf('max-body', values['max-body'], 1024, 8 * 1024 * 1024 - 1024),
      upstreamMs: numberOf('timeout', values.timeout, 1, 300) * 1000,
      addresses: rate('rate-address'),
      sessions: rate('rate-session'),
      handshakes: rate('rate-handshake'),
    },
    events: collector && { url: collector.origin, ingestKeys: ingestKeys(env['APPWARDEN_GATEWAY_INGEST_KEYS'] ?? '') },
  }
}

function ingestKeys(text: string): Map<number, string> {
  const keys = new Map<number, string>()
  for (const one of text.split(',').filter((part) => part.trim() !== '')) {
    const [, app, key] = /^\s*(\d{1,9})=(aw_sk_[\w-]+)\s*$/.exec(one) ?? []
    if (!key) throw new UsageError('APPWARDEN_GATEWAY_INGEST_KEYS must list <application id>=<server key>')
    keys.set(Number(app), key)
  }
  if (keys.size === 0) throw new UsageError('--collector needs APPWARDEN_GATEWAY_INGEST_KEYS')
  return keys
}

function urlOf(name: string, text: string | undefined): URL | undefined {
  if (text === undefined) return undefined
  if (!isUrl(text) || !/^https?:/.test(text)) throw new UsageError(`${name} must be an http or https URL, not ${text}`)
  return new URL(text)
}

function hostAndPort(name: string, text: string): { host: string; port: number } {
  const [, host = '', port] = /^(.+):(\d{1,5})$/.exec(text) ?? []
  if (port === undefined || Number(port) > 65_535) throw new UsageError(`${name} must be HOST:PORT, not ${text}`)
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
}

function numberOf(name: string, text: string, least: number, most: number): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < least || value > most)
    throw new UsageError(`--${name} must be ${least} to ${most}, not ${text}`)
  return value
}

/** PostgreSQL of DATABASE_URL, else the bundled one of a server that runs with this data folder. */
function databaseOf(config: Config): DatabaseAddress {
  if (config.databaseUrl) return { connectionString: config.databaseUrl }
  try {
    return bundledAddress(config.paths.postgres)
  } catch (cause) {
    throw new Error(`No AppWarden in ${config.dataFolder}: set APPWARDEN_DATA, or DATABASE_URL on another machine`, {
      cause,
    })
  }
}

function makeFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  return path
}
