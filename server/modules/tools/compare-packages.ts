import type { InspectedPackage, PackageComparison } from '#contracts/http/tools.ts'
import { TOOL_LIMITS } from '#contracts/tool-limits.ts'
import { type Changes, changesOf } from '#engines/detect/result/compare-results.ts'
import { changedLines } from './changed-lines.ts'

/** Lines of a manifest that are compared. */
const MOST_LINES = 20_000

/** What changed from one package to another; which rows are the same one is decided as in the comparison of detections. */
export function comparePackages(before: InspectedPackage, after: InspectedPackage): PackageComparison {
  const entries = changesOf(
    before.entries,
    after.entries,
    ({ name }) => name,
    // Packed again is not changed: size and checksum say whether the content is the same.
    ({ name, size, crc32 }) => ({ name, size, crc32, packed: 0, method: 0 }),
  )
  const [old, now] = [byName(before), byName(after)]
  const signers = ({ facts }: InspectedPackage) => facts.certificates.map(({ sha256 }) => sha256).sort()
  const unchanged = now.size - entries.added.length - entries.changed.length
  return {
    before: side(before),
    after: side(after),
    same_package: before.package_name === after.package_name && before.platform === after.platform,
    same_signer: signers(after).length > 0 && signers(before).join() === signers(after).join(),
    identity: identityChanges(before, after),
    permissions: cut(changesOf(before.facts.permissions, after.facts.permissions, ({ name }) => name, whole)),
    components: cut(
      changesOf(before.facts.components, after.facts.components, ({ kind, name }) => `${kind} ${name}`, whole),
    ),
    certificates: cut(changesOf(before.facts.certificates, after.facts.certificates, ({ sha256 }) => sha256, whole)),
    entries: {
      ...cut({
        added: entries.added.map(({ name }) => now.get(name)!).sort(larger),
        removed: entries.removed.map(({ name }) => old.get(name)!).sort(larger),
        changed: entries.changed
          .map(({ after: { name } }) => ({ before: old.get(name)!, after: now.get(name)! }))
          .sort((a, b) => Math.abs(b.after.size - b.before.size) - Math.abs(a.after.size - a.before.size)),
      }),
      unchanged,
    },
    manifest: manifestChanges(before.manifest, after.manifest),
  }
}

const whole = <T>(one: T): T => one
const larger = (a: { size: number }, b: { size: number }) => b.size - a.size

function byName({ entries }: InspectedPackage): Map<string, InspectedPackage['entries'][number]> {
  return new Map(entries.map((one) => [one.name, one]))
}

function side(one: InspectedPackage): PackageComparison['before'] {
  const { file, kind, name, version, version_code, package_name, signature } = one
  return { file, kind, name, version, version_code, package_name, signature }
}

function cut<T>({ added, removed, changed }: Changes<T>) {
  const most = TOOL_LIMITS.changes
  return {
    added: added.slice(0, most),
    removed: removed.slice(0, most),
    changed: changed.slice(0, most),
    total: added.length + removed.length + changed.length,
  }
}

function identityChanges(before: InspectedPackage, after: InspectedPackage): PackageComparison['identity'] {
  const rows = (one: InspectedPackage): Map<string, string> =>
    new Map([
      ['name', one.name],
      ['package', one.package_name],
      ['version', one.version],
      ['version_code', one.version_code],
      ['kind', one.kind],
      ['size', String(one.file.size)],
      ['sha256', one.file.sha256],
      ['signature', one.signature],
      ['packer', one.packer],
      ...one.facts.identity.map(({ key, value }): [string, string] => [key, value]),
      ['abis', one.facts.abis.join(', ')],
      ['dex_files', String(one.facts.dex_files)],
      ['entries', String(one.entry_total)],
    ])
  const [old, now] = [rows(before), rows(after)]
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((field) => ({ field, before: old.get(field) ?? '', after: now.get(field) ?? '' }))
    .filter((one) => one.before !== one.after)
}

function manifestChanges(
  before: InspectedPackage['manifest'],
  after: InspectedPackage['manifest'],
): PackageComparison['manifest'] {
  if (!before || !after) return null
  const linesOf = ({ text }: { text: string }) => text.split(/\r?\n/, MOST_LINES)
  const { lines, cut: more } = changedLines(linesOf(before), linesOf(after), TOOL_LIMITS.changes)
  return { lines, cut: more || before.cut || after.cut }
}
