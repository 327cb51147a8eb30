import { X509Certificate } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname, networkInterfaces } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { selfSigned } from './self-signed.ts'

const DAYS = 825

/** Whether the public port speaks TLS: always but on loopback without an operator's certificate. */
export function isTlsServed(config: Config): boolean {
  return config.tls !== undefined || !config.loopback
}

/**
 * The certificate that the server listens with: the operator's own files; on loopback none; else one made at first start for this
 * machine's names and addresses, kept in the data folder.
 */
export async function certificateFor(config: Config, now: number): Promise<{ cert: string; key: string } | undefined> {
  if (config.tls) return { cert: readFileSync(config.tls.cert, 'utf8'), key: readFileSync(config.tls.key, 'utf8') }
  if (config.loopback) return undefined
  const [cert, key] = [join(config.paths.keys, 'server.crt'), join(config.paths.keys, 'server.key')]
  if (!existsSync(key) || !isCertificate(cert)) {
    const made = await selfSigned(namesOf(config.host), DAYS, now)
    mkdirSync(config.paths.keys, { recursive: true, mode: 0o700 })
    writeFileSync(key, made.key, { mode: 0o600 })
    writeFileSync(cert, made.cert)
  }
  return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
}

/** One in 230 that older versions made has a number that no TLS library takes: it is made again. */
function isCertificate(file: string): boolean {
  if (!existsSync(file)) return false
  try {
    return new X509Certificate(readFileSync(file)).serialNumber !== ''
  } catch {
    return false // made again
  }
}

function namesOf(host: string): string[] {
  const wildcard = host === '0.0.0.0' || host === '::'
  const addresses = Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).map((one) => one.address.split('%')[0] as string),
  )
  return [...new Set([hostname(), 'localhost', ...(wildcard ? addresses : [host])])].slice(0, 40)
}
