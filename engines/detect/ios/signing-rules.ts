import { plistFlag } from '../../plist/plist-node.ts'
import { notApplicable, notAssessed, text } from '../rules/rule.ts'
import { brokenSignature, missingSignature, untrustedByApple } from '../rules/signature-state-rules.ts'
import { binaryRule, type IosContext, type IosRuleTable, listRule } from './ios-context.ts'
import { binaryHit } from './ios-hits.ts'

const profileHit = ({ app }: IosContext, path: string, key: string, detail: ReturnType<typeof text>) => ({
  location: { entry: `${app.app}embedded.mobileprovision`, offset: app.provision?.plistOffset ?? -1, path },
  owner: { kind: 'own' as const, sdk: null },
  key,
  detail,
})

const NO_PROFILE = notApplicable('没有内嵌描述文件（App Store 构建）', 'no embedded profile (App Store build)')

export const signingRules: IosRuleTable = {
  'ios-signature-missing': listRule(({ signature }) => missingSignature('ipa', signature)),
  'ios-signature-broken': listRule(({ signature }) => brokenSignature('ipa', signature, null)),
  'ios-signature-untrusted': listRule(({ signature }) => untrustedByApple(signature)),

  'ios-get-task-allow': binaryRule(({ main, app }) => {
    const { signature } = main.image
    if (!signature) return notApplicable('主程序没有代码签名', 'the main executable carries no code signature')
    if (!plistFlag(signature.entitlements ?? undefined, 'get-task-allow')) return []
    const development = app.provision?.kind === 'development'
    return [
      binaryHit(
        main,
        signature.entitlementsAt,
        'get-task-allow',
        development
          ? text('开发签名的构建允许调试', 'a build signed for development may be debugged')
          : text('get-task-allow 为 true，可被调试', 'get-task-allow is true: it can be debugged'),
        development ? 'info' : undefined,
      ),
    ]
  }),

  'ios-profile-expired': listRule((context) => {
    const { app, date } = context
    if (!app.provision) return NO_PROFILE
    const { expires } = app.provision
    if (expires === null || date === null)
      return notAssessed('没有到期时间或扫描日期', 'there is no expiry or no date of the scan')
    if (expires >= date) return []
    const day = new Date(expires).toISOString().slice(0, 10)
    return [
      profileHit(
        context,
        'ExpirationDate',
        'expired',
        text(`描述文件已于 ${day} 过期`, `the profile expired on ${day}`),
      ),
    ]
  }),

  'ios-profile-enterprise': listRule((context) => {
    const { provision } = context.app
    if (!provision) return NO_PROFILE
    if (!provision.allDevices) return []
    const team = provision.teamName ?? ''
    return [
      profileHit(
        context,
        'ProvisionsAllDevices',
        'enterprise',
        text(`企业分发（${team}）`, `enterprise distribution (${team})`),
      ),
    ]
  }),
}
