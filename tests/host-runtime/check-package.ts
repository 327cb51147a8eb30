import { readPackage } from '#engines/package/read-package.ts'
import { assembleSmali } from './assemble-smali.ts'
import type { Rewrite } from './rewrites.ts'
import { stubSuperclasses } from './stub-superclasses.ts'
import { type HostVerification, verifyOnHost } from './verify-on-host.ts'

/**
 * Verifies the code of an APK below stubs of Android, before and after each rewrite. Returns what is worse afterwards, a line each: a file
 * that is refused, a class that is missing or not linked, a hard failure, and a class with a worse kind of failure than before.
 */
export async function checkPackage(
  bytes: Uint8Array,
  name: string,
  rewrites: readonly Rewrite[],
  stubsOf: Parameters<typeof stubSuperclasses>[1] = {},
): Promise<string[]> {
  const read = readPackage(bytes, name)
  if (read.kind !== 'apk') return [`not an APK: ${read.kind}`]
  const code = read.code.map((one) => one.bytes)
  if (!code.length) return []
  const stubs = stubSuperclasses(code, stubsOf)
  const stubFiles = stubs.length ? [assembleSmali(stubs)] : []
  const before = await verifyOnHost([...code, ...stubFiles])
  if (before.refused) return [`as it is: ${before.refused}`]
  const problems: string[] = []
  for (const { name: rewrite, rewrite: apply } of rewrites) {
    const after = await verifyOnHost([...apply(code), ...stubFiles])
    problems.push(...differences(before, after).map((one) => `${rewrite}: ${one}`))
  }
  return problems
}

function differences(before: HostVerification, after: HostVerification): string[] {
  if (after.refused) return [after.refused]
  const hardBefore = new Set(before.hard.map(({ method }) => method))
  const ranksBefore = ranksOf(before)
  return [
    ...(after.classes < before.classes ? [`${before.classes - after.classes} classes less`] : []),
    ...after.hard.filter(({ method }) => !hardBefore.has(method)).map((one) => `hard: ${one.method}: ${one.message}`),
    ...[...ranksOf(after)]
      .filter(([name, rank]) => rank > (ranksBefore.get(name) ?? 0))
      .map(([name, rank]) => `${RANKS[rank]}: ${name}`),
  ]
}

const RANKS = ['sound', 'access', 'soft', 'hard', 'unlinked']

/** How badly classes fail, as a place in RANKS. */
function ranksOf({ hard, soft, access, unlinked }: HostVerification): Map<string, number> {
  return new Map([
    ...access.map((name) => [name, 1] as const),
    ...soft.map((name) => [name, 2] as const),
    ...hard.map((one) => [one.class, 3] as const),
    ...unlinked.map((one) => [one.class, 4] as const),
  ])
}
