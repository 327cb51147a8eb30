import type { Language } from '#contracts/errors.ts'

const ZH = {
  gate: '门禁',
  package: '应用包',
  file: '文件',
  sha256: '摘要',
  packer: '加固',
  signature: '签名',
  owner: '归属',
  rules: '规则包',
  score: '得分',
  items: '检测项',
  findings: '命中',
  permission: '权限',
  sdk: 'SDK',
  domain: '域名',
  component: '组件',
  signer: '签名者',
  exported: '导出',
  new: '新增',
  fixed: '已修复',
  unchanged: '未变',
} as const

export type Label = keyof typeof ZH

/** A word of what the command line prints; in English it is the key itself. */
export function label(name: Label, language: Language): string {
  return language === 'zh' ? ZH[name] : name
}

/** The text and blanks up to `columns`, one at least. A Chinese character takes two. */
export function padded(text: string, columns = 10): string {
  const width = text.replace(/\p{Script=Han}/gu, '  ').length
  return text + ' '.repeat(Math.max(1, columns - width))
}
