type Chain = { readonly info: string; readonly owner: string | null }
type Collected = { readonly info: string; readonly owners: readonly { owner: string | null; chains: number }[] }

/** Kinds of personal data by how many chains collect them, each with who does: own code (null) first, then SDKs by their chains. */
export function collectedBy(checks: readonly { readonly chains: readonly Chain[] }[]): Collected[] {
  const infos = new Map<string, Map<string | null, number>>()
  for (const { info, owner } of checks.flatMap((check) => check.chains)) {
    // Chains of checks that ask about something else collect nothing.
    if (info === '') continue
    const owners = infos.get(info) ?? new Map<string | null, number>()
    owners.set(owner, (owners.get(owner) ?? 0) + 1)
    infos.set(info, owners)
  }
  const total = (one: Collected) => one.owners.reduce((sum, { chains }) => sum + chains, 0)
  return [...infos]
    .map(([info, owners]) => ({
      info,
      owners: [...owners]
        .map(([owner, chains]) => ({ owner, chains }))
        .sort((a, b) => Number(a.owner !== null) - Number(b.owner !== null) || b.chains - a.chains),
    }))
    .sort((a, b) => total(b) - total(a) || (a.info < b.info ? -1 : 1))
}
