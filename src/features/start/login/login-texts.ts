import { defineTexts } from '#src/shared/i18n/texts.ts'

export const loginTexts = defineTexts('login', {
  title: { zh: '登录', en: 'Log in' },
  what: { zh: '移动应用安全管理平台', en: 'Mobile application security management' },
  language: { zh: '语言', en: 'Language' },
  username: { zh: '邮箱', en: 'E-mail' },
  password: { zh: '密码', en: 'Password' },
  code: { zh: '验证码', en: 'Verification code' },
  codeHint: { zh: '输入图中字符', en: 'Characters in the image' },
  image: { zh: '验证码图片', en: 'Verification image' },
  refresh: { zh: '换一张', en: 'New image' },
  show: { zh: '显示密码', en: 'Show the password' },
  hide: { zh: '隐藏密码', en: 'Hide the password' },
  submit: { zh: '登录', en: 'Log in' },
  busy: { zh: '正在登录', en: 'Logging in' },
  terms: { zh: '使用条款', en: 'Terms of use' },
  privacy: { zh: '隐私说明', en: 'Privacy' },
  agree: {
    zh: '登录即表示同意以上条款；网络日志至少保存六个月。',
    en: 'By logging in you accept these terms; network logs are kept for at least six months.',
  },
  version: { zh: '平台版本 {{version}}', en: 'Platform {{version}}' },
  slogan: { zh: '从一次攻击，到一台设备，到一个结论。', en: 'From an attack, to a device, to a verdict.' },
  demo: { zh: '演示账号', en: 'Demo accounts' },
  demoHint: { zh: '点击填入；验证码仍需输入。', en: 'Click to fill in; the verification code is still yours to type.' },
  switched: { zh: '语言切换成功', en: 'Switch Language Success' },
})
