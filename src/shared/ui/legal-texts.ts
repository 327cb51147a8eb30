import { defineTexts } from '#src/shared/i18n/texts.ts'

/** Terms, privacy and how long network logs are kept (decision 28): dialog of the login page, section of 'about us'. */
export const legalTexts = defineTexts('legal', {
  title: { zh: '使用条款与隐私说明', en: 'Terms of use and privacy' },
  terms: { zh: '使用条款', en: 'Terms of use' },
  terms1: {
    zh: '本平台供企业对其自有或获得授权的移动应用进行安全检测、防护与态势监测。请勿将其用于未经授权的应用、设备或网络。',
    en: 'This platform serves enterprises that test, protect and watch mobile applications which they own or are authorised for. Do not use it on applications, devices or networks without authorisation.',
  },
  terms2: {
    zh: '账号仅限本人使用；同一账号在他处登录时，先前的会话会退出。所有变更操作均写入审计日志。',
    en: 'An account is personal; signing in elsewhere ends the earlier session. Every change is written to the audit log.',
  },
  privacy: { zh: '隐私说明', en: 'Privacy' },
  privacy1: {
    zh: '应用用户与设备的标识在写入之前即以本安装独有的密钥做哈希处理，平台不保存其原文。发送地址与原始内容完整保存不超过 {{personal}} 天，此后仅保留网段与建模字段。',
    en: 'Identifiers of app users and devices are hashed with a key of this installation before they are written; the platform keeps no plain ones. Sender address and raw content are kept whole for at most {{personal}} days, then only the network part and the modelled fields.',
  },
  privacy2: {
    zh: '位置只精确到国家、省或市，来自上报方声明或地址推断，并注明来源。所有数据只保存在本机构部署的服务器上，页面不会向其他站点发起请求。',
    en: 'Places are as precise as country, province or city, declared by the sender or derived from its address, and say which. All data stays on the servers that your organisation runs; no page asks any other site for anything.',
  },
  logs: { zh: '网络日志', en: 'Network logs' },
  logs1: {
    zh: '依照法律法规，登录、控制台与令牌请求以及上报批次的网络日志至少保存六个月；本平台当前设置为 {{days}} 天，任何设置都不能低于该期限。',
    en: 'As the law requires, network logs of sign-ins, console and token requests and of reported batches are kept for at least six months; this platform keeps them for {{days}} days, and no setting goes below that.',
  },
  close: { zh: '我知道了', en: 'Understood' },
})
