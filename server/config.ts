import { isIP } from 'node:net'
import { join, resolve } from 'node:path'

export const ROLES = ['web', 'ingest', 'relay', 'jobs'] as const
export type Role = (typeof ROLES)[number]

/** Where the demo's phone is looked for: a port for each port of the product. */
const DEMO_ADB = 15_000
/** Where the demo's markets are: so many ports from here, for each port of the product. */
const DEMO_MARKETS = { first: 20_000, count: 12 }

/** What the environment says (README, 'Configuration'); read once, at start. */
export type Config = {
  port: number
  host: string
  loopback: boolean
  /** Bound to loopback and no trusted proxy: the only case in which demo passwords and a fixed verification code are allowed. */
  private: boolean
  dataFolder: string
  /** The installation of the packaged product, as its launcher says; undefined in a source checkout. */
  home: string | undefined
  /** So long a version that was switched to has to become well before the other one comes back. */
  updateLimitSeconds: number
  adminEmail: string
  adminPassword: string | undefined
  captchaFixed: string | undefined
  tls: { cert: string; key: string } | undefined
  trustProxy: string[]
  roles: readonly Role[]
  databaseUrl: string | undefined
  demo: boolean
  /** Public keys that licences are checked against where the build holds none (server/platform/licence/vendor-keys.ts). */
  licenceKeys: string[]
  /** smtp:// or smtps:// with user, password and `?from=`; undefined: mail is not configured. */
  smtpUrl: string | undefined
  /** Exact origins of simulated markets, the only private addresses that monitoring asks; tests and the demo name them. */
  marketOrigins: string[]
  /** `http://proxy:port` through which markets are asked; '' without one. */
  marketProxy: string
  /** Room for all copies that channel monitoring keeps. */
  copyBytes: number
  /** The adb server that phones for dynamic detection hang on. */
  adb: { host: string; port: number }
  /** The demo brings a phone of its own, named as what it is, unless an adb server is named. */
  simulatedPhone: boolean
  /** Ports of loopback where the demo has its markets, unless other simulated markets are named. */
  demoMarkets: readonly number[]
  version: string
  paths: {
    postgres: string
    journal: string
    events: string
    files: string
    /** Uploads that are not complete yet. */
    uploads: string
    /** Packages, journal and copies of platform updates. */
    updates: string
    keys: string
    /** Digests of what was erased, applied again by a restore; on another disk it survives the loss of the data folder. */
    erasureLedger: string
    /** Copies of the signed checkpoints of the audit trail, outside the database that they prove. */
    auditCheckpoints: string
    storeSocket: string
    journalSocket: string
    adminSocket: string
    /** Collector: what other processes ask of it. Console and relay: HTTP behind the public port. */
    collectorSocket: string
    consoleSocket: string
    relaySocket: string
    logs: string
    web: string
    sdk: string
  }
}

