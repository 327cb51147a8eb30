import { type ErrorKey, errorText, type Language, ProductError } from '#contracts/errors.ts'
import {
  CUSTOMER_TYPES,
  type CustomerType,
  IMPORT_COLUMNS,
  IMPORT_LIMITS,
  type ImportError,
} from '#contracts/http/users.ts'
import { readCsv } from '../../platform/tables/read-csv.ts'
import { checkNewUser } from './create-user.ts'

export type ImportedUser = {
  line: number
  username: string
  role: string
  customer_type: CustomerType
  application_quota: number | null
  expires_at: number | null
  remarks: string
}
type Column = (typeof IMPORT_COLUMNS)[number]
type Role = { key: string; zh: string; en: string; grantable: boolean }

/**
 * Accounts of an import file. Every problem is named with line and column, none stops the others from being found. Roles and customer types
 * are accepted by key or by name in either language; `expires` is a date (YYYY-MM-DD), valid to its end in the given zone offset.
 */
export function readImport(
  csv: string,
  roles: readonly Role[],
  language: Language,
  /** Epoch milliseconds of the end of a day in the platform's zone, or undefined for no such date. */
  endOfDay: (date: string) => number | undefined,
): { users: ImportedUser[]; errors: ImportError[] } {
  const [header, ...records] = readCsv(csv)
  const errors: ImportError[] = []
  const refuse = (line: number, column: string, key: ErrorKey, detail = '') =>
    void errors.push({ line, column, text: errorText(key, language, { detail }) })
  const columns = header?.cells.map((name) => name.trim().toLowerCase()) ?? []
  const missing = ['username', 'role'].filter((name) => !columns.includes(name))
  const unknown = columns.filter((name) => !IMPORT_COLUMNS.includes(name as Column))
  for (const name of missing) refuse(1, name, 'user.import_column_missing', name)
  for (const name of unknown) refuse(1, name, 'user.import_column_unknown', name)
  if (missing.length || unknown.length) return { users: [], errors }
  if (records.length === 0) refuse(1, '', 'user.information_missing')
  if (records.length > IMPORT_LIMITS.lines) {
    refuse(1, '', 'quota.reached', String(IMPORT_LIMITS.lines))
    return { users: [], errors }
  }
  const users: ImportedUser[] = []
  const seen = new Set<string>()
  for (const { line, cells } of records) {
    const cell = (name: Column) => (cells[columns.indexOf(name)] ?? '').trim()
    const before = errors.length
    const username = cell('username')
    try {
      checkNewUser({ username, password: '' })
    } catch (error) {
      if (!(error instanceof ProductError)) throw error
      refuse(line, 'username', error.key)
    }
    if (seen.has(username.toLowerCase())) refuse(line, 'username', 'user.name_exists')
    seen.add(username.toLowerCase())
    const role = roles.find(({ key, zh, en }) => [key, zh, en].some((name) => same(name, cell('role'))))
    if (!role) refuse(line, 'role', 'user.role_unknown', cell('role'))
    else if (!role.grantable) refuse(line, 'role', 'user.role_not_grantable')
    const type = Object.entries(CUSTOMER_TYPES).find(([key, { zh, en }]) =>
      [key, zh, en].some((name) => same(name, cell('customer_type'))),
    )
    if (!type && cell('customer_type')) refuse(line, 'customer_type', 'input.invalid', cell('customer_type'))
    const quota = cell('application_quota')
    if (quota && !/^\d{1,5}$/.test(quota)) refuse(line, 'application_quota', 'input.invalid', quota)
    const date = cell('expires')
    const expires = date ? endOfDay(date) : null
    if (expires === undefined) refuse(line, 'expires', 'input.invalid', date)
    if (cell('remarks').length > 500) refuse(line, 'remarks', 'input.invalid', '> 500')
    if (errors.length === before && role)
      users.push({
        line,
        username,
        role: role.key,
        customer_type: (type?.[0] ?? 'standard') as CustomerType,
        application_quota: quota ? Number(quota) : null,
        expires_at: expires ?? null,
        remarks: cell('remarks'),
      })
  }
  return { users, errors }
}

function same(name: string, given: string): boolean {
  return name.toLowerCase() === given.toLowerCase()
}
