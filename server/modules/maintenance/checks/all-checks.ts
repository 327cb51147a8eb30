import { AUDIT_CHECKS } from './audit-checks.ts'
import type { Check } from './check.ts'
import { DATABASE_CHECKS } from './database-checks.ts'
import { EVENT_STORE_CHECKS } from './event-store-checks.ts'
import { FILE_CHECKS } from './file-checks.ts'
import { JOURNAL_CHECKS } from './journal-checks.ts'

/** Everything that detection and repair looks at, in the order in which it is done: stores before what they name. */
export const ALL_CHECKS: readonly Check[] = [
  ...EVENT_STORE_CHECKS,
  ...JOURNAL_CHECKS,
  ...FILE_CHECKS,
  ...DATABASE_CHECKS,
  ...AUDIT_CHECKS,
]
