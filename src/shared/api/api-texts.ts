import { defineTexts } from '../i18n/texts.ts'

export const apiTexts = defineTexts('api', {
  timeout: { zh: '请求超时！', en: 'The request timed out!' },
  connection: { zh: '服务器连接异常-{{status}}！', en: 'Server connection error-{{status}}!' },
  illegal: { zh: '非法响应', en: 'Illegal response' },
})
