import { PRIVACY_ITEMS } from '../catalogue/privacy-data.ts'
import { SCRIPT_ENGINES } from '../catalogue/script-engines.ts'
import { findPolicy } from '../content/policy-text.ts'
import type { PrivacyResult } from '../result/scan-result.ts'
import { backgroundEntryPoints, consentGate, entryPoints, resumeEntryPoints } from './consent.ts'
import { CONSENT_CHECKS } from './consent-checks.ts'
import { makeChains } from './make-chains.ts'
import { PACKAGE_CHECKS } from './package-checks.ts'
import { manual, type PrivacyContext, type PrivacyInput } from './privacy-context.ts'
import { REACH_LIMITS, Reach, type ReachLimits } from './reach.ts'
import { TEXT_CHECKS } from './text-checks.ts'
import { findMarks } from './text-marks.ts'

const CHECKS = { ...CONSENT_CHECKS, ...TEXT_CHECKS, ...PACKAGE_CHECKS }

/** All 66 checks: what the package decides, and `manual` for what only a person, a device or the policy can. */
export function judgePrivacy(input: PrivacyInput, limits: ReachLimits = REACH_LIMITS): readonly PrivacyResult[] {
  const context = makeContext(input, limits)
  return PRIVACY_ITEMS.map((item) => {
    const check = CHECKS[item.id]
    const answer = check
      ? check(context)
      : manual('无法由包判断，请在自检问卷中回答', 'the package cannot tell; answer it in the self-check')
    return {
      id: item.id,
      source: item.source,
      clause: item.clause,
      level: item.level,
      name: { zh: item.zh, en: item.en },
      verdict: answer.verdict,
      reason: answer.reason,
      chains: answer.chains ?? [],
    }
  })
}

function makeContext(input: PrivacyInput, limits: ReachLimits): PrivacyContext {
  const { inspected, accesses } = input
  const program = inspected.packer ? null : inspected.program
  const gate = program ? consentGate(inspected, program) : () => Number.POSITIVE_INFINITY
  const startReach = program && new Reach(program, entryPoints(inspected, program), gate, limits)
  const reached = (entries: typeof entryPoints) =>
    program ? makeChains(program, new Reach(program, entries(inspected, program), gate, limits), accesses) : []
  return {
    ...input,
    policy: findPolicy(input.policyText, input.texts),
    marks: findMarks(input.texts),
    early: program && startReach ? makeChains(program, startReach, accesses) : [],
    background: reached(backgroundEntryPoints),
    resumed: reached(resumeEntryPoints),
    startReach,
    hiddenTexts: inspected.packer !== null || input.sdks.some(({ id }) => SCRIPT_ENGINES.has(id)),
  }
}
