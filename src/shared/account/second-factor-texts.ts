import { defineTexts } from '../i18n/texts.ts'

export const secondFactorTexts = defineTexts('second-factor', {
  title: { zh: '第二步验证', en: 'Second factor' },
  what: {
    zh: '启用后，登录时除密码外还需输入手机身份验证器（支持 TOTP 的任意应用）显示的 6 位数字。密码被盗也无法登录。',
    en: 'Signing in then takes the 6 digits of an authenticator app (any that supports TOTP) besides the password: a stolen password alone opens nothing.',
  },
  enabledAt: { zh: '{{time}} 起已启用。', en: 'Enabled since {{time}}.' },
  left: { zh: '还剩 {{number}} 个恢复码。', en: 'Recovery codes left: {{number}}.' },
  required: {
    zh: '您的角色要求第二步验证，不能停用。',
    en: 'Your role requires a second factor, it cannot be removed.',
  },
  setUp: { zh: '启用', en: 'Set up' },
  newPhone: { zh: '更换手机', en: 'New phone' },
  renew: { zh: '更换恢复码', en: 'New recovery codes' },
  remove: { zh: '停用', en: 'Remove' },
  removed: { zh: '已停用第二步验证', en: 'The second factor is removed' },
  noPassword: {
    zh: '您的账号没有本地密码，刚刚完成的登录即可证明身份。',
    en: 'Your account has no password here: the sign-in of a moment ago shows that it is you.',
  },
  password: { zh: '当前密码', en: 'Your password' },
  beginWhy: { zh: '请先输入当前密码。', en: 'Enter your password first.' },
  renewWhy: {
    zh: '输入当前密码后生成 10 个新恢复码，旧的全部作废。',
    en: 'With your password you get 10 new codes; the earlier ones are void.',
  },
  removeWhy: { zh: '停用后，仅凭密码即可登录。', en: 'Without it, the password alone is enough to sign in.' },
  qr: { zh: '身份验证器二维码', en: 'QR code for the authenticator app' },
  scan: {
    zh: '用身份验证器扫描二维码，然后输入它显示的 6 位数字。',
    en: 'Scan the code with your authenticator app, then enter the 6 digits that it shows.',
  },
  byHand: { zh: '无法扫描时手动输入密钥', en: 'Or type this key' },
  code: { zh: '6 位数字', en: '6 digits' },
  enable: { zh: '启用', en: 'Enable' },
  next: { zh: '下一步', en: 'Next' },
  cancel: { zh: '取消', en: 'Cancel' },
  close: { zh: '关闭', en: 'Close' },
  leave: { zh: '退出登录', en: 'Log out' },
  codesOnce: {
    zh: '第二步验证已启用。手机丢失时可用恢复码登录，每个只能用一次。它们仅显示这一次，请妥善保存。',
    en: 'The second factor is on. If you lose the phone, a recovery code opens your account, each once. They are shown only now: keep them safe.',
  },
  copy: { zh: '复制', en: 'Copy' },
  copied: { zh: '已复制', en: 'Copied' },
  download: { zh: '下载', en: 'Download' },
  kept: { zh: '已保存', en: 'I have saved them' },
})
