import {
  AUDIT_RESULTS,
  type AuditFilters,
  NETWORK_KINDS,
  NETWORK_RESULTS,
  type NetworkFilters,
} from '#contracts/http/audit-log.ts'
import { isRangeText } from '#domain/time-range.ts'

/** What the address of the page says: the open tab, the range, the filters of the tab, the open entry. */

export const LOG_TABS = ['audit', 'network', 'outputs'] as const
export type LogTab = (typeof LOG_TABS)[number]
export const DEFAULT_RANGE = '-7d'
export const AUDIT_PARAMS = ['find', 'account', 'action', 'result'] as const
export const NETWORK_PARAMS = ['find', 'kind', 'account', 'address', 'result'] as const

export function readTab(params: URLSearchParams): LogTab {
  return LOG_TABS.find((one) => one === params.get('tab')) ?? 'audit'
}

export function readRange(params: URLSearchParams): string {
  const range = params.get('range')
  return range !== null && isRangeText(range) ? range : DEFAULT_RANGE
}

/** Id of the entry that the address opens; null for none. */
export function readEntry(params: URLSearchParams): number | null {
  const id = Number(params.get('entry') ?? Number.NaN)
  return Number.isSafeInteger(id) && id > 0 ? id : null
}

/** `length` is what the endpoint takes. */
const text = (params: URLSearchParams, name: string, length: number) => (params.get(name) ?? '').slice(0, length)

type Times = { from?: number; to?: number }

export function readAuditFilters(params: URLSearchParams, times: Times): AuditFilters {
  return given({
    search: text(params, 'find', 100),
    account: text(params, 'account', 200),
    action: text(params, 'action', 100),
    result: AUDIT_RESULTS.find((one) => one === params.get('result')),
    ...times,
  })
}

export function readNetworkFilters(params: URLSearchParams, times: Times): NetworkFilters {
  return given({
    search: text(params, 'find', 100),
    kind: NETWORK_KINDS.find((one) => one === params.get('kind')),
    account: text(params, 'account', 200),
    address: text(params, 'address', 64),
    result: NETWORK_RESULTS.find((one) => one === params.get('result')),
    ...times,
  })
}

/** Without what is not set. */
function given<T extends object>(filters: T): T {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined && value !== '')) as T
}
