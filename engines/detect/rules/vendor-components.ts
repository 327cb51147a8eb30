import type { Component } from '../../apk/apk-facts.ts'
import type { Text } from '../result/scan-result.ts'
import { text } from './rule.ts'

/** Components that a vendor's contract wants open to other applications, by the vendor. */
const BY_NAME: readonly (readonly [RegExp, Text])[] = [
  [/\.wxapi\.WX(?:Pay)?EntryActivity$/, text('微信', 'WeChat')],
  [/^com\.tencent\.tauth\.AuthActivity$|TencentOpenAPI/, text('QQ 互联', 'QQ Connect')],
  [/\.apshare\.ShareEntryActivity$/, text('支付宝分享', 'Alipay sharing')],
  [/\.ddshare\.DDShareActivity$/, text('钉钉分享', 'DingTalk sharing')],
  [/WeiboSdk|^com\.sina\.weibo\.sdk\./, text('微博', 'Weibo')],
  [/^com\.facebook\.CustomTabActivity$/, text('Facebook 登录', 'Facebook Login')],
  [
    /^com\.google\.firebase\.(?:messaging|iid)\.|^com\.google\.android\.gms\.gcm\./,
    text('Firebase 推送', 'Firebase push'),
  ],
  [
    /^com\.google\.android\.gms\.(?:auth\.api\.signin|appinvite|tagmanager|analytics)\./,
    text('Google 服务', 'Google services'),
  ],
  [/^com\.google\.firebase\.auth\.internal\./, text('Firebase 登录', 'Firebase sign-in')],
  [/^com\.android\.(?:billingclient|vending)\./, text('Google Play 结算', 'Google Play billing')],
  [/^com\.amazon\.device\.iap\./, text('Amazon 应用内购买', 'Amazon in-app purchase')],
  [/^com\.huawei\.(?:hms|agconnect|android\.pushagent)\./, text('华为 HMS', 'Huawei HMS')],
  [/^com\.hihonor\.push\./, text('荣耀推送', 'Honor push')],
  [/^com\.xiaomi\.(?:mipush|push)\./, text('小米推送', 'Mi push')],
  [/^com\.(?:heytap\.(?:mcssdk|msp)|coloros\.mcssdk|mcs\.aidl)\./, text('OPPO 推送', 'OPPO push')],
  [/^com\.vivo\.push\./, text('vivo 推送', 'vivo push')],
  [/^com\.meizu\.cloud\.push/, text('魅族推送', 'Meizu push')],
  [/^org\.chromium\.(?:android_webview|content\.app)\./, text('Chromium WebView', 'Chromium WebView')],
  // Classes of the application that a push SDK calls, in the names that its guides give them.
  [/(?:Push|push)[A-Za-z]*(?:Receiver|Service)$/, text('推送', 'push')],
]

/** Messages that push services deliver: whatever class takes them has to be open to them. */
const BY_ACTION: readonly (readonly [RegExp, Text])[] = [
  [
    /^com\.google\.firebase\.(?:MESSAGING|INSTANCE_ID)_EVENT$|^com\.google\.android\.c2dm\.intent\./,
    text('Firebase 推送', 'Firebase push'),
  ],
  [/^com\.huawei\.(?:push\.action\.|android\.push\.intent\.|intent\.action\.PUSH)/, text('华为 HMS', 'Huawei HMS')],
  [/^com\.hihonor\.push\.action\./, text('荣耀推送', 'Honor push')],
  [/^com\.xiaomi\.mipush\./, text('小米推送', 'Mi push')],
  [/^com\.(?:heytap\.(?:mcs|msp)|coloros\.mcs|mcs)\.(?:action|msp\.action)\./, text('OPPO 推送', 'OPPO push')],
  [/^com\.vivo\.pushclient\.action\./, text('vivo 推送', 'vivo push')],
  [/^com\.meizu\.(?:flyme\.push|c2dm|cloud\.push)/, text('魅族推送', 'Meizu push')],
  [/^cn\.jpush\.android\.intent\./, text('极光推送', 'JPush')],
  [/^com\.igexin\.sdk\.action\./, text('个推推送', 'Getui push')],
]

/** The vendor whose contract wants this component to be exported; undefined where that is the application's own choice. */
export function vendorOf({ name, intentFilters }: Component): Text | undefined {
  const actions = intentFilters.flatMap((filter) => filter.actions)
  return (
    BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ??
    // A component that takes anything else besides is the application's own entry.
    BY_ACTION.find(([pattern]) => actions.length > 0 && actions.every((action) => pattern.test(action)))?.[1]
  )
}
