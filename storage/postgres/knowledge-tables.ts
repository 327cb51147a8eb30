/** Tables of the vulnerability library. */
export type KnowledgeTables = {
  /** `entry` is a Vulnerability of engines/vulnlib. */
  vulnerabilities: { number: string; entry: unknown; by_user: number | null; added_at: number }
}
