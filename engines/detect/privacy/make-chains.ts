import type { Program } from '../../dex/program.ts'
import { codeEvidence } from '../evidence/code-evidence.ts'
import { locationOfCode } from '../evidence/locations.ts'
import type { Access } from '../permissions/collecting-apis.ts'
import { ownerName } from '../result/owner-name.ts'
import type { Chain } from './privacy-context.ts'
import type { Reach } from './reach.ts'

const MOST = 60

/** The shortest way to each kind of information for each owner; own code first, then by owner and information. */
export function makeChains(program: Program, reach: Reach, accesses: readonly Access[]): readonly Chain[] {
  const best = new Map<string, { access: Access; way: ReturnType<Reach['wayTo']> & object }>()
  for (const access of accesses) {
    const way = reach.wayTo(access.codeLocation)
    if (!way) continue
    const key = `${access.info} ${ownerName(access.owner) ?? ''}`
    const before = best.get(key)
    if (!before || way.length < before.way.length) best.set(key, { access, way })
  }
  const order = ({ access }: { access: Access }) => `${ownerName(access.owner) ?? ''} ${access.info}`
  return [...best.values()]
    .sort((one, other) => (order(one) < order(other) ? -1 : 1))
    .slice(0, MOST)
    .map(({ access, way }) => ({
      info: access.info,
      owner: ownerName(access.owner),
      steps: [...way.map(locationOfCode), codeEvidence(program, access.codeLocation)],
    }))
}

/** Where information is taken, without the way to it: one location for each kind and owner. */
export function accessLocations(program: Program, accesses: readonly Access[]): readonly Chain[] {
  const seen = new Set<string>()
  return accesses.flatMap(({ info, owner, codeLocation }) => {
    const key = `${info} ${ownerName(owner)}`
    if (seen.has(key) || seen.size >= MOST) return []
    seen.add(key)
    return [{ info, owner: ownerName(owner), steps: [codeEvidence(program, codeLocation)] }]
  })
}
