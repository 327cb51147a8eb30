import { defineTexts } from '#src/shared/i18n/texts.ts'

export const errorTexts = defineTexts('error-pages', {
  home: { zh: '返回首页', en: 'Back to the dashboard' },
  back: { zh: '返回上一页', en: 'Go back' },
  reload: { zh: '重新载入', en: 'Reload' },
  notFound: { zh: '页面不存在', en: 'Page not found' },
  notFoundHint: {
    zh: '地址可能写错，或页面已移走。可以从首页重新进入。',
    en: 'The address may be mistyped, or the page has moved. Start again from the dashboard.',
  },
  error: { zh: '请求的内容不存在', en: 'What was asked for is not there' },
  errorHint: {
    zh: '服务器没有这个接口或内容（HTTP 404）。如果刚刚升级过平台，请重新载入页面。',
    en: 'The server has no such call or content (HTTP 404). After an update of the platform, reload the page.',
  },
  revoked: { zh: '大屏令牌已撤销', en: 'The display token was revoked' },
  revokedHint: {
    zh: '这块大屏不再显示数据。请管理员在“平台管理 / 大屏令牌”中新建令牌，并在此屏打开新链接。',
    en: 'This wall shows no more data. Ask an administrator for a new display token (platform management) and open its link here.',
  },
  logIn: { zh: '改用账号登录', en: 'Log in with an account' },
  crash: { zh: '页面出错了', en: 'This page failed' },
  crashHint: {
    zh: '错误已记入错误日志，其他页面不受影响。',
    en: 'The error is in the error log; other pages go on working.',
  },
  chunk: { zh: '页面代码没有载入', en: 'The code of this page did not load' },
  chunkHint: {
    zh: '网络中断，或平台刚刚升级。重新载入即可。',
    en: 'The network was interrupted, or the platform was just updated. Reloading puts it right.',
  },
})
