import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { MAC } from '#engines/licence/licence-code.ts'

/** Digits and letters of Crockford's base 32: none that is mistaken for another. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const NOTHING = '00:00:00:00:00:00'
/** Made by software, with another address at each start. */
const SOFTWARE = /^(docker|veth|br-|virbr|cni|flannel|cali|tun|tap|wg|ifb|dummy)/
const MOST = 32

/**
 * MAC addresses of this machine's network hardware, sorted: adapters that have a device (Linux lists them also while the cable is out);
 * without such an adapter (in a container), those of the interfaces that are up and not made by software.
 */
export function readMacs(folder = '/sys/class/net'): string[] {
  const hardware = existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => existsSync(join(folder, name, 'device')))
        .map((name) => addressOf(join(folder, name, 'address')))
    : []
  const found = clean(hardware)
  if (found.length > 0) return found
  const up = Object.entries(networkInterfaces()).filter(([name]) => !SOFTWARE.test(name))
  return clean(up.flatMap(([, addresses]) => (addresses ?? []).filter((one) => !one.internal).map(({ mac }) => mac)))
}

/**
 * The product code of an installation, `AW-XXXX-XXXX-XXXX-XXXX`: 80 bits derived from its master secret. It stays with the data when they
 * are restored on another machine.
 */
export function productCodeOf(secret: (name: string) => Buffer): string {
  const bits = [...secret('licence.product-code').subarray(0, 10)]
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
  const letters = (bits.match(/.{5}/g) as string[]).map((five) => ALPHABET[Number.parseInt(five, 2)]).join('')
  return `AW-${(letters.match(/.{4}/g) as string[]).join('-')}`
}

function addressOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // the adapter was taken out just now
  }
}

function clean(addresses: readonly string[]): string[] {
  const valid = addresses.map((one) => one.trim().toLowerCase()).filter((one) => MAC.test(one) && one !== NOTHING)
  return [...new Set(valid)].sort().slice(0, MOST)
}
