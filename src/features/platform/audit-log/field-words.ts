import type { AuditChange } from '#contracts/audit-change.ts'
import { CUSTOMER_TYPES } from '#contracts/http/users.ts'
import { BUILT_IN_ROLES, PERMISSION_ITEMS } from '#contracts/permissions.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import type { Language } from '#src/shared/i18n/texts.ts'

type Pair = { readonly zh: string; readonly en: string }

/** Names of fields that changes record; others show as they are called in the entry. */
const FIELDS: Readonly<Record<string, Pair>> = {
  role: { zh: '角色', en: 'Role' },
  customer_type: { zh: '客户类型', en: 'Customer type' },
  application_quota: { zh: '可建应用数', en: 'Application quota' },
  expires_at: { zh: '授权到期', en: 'Authorization expiry' },
  remarks: { zh: '备注', en: 'Remarks' },
  disabled: { zh: '停用', en: 'Disabled' },
  invite: { zh: '发出邀请', en: 'Invitation' },
  password: { zh: '密码', en: 'Password' },
  name: { zh: '名称', en: 'Name' },
  administrator: { zh: '管理全部应用', en: 'Sees every application' },
  auth: { zh: '权限', en: 'Permissions' },
  kind: { zh: '类型', en: 'Kind' },
  target: { zh: '目标', en: 'Target' },
  has_ca: { zh: '自有 CA 证书', en: 'Own CA certificate' },
  enabled: { zh: '启用', en: 'Enabled' },
}

/** Words of values that stand for something, by field. */
const VALUES: Readonly<Record<string, Readonly<Record<string, Pair>>>> = {
  role: Object.fromEntries(BUILT_IN_ROLES.map((role) => [role.key, role])),
  customer_type: CUSTOMER_TYPES,
  auth: PERMISSION_ITEMS,
}

export function fieldName(field: string, language: Language): string {
  return Object.hasOwn(FIELDS, field) ? (FIELDS[field] as Pair)[language] : field
}

export type ValueWords = { language: Language; zone: string; nothing: string; yes: string; no: string }
export type ChangeLine = { sign: '-' | '+'; text: string }

/**
 * What changed in a field, line by line: the removed and the added elements of a list, of another value the one before and the one after.
 * Empty for a secret, whose values are not recorded.
 */
export function changeLines({ field, before, after, secret }: AuditChange, words: ValueWords): ChangeLine[] {
  if (secret) return []
  const lines = (sign: '-' | '+', values: readonly unknown[]) =>
    values.map((value) => ({ sign, text: valueText(field, value, words) }))
  if (Array.isArray(before) && Array.isArray(after)) {
    const without = (list: readonly unknown[], other: readonly unknown[]) => {
      const known = new Set(other.map((one) => JSON.stringify(one)))
      return list.filter((one) => !known.has(JSON.stringify(one)))
    }
    const moved = [...lines('-', without(before, after)), ...lines('+', without(after, before))]
    if (moved.length > 0) return moved
  }
  return [...lines('-', [before]), ...lines('+', [after])]
}

function valueText(field: string, value: unknown, words: ValueWords): string {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return words.nothing
  if (typeof value === 'boolean') return value ? words.yes : words.no
  if (typeof value === 'number' && field.endsWith('_at')) return formatDateTime(value, words.zone)
  if (Array.isArray(value))
    return value.map((one) => valueText(field, one, words)).join(words.language === 'zh' ? '、' : ', ')
  if (typeof value !== 'string') return JSON.stringify(value)
  const known = VALUES[field]
  return known && Object.hasOwn(known, value) ? (known[value] as Pair)[words.language] : value
}
