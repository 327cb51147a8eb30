import type { TextPart } from '../content/text-parts.ts'
import type { Location } from '../result/scan-result.ts'

/** Words that an application shows where it keeps to the rules. */
const MARKS = {
  policyLabel: /隐私(?:权|保护)?(?:政策|协议|声明|条款)|privacy\s?policy/i,
  policyUrl: /https?:\/\/[^\s"'<>]{3,200}(?:privacy|yinsi|policy|agreement|protocol)[^\s"'<>]{0,100}/i,
  withdraw: /撤回(?:同意|授权)|取消授权|撤销授权|withdraw (?:your )?consent|revoke consent/i,
  cancelAccount:
    /(?:账号|账户|帐号|帐户|用户)注销|注销(?:账号|账户|帐号|帐户|用户|流程|协议)|删除(?:账号|账户|帐号|帐户)|(?:delete|cancel|close) (?:my |your |the )?account/i,
  personalised:
    /个性化(?:推荐|推送|广告|内容|展示)|定向推送|程序化广告|personali[sz]ed (?:ads?|recommendations?|content)/i,
  collectedList: /(?:已收集|收集的?)个人信息(?:的?清单)?|个人信息收集清单/,
  sharedList: /第三方(?:共享|信息共享|SDK)[^，。]{0,12}(?:清单|目录|列表)|共享(?:个人信息)?清单/i,
  login: /^(?:登录|登陆|立即登录|手机号登录|sign ?in|log ?in)$/i,
  separateConsent: /(?:人脸|身份证|银行卡)[^。]{0,40}(?:同意|授权)|(?:同意|授权)[^。]{0,40}(?:人脸|身份证|银行卡)/,
  complaint: /投诉|举报|客服(?:热线|电话)|意见反馈|complaint|hotline|feedback/i,
  subscription: /自动续费|连续包月|auto.?renew/i,
} as const
export type TextMark = keyof typeof MARKS

/** Every mark has one of these, so that the many texts without any are passed over at once. */
const ANY =
  /[\u4e00-\u9fff]|privacy|policy|agreement|protocol|yinsi|account|personali|consent|sign ?in|log ?in|complain|hotline|feedback|renew/i
const CHINESE = /[\u4e00-\u9fff]/
const LIBRARY_RESOURCE = /^string\/(?:common_|abc_|mtrl_|com_facebook_|fui_)/
const KEYS = Object.keys(MARKS) as TextMark[]

/** The first location of each mark. */
export function findMarks(parts: readonly TextPart[]): ReadonlyMap<TextMark, Location> {
  const found = new Map<TextMark, Location>()
  for (const { text, location, source } of parts) {
    if (found.size === KEYS.length) break
    // Libraries are full of English words that no one gets to see; Chinese ones are written for people.
    if (!(source === 'code' ? CHINESE : ANY).test(text) && !MARKS.policyUrl.test(text)) continue
    // Words that come with libraries: a sign-in button that no one shows, a menu that no one opens.
    if (source === 'resource' && LIBRARY_RESOURCE.test(location.path ?? '')) continue
    for (const key of KEYS) {
      if (found.has(key)) continue
      // A text of code is a label only where it is short; logs and JSON are not what people read.
      if (source === 'code' && text.length > 400 && key !== 'policyUrl') continue
      const match = MARKS[key].exec(text)
      if (match)
        found.set(key, { ...location, snippet: [text.slice(Math.max(0, match.index - 20), match.index + 100)] })
    }
  }
  return found
}
