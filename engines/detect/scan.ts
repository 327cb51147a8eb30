import { FormatError } from '../bytes/format-error.ts'
import { readProgram } from '../dex/read-program.ts'
import type { Package } from '../package/package.ts'
import { verifyApk } from '../signing/verify-apk.ts'
import { CONTENT_LIMITS, type ImageTools } from './content/content-input.ts'
import { findContent } from './content/find-content.ts'
import { gatherTexts as gatherParts } from './content/text-parts.ts'
import { coverageOf, notAssessedOf } from './coverage.ts'
import { findDomains } from './domains.ts'
import { type Inspection, inspectAndroid } from './inspect-android.ts'
import { judgeItems } from './judge-items.ts'
import { judgedOwner } from './owner/owner-name.ts'
import { signerCertificates, summarise, summariseCertificate } from './package-summary.ts'
import { judgePermissions } from './permissions/judge-permissions.ts'
import { findPermissionUses } from './permissions/permission-uses.ts'
import { judgePrivacy } from './privacy/judge-privacy.ts'
import { readNatives } from './read-natives.ts'
import { ANDROID_ITEMS, ANDROID_PACK, isAsked } from './rule-items.ts'
import { ANDROID_RULES } from './rules/all-rules.ts'
import { descriptorOf } from './rules/hits.ts'
import { gatherTexts } from './rules/package-texts.ts'
import type { RuleContext } from './rules/rule-context.ts'
import { ScanCancelled, type ScanChoices, type ScanStage, type ScanWatch } from './scan-choices.ts'
import type { ComponentResult, DetectionKind, FindingLevel, ItemResult, ScanResult } from './scan-result.ts'
import { scoreItems } from './score-items.ts'
import { findSdks } from './sdks/find-sdks.ts'

/** Above any Android version: what a library is taken to run on. */
const ANY_SDK = 10_000

const NO_IMAGES: ImageTools = { decode: null, readQr: null, texts: null }

/**
 * Examines a package that was read. The same package, rules and choices give the same result, byte for byte of its JSON; nothing in it
 * tells when or how long.
 * @param images what looks at pictures; without it the result says that nobody did
 * Throws ScanCancelled when the watch says so; what is wrong with a package is never thrown, it stands in the result.
 */
export function scan(
  source: Package,
  choices: ScanChoices,
  watch: ScanWatch = {},
  images: ImageTools = NO_IMAGES,
): ScanResult {
  const step = (stage: ScanStage, share: number) => {
    if (watch.cancelled?.()) throw new ScanCancelled()
    watch.onStage?.(stage, share)
  }
  step('manifest', 0)
  const signing = source.kind === 'apk' ? verifyApk(source.bytes) : null
  step('code', 0)
  const program = source.code.length ? readCode(source) : null
  step('code', 0.8)
  const inspection = inspectAndroid(source, program)
  step('native', 0)
  const context = makeContext(source, inspection, choices, signing, step)
  const { inspected } = context
  const items = ANDROID_ITEMS.filter(
    (item) => isAsked(item, choices.kinds) && (!choices.items || choices.items.includes(item.id)),
  )
  const results = judgeItems(items, ANDROID_RULES, context.rules, choices.levels, (done) =>
    step('rules', done / items.length),
  )
  const asks = (kind: DetectionKind) => choices.kinds.includes(kind)
  const parts = asks('privacy') || asks('content') ? gatherParts(inspected, CONTENT_LIMITS) : null
  step('privacy', 0)
  const { sdks, permissions } = context.rules
  const privacy =
    asks('privacy') && parts
      ? judgePrivacy({
          inspected,
          permissions,
          sdks,
          items: results,
          types: choices.applicationTypes,
          policyText: choices.policyText,
          texts: parts.parts,
        })
      : []
  step('content', 0)
  const content =
    asks('content') && parts ? findContent(inspected, parts, choices.words, images) : { hits: [], notes: [] }
  step('result', 0)
  const { natives, certificates } = context.rules
  return {
    schema: 'appwarden-scan/1',
    package: summarise(source, inspected, signing, [...new Set(natives.map(({ abi }) => abi).filter(Boolean))].sort()),
    rules: { ...ANDROID_PACK, items: items.length },
    kinds: choices.kinds,
    score: scoreItems(results),
    counts: countLevels(results),
    items: results,
    certificates: certificates.map(summariseCertificate),
    permissions,
    components: componentsOf(context.rules),
    sdks,
    domains: findDomains(context.rules),
    privacy,
    content: content.hits,
    libraries: natives.map(({ entry, abi, name }) => ({ entry, abi, name })),
    coverage: coverageOf(source, inspected, inspection.ownership, inspection.unread),
    notAssessed: [
      ...notAssessedOf(source, inspected, natives, inspection.unread, context.rules.texts.cut),
      ...content.notes,
    ],
  }
}

function readCode(source: Package) {
  return readProgram(
    source.code.map((file) => {
      try {
        return { entry: file.entry, bytes: file.bytes }
      } catch (error) {
        if (!(error instanceof FormatError)) throw error
        // An entry that cannot be unpacked has no code: the reader says so of the empty one.
        return { entry: file.entry, bytes: new Uint8Array() }
      }
    }),
  )
}

type Step = (stage: ScanStage, share: number) => void

function makeContext(
  source: Package,
  { inspected, ownership }: Inspection,
  choices: ScanChoices,
  signing: RuleContext['signing'],
  step: Step,
) {
  const natives = readNatives(source, (share) => step('native', share))
  const uses = findPermissionUses(inspected)
  const level = (fact: { readonly value: string } | null, absent: number) =>
    !fact ? absent : /^\d+$/.test(fact.value) ? Number(fact.value) : ANY_SDK
  const { facts } = inspected
  const rules: RuleContext = {
    ...inspected,
    manifest: 'manifest' in source && source.platform === 'android' ? source.manifest.root : null,
    minSdk: facts ? level(facts.minSdk, 1) : ANY_SDK,
    targetSdk: facts ? facts.effectiveTargetSdk : ANY_SDK,
    natives,
    signing,
    certificates: signerCertificates(signing),
    zip: source.archives[0]?.zip ?? null,
    texts: gatherTexts({ ...inspected, natives }),
    ownPrefixes: ownership.prefixes,
    obfuscated: ownership.obfuscated,
    applicationTypes: choices.applicationTypes,
    date: choices.date,
    baselineSigners: choices.baselineSigners,
    policyText: choices.policyText,
    sdks: findSdks(inspected, uses),
    permissions: judgePermissions(inspected, uses, choices.applicationTypes),
    resourceName: (id) => inspected.resources?.nameOf(id),
  }
  return { rules, inspected }
}

function componentsOf(context: RuleContext): ComponentResult[] {
  return (context.facts?.components ?? []).map(
    ({ kind, name, exported, permission, readPermission, targetActivity }) => ({
      kind,
      name,
      exported,
      permission: permission ?? readPermission,
      owner: judgedOwner(context, { entry: '', offset: -1 }, context.ownerOf(descriptorOf(targetActivity ?? name))),
    }),
  )
}

function countLevels(items: readonly ItemResult[]): Record<FindingLevel, number> {
  const counts = { high: 0, middle: 0, low: 0, info: 0 }
  for (const { verdict, level } of items) if (verdict === 'fail') counts[level]++
  return counts
}
