import { ProductError } from '#contracts/errors.ts'
import { PERMISSION_ITEMS } from '#contracts/permissions.ts'
import type { EventRow, Filter, Part } from '#domain/query.ts'
import { truncateAddress } from '#domain/truncate-address.ts'
import type { Caller } from '../http/module.ts'

/** Whether the caller may read personal data in full: never on a wall (decision 9). */
export function mayReveal(caller: Pick<Caller, 'kind' | 'auth'>): boolean {
  return caller.kind !== 'display' && caller.auth.includes('personal.reveal')
}

/** Refuses a question that would tell full addresses to someone who may not read them: by grouping, by filter, or by sorting them out. */
export function refuseAddress(
  caller: Pick<Caller, 'kind' | 'auth' | 'language'>,
  filters: readonly Filter[],
  part?: Part,
): void {
  if (mayReveal(caller)) return
  const asked = [...filters, ...(part?.and ?? [])].some((filter) => filter.field === 'address')
  const grouped = part !== undefined && 'by' in part && part.by === 'address'
  if (asked || grouped)
    throw new ProductError('permission.missing', { permission: PERMISSION_ITEMS['personal.reveal'][caller.language] })
}

export function redactRow(row: EventRow): EventRow {
  return { ...row, address: truncateAddress(row.address) }
}

const CLIENT_ADDRESS = /("client_ip"\s*:\s*)("(?:[^"\\]|\\.)*(?:"|$)|[^,}\]"]+)/g

/** An event as it was sent (device and user already hashed), without the client's address; the text may be cut anywhere. */
export function redactRaw(raw: string): string {
  return raw.replace(CLIENT_ADDRESS, '$1"***"')
}
