import type { Package } from '../package/package.ts'
import { ANDROID_ITEMS, ANDROID_PACK } from './catalogue/rule-items.ts'
import { coverageOf, notAssessedOf } from './coverage.ts'
import { findDomains } from './domains.ts'
import { descriptorOf } from './evidence/locations.ts'
import type { ImageTools } from './input/content-input.ts'
import type { ScanChoices, ScanWatch } from './input/scan-choices.ts'
import { judgeItems } from './judge-items.ts'
import { ownRuleItem } from './own-rules/own-rules.ts'
import { judgedOwner } from './owner/judged-owner.ts'
import { summarise, summariseCertificate } from './package-summary.ts'
import { readContext } from './read-context.ts'
import type { ComponentResult, ScanResult } from './result/scan-result.ts'
import { scoreItems } from './result/score-items.ts'
import { ANDROID_RULES } from './rules/all-rules.ts'
import type { RuleContext } from './rules/rule-context.ts'
import { scanIos } from './scan-ios.ts'
import { askedItems, countLevels, judgeTexts, stepsOf } from './scan-steps.ts'

const NO_IMAGES: ImageTools = { decode: null, readQr: null, readTexts: null }

/**
 * Examines a package that was read. The same package, rules and choices give the same result, byte for byte of its JSON; nothing in it
 * says when or how long.
 * @param images what looks at pictures; without it the result says so
 * Throws ScanCancelled when the watch says so; what is wrong with a package is never thrown, it is part of the result.
 */
export function scan(
  source: Package,
  choices: ScanChoices,
  watch: ScanWatch = {},
  images: ImageTools = NO_IMAGES,
): ScanResult {
  if (source.kind === 'ipa') return scanIos(source, choices, watch, images)
  const step = stepsOf(watch)
  const { rules: context, inspection } = readContext(source, choices, step)
  const { inspected } = inspection
  const own = choices.ownRules.map(ownRuleItem)
  const asked = [...askedItems(ANDROID_ITEMS, choices), ...own.map(({ item }) => item)]
  const rules = { ...ANDROID_RULES, ...Object.fromEntries(own.map(({ item, rule }) => [item.id, rule])) }
  const results = judgeItems(asked, rules, context, choices.levels, (done) => step('rules', done / asked.length))
  const { sdks, dependencies, permissions } = context
  const { privacy, content } = judgeTexts(choices, step, images, {
    inspected,
    permissions,
    sdks,
    items: results,
    accesses: () => context.accesses(),
  })
  const { natives, certificates, signature } = context
  return {
    schema: 'appwarden-scan/1',
    package: summarise(
      source,
      inspected,
      signature,
      [...new Set(natives.map(({ abi }) => abi).filter(Boolean))].sort(),
    ),
    rules: { ...ANDROID_PACK, items: asked.length },
    kinds: choices.kinds,
    score: scoreItems(results),
    counts: countLevels(results),
    items: results,
    certificates: certificates.map(summariseCertificate),
    permissions,
    components: componentsOf(context),
    sdks,
    dependencies,
    domains: findDomains(context),
    privacy,
    content: content.hits,
    libraries: natives.map(({ entry, abi, name }) => ({ entry, abi, name })),
    coverage: coverageOf(source, inspected, inspection.ownership, inspection.unread),
    notAssessed: [...notAssessedOf(source, inspection, natives, context.texts.cut), ...content.notes],
  }
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
