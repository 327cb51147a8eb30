import { plistText } from '../../plist/plist-node.ts'
import type { FindingLevel } from '../result/scan-result.ts'
import { isFinance } from '../rules/application-type.ts'
import { notApplicable, type Outcome, text } from '../rules/rule.ts'
import type { BinaryCode } from './binary-code.ts'
import { codeRule, type IosContext, type IosRule, type IosRuleTable, ownBinaries } from './ios-context.ts'
import { appHit } from './ios-hits.ts'

const RAISED: Record<FindingLevel, FindingLevel> = { info: 'low', low: 'middle', middle: 'high', high: 'high' }
const JAILBREAK =
  /\/Applications\/(Cydia|Sileo|Zebra)\.app|^\/bin\/bash$|\/usr\/sbin\/sshd|^(cydia|sileo|zbra|undecimus):\/\/|\/var\/jb|\/Library\/MobileSubstrate|\/private\/var\/lib\/apt|\/etc\/apt/
const HOOKS = /frida|substrate|cycript/i
const INTEGRITY = /embedded\.mobileprovision|_CodeSignature|CodeResources|SC_Info/
/** Classes with at least this share of readable names are not obfuscated. */
const READABLE = 0.9
const FEW_CLASSES = 5

const hasText = ({ binaries }: IosContext, pattern: RegExp): boolean =>
  binaries.some(({ strings }) => strings.some(({ value }) => pattern.test(value)))
const importsAny = ({ binaries }: IosContext, ...names: readonly string[]): boolean =>
  binaries.some(({ imports }) => names.some((name) => imports.has(name)))

/** Asks whether a protection is missing; money raises the level by one. */
function missing(
  level: FindingLevel,
  detail: ReturnType<typeof text>,
  found: (context: IosContext) => boolean,
): IosRule {
  return codeRule(
    (context): Outcome =>
      found(context) ? [] : [appHit(context, 'missing', detail, isFinance(context) ? RAISED[level] : undefined)],
  )
}

/** A name that people gave: words of letters with vowels in them. */
function isReadable(name: string): boolean {
  const last = name.slice(name.lastIndexOf('.') + 1)
  const words = last.replace(/^_?[A-Z]{2,4}(?=[A-Z][a-z])/, '').match(/[A-Z]?[a-z]{2,}/g) ?? []
  return words.some((word) => word.length >= 4 && /[aeiouy]/.test(word) && !/[^aeiouy]{5}/.test(word))
}

const comparesBundle = (code: BinaryCode): boolean =>
  code
    .callsTo('bundleIdentifier')
    .some((call) => code.callsIn(call.function).some(({ callee }) => callee === 'isEqualToString:'))

export const protectionRules: IosRuleTable = {
  'ios-no-jailbreak-detect': missing('low', text('没有越狱检测', 'nothing looks for a jailbreak'), (context) =>
    hasText(context, JAILBREAK),
  ),

  'ios-no-antidebug': missing(
    'low',
    text('没有反调试', 'nothing looks for a debugger'),
    (context) =>
      importsAny(context, 'ptrace', 'sysctl') ||
      hasText(context, /^ptrace$/) ||
      context.binaries.some((code) => code.systemCalls),
  ),

  'ios-no-hook-detect': missing(
    'low',
    text('没有注入检测', 'nothing looks for injected code'),
    (context) => importsAny(context, '_dyld_get_image_name', 'dladdr') && hasText(context, HOOKS),
  ),

  'ios-no-obfuscation': codeRule((context) => {
    const names = ownBinaries(context).flatMap(({ objc }) => objc.classes.map(({ name }) => name))
    if (names.length < FEW_CLASSES)
      return notApplicable(`自有类仅 ${names.length} 个`, `only ${names.length} own classes`)
    const share = names.filter(isReadable).length / names.length
    if (share <= READABLE) return []
    const percent = Math.round(share * 100)
    return [
      appHit(
        context,
        'readable names',
        text(`${percent}% 的自有类名可读`, `${percent}% of own class names are readable`),
        isFinance(context) ? 'middle' : undefined,
      ),
    ]
  }),

  'ios-no-integrity': missing(
    'low',
    text('没有完整性校验', 'nothing checks the integrity of the package'),
    (context) => hasText(context, INTEGRITY) || context.binaries.some(comparesBundle),
  ),

  'ios-no-attest': missing(
    'info',
    text('未使用 App Attest', 'App Attest is not used'),
    ({ binaries, app }) =>
      binaries.some(({ classes }) => classes.has('DCAppAttestService') || classes.has('DCDevice')) ||
      plistText(app.provision?.entitlements ?? undefined, 'com.apple.developer.devicecheck.appattest-environment') !==
        undefined,
  ),
}

export const PROTECTION_CALLS = ['bundleIdentifier', 'isEqualToString:']
