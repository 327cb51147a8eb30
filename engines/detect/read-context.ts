import { FormatError } from '../bytes/format-error.ts'
import type { Program } from '../dex/program.ts'
import { type CodeEntry, readProgram } from '../dex/read-program.ts'
import { readJvmProgram } from '../jvm/read-jvm-program.ts'
import type { Package, PackageFile } from '../package/package.ts'
import { packageSignature } from '../package/package-signature.ts'
import { findDependencies } from './dependencies/find-dependencies.ts'
import { isConfigurationSplit } from './input/configuration-split.ts'
import type { ScanChoices, ScanStage } from './input/scan-choices.ts'
import { type Inspection, inspectAndroid } from './inspect-android.ts'
import { signerCertificates } from './package-summary.ts'
import { type Access, findAccesses } from './permissions/collecting-apis.ts'
import { judgePermissions } from './permissions/judge-permissions.ts'
import { findPermissionUses } from './permissions/permission-uses.ts'
import { readNatives } from './read-natives.ts'
import { gatherTexts } from './rules/package-texts.ts'
import type { RuleContext } from './rules/rule-context.ts'
import { findSdks } from './sdks/find-sdks.ts'

/** Above any Android version: what a library is taken to run on. */
const ANY_SDK = 10_000

export interface ReadContext {
  readonly rules: RuleContext
  readonly inspection: Inspection
}

/** Reads all that rules ask of an Android package or library: signature, code, native libraries, texts, SDKs, permissions. */
export function readContext(
  source: Package,
  choices: ScanChoices,
  step: (stage: ScanStage, share: number) => void,
): ReadContext {
  step('manifest', 0)
  const signature = packageSignature(source)
  const { apk: signing } = signature
  step('code', 0)
  const program = source.code.length ? readCode(source) : null
  step('code', 0.8)
  const inspection = inspectAndroid(source, program)
  const { inspected, ownership } = inspection
  step('native', 0)
  const natives = readNatives(source, (share) => step('native', share))
  const uses = findPermissionUses(inspected)
  const level = (fact: { readonly value: string } | null, absent: number) =>
    !fact ? absent : /^\d+$/.test(fact.value) ? Number(fact.value) : ANY_SDK
  const sdks = findSdks(inspected, uses, inspection.signs)
  const { facts } = inspected
  let accesses: readonly Access[] | undefined
  const rules: RuleContext = {
    ...inspected,
    manifest: 'manifest' in source && source.platform === 'android' ? source.manifest.root : null,
    minSdk: facts ? level(facts.minSdk, isConfigurationSplit(facts) ? ANY_SDK : 1) : ANY_SDK,
    targetSdk: !facts || (isConfigurationSplit(facts) && !facts.targetSdk) ? ANY_SDK : facts.effectiveTargetSdk,
    natives,
    signature,
    signing,
    certificates: signerCertificates(signature),
    zip: source.archives[0]?.zip ?? null,
    texts: gatherTexts({ ...inspected, natives }),
    ownPrefixes: ownership.prefixes,
    obfuscated: ownership.obfuscated,
    applicationTypes: choices.applicationTypes,
    date: choices.date,
    baselineSigners: choices.baselineSigners,
    policyText: choices.policyText,
    sdks,
    dependencies: findDependencies(inspected, sdks, natives),
    permissions: judgePermissions(inspected, uses, choices.applicationTypes),
    accesses: () => (accesses ??= inspected.packer ? [] : findAccesses(inspected)),
    resourceName: (id) => inspected.resources?.nameOf(id),
  }
  return { rules, inspection }
}

/** Dex files, or the class files of a library; a package with both runs the dex files. */
export function readCode(source: Package): Program {
  const isClass = ({ entry }: PackageFile) => entry.endsWith('.class')
  const dexes = source.code.filter((file) => !isClass(file))
  return dexes.length ? readProgram(dexes.map(unpacked)) : readJvmProgram(source.code.map(unpacked))
}

function unpacked(file: PackageFile): CodeEntry {
  try {
    return { entry: file.entry, bytes: file.bytes }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    // An entry that cannot be unpacked has no code: the reader says so of the empty one.
    return { entry: file.entry, bytes: new Uint8Array() }
  }
}
