import { isDeepStrictEqual } from 'node:util'
import type { AuditChange } from '#contracts/audit-change.ts'

/** Of one value as JSON, in code units; longer ones are cut, so that no entry grows without bound. */
const LONGEST = 2000
const MOST_FIELDS = 100

/**
 * The fields of `after` whose value differs from that of `before`; a field that either side lacks is null there. `before` undefined: the
 * object is new; `after` null: it is gone. `secret` names fields whose values are not recorded.
 */
export function changesBetween(
  before: object | undefined,
  after: object | null,
  options: { secret?: readonly string[]; skip?: readonly string[] } = {},
): AuditChange[] {
  const old = (before ?? {}) as Record<string, unknown>
  const next = (after ?? {}) as Record<string, unknown>
  const fields = Object.keys(after ?? old).filter((field) => !options.skip?.includes(field))
  const changed = fields.filter((field) => !isDeepStrictEqual(plain(old[field]), plain(next[field])))
  return changed
    .slice(0, MOST_FIELDS)
    .map((field) =>
      options.secret?.includes(field)
        ? { field, before: null, after: null, secret: true }
        : { field, before: bounded(old[field]), after: bounded(next[field]) },
    )
}

function plain(value: unknown): unknown {
  return value === undefined ? null : JSON.parse(JSON.stringify(value))
}

/** The value itself, or the beginning of its JSON where that is too long. */
function bounded(value: unknown): unknown {
  const given = plain(value)
  const text = typeof given === 'string' ? given : JSON.stringify(given)
  return text.length <= LONGEST ? given : `${text.slice(0, LONGEST)}…`
}
