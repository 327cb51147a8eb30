type Result = { id: string; package_id: string; version: string; created_at: number }

/**
 * Neighbouring versions of each package, newest first: of each version its newest result, with that of the version that was detected
 * before it. A package that was detected in one version only makes no pair.
 */
export function pairsOf<T extends Result>(results: readonly T[]): { before: T; after: T }[] {
  const newestFirst = [...results].sort((a, b) => b.created_at - a.created_at)
  const byPackage = new Map<string, T[]>()
  for (const one of newestFirst) {
    const versions = byPackage.get(one.package_id) ?? []
    if (!versions.some(({ version }) => version === one.version)) versions.push(one)
    byPackage.set(one.package_id, versions)
  }
  const pairs = [...byPackage.values()].flatMap((versions) =>
    versions.slice(1).map((before, index) => ({ before, after: versions[index] as T })),
  )
  return pairs.sort((a, b) => b.after.created_at - a.after.created_at)
}
