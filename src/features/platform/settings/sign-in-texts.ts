import { defineTexts } from '#src/shared/i18n/texts.ts'

export const signInTexts = defineTexts('settings-sign-in', {
  addresses: { zh: '允许登录的地址', en: 'Addresses that may sign in' },
  addressesNote: {
    zh: '每行一个地址或网段（CIDR），支持 IPv4 与 IPv6；留空则不限制。也约束已登录的会话，不影响访问令牌与事件上报。',
    en: 'One address or range (CIDR) a line, IPv4 or IPv6; empty: all. Holds for open sessions too, not for access tokens and the collector.',
  },
  badAddress: { zh: '不是有效的地址或网段：{{text}}', en: 'Neither an address nor a range: {{text}}' },
  ownAddress: { zh: '您当前的地址：', en: 'Your address now:' },
  ownMissing: {
    zh: '列表不包含您当前的地址，保存将被拒绝。',
    en: 'The list does not hold it, so it will not be saved.',
  },
  addOwn: { zh: '加入列表', en: 'Add it' },
})
