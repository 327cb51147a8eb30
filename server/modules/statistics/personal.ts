import { ProductError } from '#contracts/errors.ts'
import { PERMISSION_ITEMS } from '#contracts/permissions.ts'
import type { EventRow, Filter, Part } from '#contracts/query.ts'
import type { Caller } from '../../http/module.ts'

/** Whether the caller may read personal data in full: never on a wall (decision 9). */
export function mayReveal(caller: Pick<Caller, 'kind' | 'auth'>): boolean {
  return caller.kind !== 'display' && caller.auth.includes('personal.reveal')
}

/** Refuses a question that would tell full addresses to someone who may not read them: by grouping, by filter, or by sorting them out. */
export function refuseAddress(caller: Caller, filters: readonly Filter[], part?: Part): void {
  if (mayReveal(caller)) return
  const asked = [...filters, ...(part?.and ?? [])].some((filter) => filter.field === 'address')
  const grouped = part !== undefined && 'by' in part && part.by === 'address'
  if (asked || grouped)
    throw new ProductError('permission.missing', { permission: PERMISSION_ITEMS['personal.reveal'][caller.language] })
}

/** The network of an address: /24 of IPv4, /48 of IPv6; what is not an address is dropped. */
export function truncateAddress(address: string): string {
  if (address === '' || address.includes('/')) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address
  const v4 = /^(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}$/.exec(mapped)
  if (v4) return `${v4[1]}.0/24`
  if (!/^[0-9a-f:.]+$/i.test(mapped) || !mapped.includes(':')) return ''
  const [head = '', tail] = mapped.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail ? tail.split(':') : []
  const filled =
    tail === undefined ? left : [...left, ...Array(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
  return `${filled
    .slice(0, 3)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/48`
}

export function redactRow(row: EventRow): EventRow {
  return { ...row, address: truncateAddress(row.address) }
}

const CLIENT_ADDRESS = /("client_ip"\s*:\s*)("(?:[^"\\]|\\.)*(?:"|$)|[^,}\]"]+)/g

/** An event as it was sent (device and user already hashed), without the client's address; the text may be cut anywhere. */
export function redactRaw(raw: string): string {
  return raw.replace(CLIENT_ADDRESS, '$1"***"')
}