/** Throws Error with one line that names the variable and what it must be. */
export function readConfig(env: NodeJS.ProcessEnv, version: string): Config {
  const port = Number(env['PORT'] ?? 8080)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`PORT must be 0 to 65535, not ${env['PORT']}`)
  const host = env['HOST'] ?? '127.0.0.1'
  const trustProxy = list(env['APPWARDEN_TRUST_PROXY'])
  for (const one of trustProxy)
    if (!isIP(one.split('/')[0] as string)) throw new Error(`APPWARDEN_TRUST_PROXY must list addresses, not ${one}`)
  const loopback = host === 'localhost' || host === '::1' || /^127\./.test(host)
  const priv = loopback && trustProxy.length === 0
  const captchaFixed = env['APPWARDEN_CAPTCHA_FIXED'] || undefined
  if (captchaFixed && !priv)
    throw new Error('APPWARDEN_CAPTCHA_FIXED is refused unless HOST is loopback and APPWARDEN_TRUST_PROXY is empty')
  const roles = env['APPWARDEN_ROLES'] ? list(env['APPWARDEN_ROLES']) : [...ROLES]
  for (const role of roles)
    if (!(ROLES as readonly string[]).includes(role))
      throw new Error(`APPWARDEN_ROLES knows ${ROLES.join(', ')}, not ${role}`)
  const [cert, key] = [env['APPWARDEN_TLS_CERT'], env['APPWARDEN_TLS_KEY']]
  if (!cert !== !key) throw new Error('APPWARDEN_TLS_CERT and APPWARDEN_TLS_KEY belong together')
  const licenceKeys = list(env['APPWARDEN_LICENCE_KEYS'])
  for (const key of licenceKeys)
    if (!/^04[0-9a-f]{128}$/i.test(key))
      throw new Error('APPWARDEN_LICENCE_KEYS must list public SM2 keys: 130 hexadecimal digits that begin with 04')
  const updateLimitSeconds = Number(env['APPWARDEN_UPDATE_LIMIT'] ?? 600)
  if (!Number.isInteger(updateLimitSeconds) || updateLimitSeconds < 10 || updateLimitSeconds > 86_400)
    throw new Error('APPWARDEN_UPDATE_LIMIT must be 10 to 86400 seconds')
  const copyGigabytes = Number(env['APPWARDEN_COPY_SPACE'] ?? 50)
  if (!Number.isInteger(copyGigabytes) || copyGigabytes < 1 || copyGigabytes > 100_000)
    throw new Error('APPWARDEN_COPY_SPACE must be 1 to 100000 GiB')
  const simulatedPhone = env['APPWARDEN_DEMO'] === '1' && !env['ADB_SERVER_SOCKET']
  const firstMarket = DEMO_MARKETS.first + (port % 1000) * DEMO_MARKETS.count
  const hasMarkets = env['APPWARDEN_DEMO'] === '1' && !env['APPWARDEN_MARKET_ORIGINS']
  const demoMarkets = hasMarkets ? Array.from({ length: DEMO_MARKETS.count }, (_, at) => firstMarket + at) : []
  const dataFolder = resolve(env['APPWARDEN_DATA'] ?? 'data')
  return {
    port,
    host,
    loopback,
    private: priv,
    dataFolder,
    home: env['APPWARDEN_HOME'] || undefined,
    updateLimitSeconds,
    adminEmail: env['APPWARDEN_ADMIN_EMAIL'] ?? 'admin@appwarden.local',
    adminPassword: env['APPWARDEN_ADMIN_PASSWORD'] || undefined,
    captchaFixed,
    tls: cert && key ? { cert, key } : undefined,
    trustProxy,
    roles: roles as Role[],
    databaseUrl: env['DATABASE_URL'] || undefined,
    demo: env['APPWARDEN_DEMO'] === '1',
    licenceKeys,
    smtpUrl: env['APPWARDEN_SMTP_URL'] || undefined,
    marketOrigins: [
      ...originsOf(env['APPWARDEN_MARKET_ORIGINS']),
      ...demoMarkets.map((one) => `http://127.0.0.1:${one}`),
    ],
    demoMarkets,
    marketProxy: proxyOf(env['APPWARDEN_MARKET_PROXY']),
    copyBytes: copyGigabytes * 2 ** 30,
    adb: adbAddress(
      env['ADB_SERVER_SOCKET'] ?? (simulatedPhone ? `tcp:127.0.0.1:${DEMO_ADB + (port % 1000)}` : undefined),
    ),
    simulatedPhone,
    version,
    paths: {
      postgres: join(dataFolder, 'postgres'),
      journal: join(dataFolder, 'journal'),
      events: join(dataFolder, 'events'),
      files: join(dataFolder, 'files'),
      uploads: join(dataFolder, 'uploads'),
      updates: join(dataFolder, 'updates'),
      keys: join(dataFolder, 'keys'),
      erasureLedger: resolve(env['APPWARDEN_ERASURE_LEDGER'] ?? join(dataFolder, 'erasures.jsonl')),
      auditCheckpoints: join(dataFolder, 'audit-checkpoints.jsonl'),
      storeSocket: join(dataFolder, 'run', 'store.sock'),
      journalSocket: join(dataFolder, 'run', 'journal.sock'),
      adminSocket: join(dataFolder, 'run', 'admin.sock'),
      collectorSocket: join(dataFolder, 'run', 'collector.sock'),
      consoleSocket: join(dataFolder, 'run', 'console.sock'),
      relaySocket: join(dataFolder, 'run', 'relay.sock'),
      logs: join(dataFolder, 'logs'),
      web: env['APPWARDEN_WEB'] ?? resolve('dist/web'),
      sdk: env['APPWARDEN_SDK'] ?? resolve('dist/sdk'),
    },
  }
}

/** As adb itself reads it: `tcp:port` or `tcp:host:port`. */
function adbAddress(text = 'tcp:127.0.0.1:5037'): Config['adb'] {
  const match = /^tcp:(?:(.+):)?(\d{1,5})$/.exec(text)
  const port = Number(match?.[2])
  if (!match || port < 1 || port > 65_535) throw new Error(`ADB_SERVER_SOCKET must be tcp:host:port, not ${text}`)
  return { host: match[1] ?? '127.0.0.1', port }
}

function list(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)
}

function originsOf(value: string | undefined): string[] {
  const origins = list(value)
  for (const one of origins)
    if (!URL.canParse(one) || new URL(one).origin !== one)
      throw new Error(`APPWARDEN_MARKET_ORIGINS must list origins like http://127.0.0.1:8901, not ${one}`)
  return origins
}

function proxyOf(value: string | undefined): string {
  if (!value) return ''
  if (!URL.canParse(value) || new URL(value).protocol !== 'http:')
    throw new Error(`APPWARDEN_MARKET_PROXY must be an address like http://proxy:3128, not ${value}`)
  return new URL(value).origin
}
