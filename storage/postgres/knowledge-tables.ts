import type { Generated } from 'kysely'
import type { EntryState, StoredOrigin } from '#contracts/http/vulnerabilities.ts'

/** Tables of the vulnerability library. */
export type KnowledgeTables = {
  /** `entry` is a Vulnerability of engines/vulnlib. */
  vulnerabilities: {
    number: string
    entry: unknown
    by_user: number | null
    added_at: number
    origin: Generated<StoredOrigin>
    state: Generated<EntryState>
    reviewed_by: number | null
    reviewed_at: number | null
  }
  /** Names of the products of an entry's ranges, as productKey of engines/vulnlib writes them. */
  vulnerability_products: { number: string; product: string }
}
