import { PERSONAL_INFORMATION } from '../catalogue/permission-data.ts'
import { type Collected, findCollected, isScripted } from '../permissions/find-collected.ts'
import { mayLeave } from '../permissions/may-take.ts'
import type { FindingLevel, Text } from '../result/scan-result.ts'
import { isOwn } from './code.ts'
import { wholeHit } from './hits.ts'
import { isIdleAdMob } from './idle-ads.ts'
import { type CodeContext, notApplicable, notAssessed, type Rule, text } from './rule.ts'
import type { RuleContext } from './rule-context.ts'

const POLICY =
  /[隐隱]私(?:政策|协议|協議|权政策|權政策|条款|條款|声明|聲明|保护|保護)|プライバシー(?:ポリシー|・ポリシー|規約|通知)|개인\s*정보\s*(?:처리|취급|보호)|pol[ií]ticas?\s+de\s+privacidade?|aviso\s+de\s+privacidad|(?:politique|charte)\s+de\s+confidentialit[eé]|datenschutz|informativa\s+(?:sulla|sulle|per la)\s+privacy|политик\S*\s+(?:\S+\s+)?конфиденциальност|gizlilik\s+(?:politikas|sözleşme|bildirim)|kebijakan\s+privasi|chính\s+sách\s+(?:bảo\s+mật|quyền\s+riêng\s+tư)|سياسة\s+الخصوصية|privacy\s*(?:policy|statement|notice)|privacy[_-]policy|(?:policies\.google|www\.termsfeed)\.com\/privacy/i

/** A policy is a duty of who collects personal information, and only of them. */
export const policyRule: Rule = {
  needs: ['manifest'],
  check: (context) => {
    if (context.texts.pieces.some(({ text: piece }) => POLICY.test(piece))) return []
    if (context.packer)
      return notAssessed(
        `加固应用（${context.packer.zh}）需人工复核`,
        `the package is packed (${context.packer.en}): a person must look`,
      )
    if (!context.facts?.components.some(({ kind }) => kind === 'activity'))
      return notApplicable('没有界面', 'there are no screens')
    const collected = findCollected({ ...context, inspected: context })
    if (!collected) {
      if (context.codeGap) return notAssessed(context.codeGap.zh, context.codeGap.en)
      return mayLeave(context.facts) && isScripted(context, context.sdks)
        ? notAssessed(
            '界面由脚本构成，脚本收集什么未做分析',
            'scripts make the screens; what they collect was not followed',
          )
        : notApplicable('未发现收集个人信息', 'no collection of personal information was found')
    }
    const weak = unloadedAds(context, collected) ?? weakness(collected) ?? measuredAlone(context, collected)
    const { zh, en } = missing(collected)
    return weak
      ? [wholeHit(context, 'no policy', text(`${zh}；${weak.reason.zh}`, `${en}; ${weak.reason.en}`), weak.level)]
      : [wholeHit(context, 'no policy', { zh, en })]
  },
}

/** What Android gives without a permission that somebody must grant. Every other kind says who somebody is or was with, or what they do. */
const UNGUARDED = new Set(
  'android_id oaid advertising_id mac_address serial device_id wifi_info installed_apps clipboard account'.split(' '),
)
/** SDKs that exist to send what they take. */
const REPORTING = new Set(['analytics', 'ads', 'attribution', 'push', 'security_risk', 'im', 'share_social'])

/** Does nothing but what a form takes leave, since the one SDK is for ads that no code loads? Own code that sends may send the form. */
function unloadedAds(
  context: RuleContext,
  { kinds, sdks, takesAccount, ownSends }: Collected,
): { level: FindingLevel; reason: Text } | undefined {
  if (!sdks.length || !sdks.every(({ id }) => id === 'admob') || ownSends || takesAccount) return undefined
  if (kinds.some((kind) => kind !== 'account') || !isIdleAdMob(context)) return undefined
  return {
    level: 'low',
    reason: text(
      '没有代码初始化 AdMob 或加载广告，也未见自有代码发送数据',
      'no code starts AdMob or loads an ad, and no own code that sends was seen',
    ),
  }
}

/** Why less can be said than that personal information leaves the device; undefined where that was found. */
function weakness({
  kinds,
  sdks,
  takesAccount,
  ownSends,
}: Collected): { level: FindingLevel; reason: Text } | undefined {
  if (!kinds.length && !sdks.length)
    return {
      level: 'low',
      reason: text('包内没有脚本调用这些 Cordova 插件', 'no script calls the Cordova plug-ins that take it'),
    }
  if (takesAccount || kinds.some((kind) => !UNGUARDED.has(kind))) return undefined
  if (sdks.some(({ category }) => REPORTING.has(category))) return undefined
  if (sdks.length || kinds.some((kind) => kind !== 'account'))
    return {
      level: 'middle',
      reason: sdks.length
        ? text('由 SDK 收集，未见其用途', 'SDKs may take it; what for was not seen')
        : text('未见需要权限的个人信息', 'nothing among it needs a permission'),
    }
  return ownSends
    ? { level: 'middle', reason: text('未跟踪表单内容的去向', 'where the entries of the form go was not followed') }
    : { level: 'low', reason: text('未见自有代码发送数据', 'no own code that sends was seen') }
}

/** SDKs that start by themselves and send what they take of the device: identifiers, use, crashes, and addresses for messages. */
const MEASURING = new Set(['firebase-analytics', 'fcm', 'crashlytics'])
/** What stays on the device where own code sends nothing; other kinds may be taken by the SDKs too. */
const KEPT = new Set([...UNGUARDED, 'photo', 'audio'])

/** Does nothing leave but what SDKs measure by themselves? Then less is at stake, but a policy is still missing. */
function measuredAlone(
  context: RuleContext,
  { kinds, sdks, takesAccount, ownSends }: Collected,
): { level: FindingLevel; reason: Text } | undefined {
  if (!sdks.length || ownSends || takesAccount || !context.program) return undefined
  if (!sdks.every(({ id }) => MEASURING.has(id)) || !kinds.every((kind) => KEPT.has(kind))) return undefined
  if (context.program.callsTo('Landroid/webkit/*').some((call) => isOwn(context as CodeContext, call))) return undefined
  return {
    level: 'middle',
    reason: text(
      '自有代码不发送数据，仅统计与推送 SDK 自动收集',
      'own code sends nothing, only SDKs for measurements and messages do',
    ),
  }
}

const MOST_NAMES = 6

function missing({ kinds, sdks, form, unasked }: Collected): Text {
  const names = (kinds.length || sdks.length ? kinds : unasked).map((info) => {
    const name = PERSONAL_INFORMATION.get(info) ?? text(info, info)
    return info === 'account' && form ? text(`${name.zh}（${form} 的表单）`, `${name.en} (the form of ${form})`) : name
  })
  const all = [...names, ...sdks.map(({ name }) => name)]
  const shown = all.slice(0, MOST_NAMES)
  const more = all.length - shown.length
  return text(
    `资源、代码与文件中均未提及隐私政策，而应用收集：${shown.map(({ zh }) => zh).join('、')}${more > 0 ? ` 等 ${all.length} 项` : ''}`,
    `neither resources, code nor files name a privacy policy, and the application collects ${shown.map(({ en }) => en).join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
  )
}
