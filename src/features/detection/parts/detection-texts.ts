import { GATE_WORDS } from '#domain/verdict-words.ts'
import { defineTexts } from '#src/shared/i18n/texts.ts'

/** Words that several detection screens use. */
export const detectionTexts = defineTexts('detection', {
  gatePass: GATE_WORDS.pass,
  gateFail: GATE_WORDS.fail,
  gateNone: GATE_WORDS.none,
  used: { zh: '已使用', en: 'Used' },
  unused: { zh: '未使用', en: 'Unused' },
  undeclared: { zh: '未声明', en: 'Undeclared' },
  unknown: { zh: '无法判断', en: 'Cannot be told' },
  excessive: { zh: '超范围', en: 'Excessive' },
  dangerous: { zh: '危险权限', en: 'Dangerous' },
  called: { zh: '已调用', en: 'Called' },
  present: { zh: '仅存在', en: 'Present only' },
  manual: { zh: '需人工', en: 'By hand' },
  exported: { zh: '导出', en: 'Exported' },
  notExported: { zh: '未导出', en: 'Not exported' },
  cleartext: { zh: '明文', en: 'Cleartext' },
  high: { zh: '高', en: 'High' },
  medium: { zh: '中', en: 'Medium' },
  low: { zh: '低', en: 'Low' },
  added: { zh: '新增', en: 'New' },
  fixed: { zh: '已修复', en: 'Fixed' },
  unchanged: { zh: '未变', en: 'Unchanged' },
  snippet: { zh: '解码后的上下文', en: 'Decoded context' },
  bytes: { zh: '偏移 {{offset}}', en: 'offset {{offset}}' },
  find: { zh: '查找', en: 'Search' },
  close: { zh: '关闭', en: 'Close' },
  clear: { zh: '清除筛选', en: 'Clear filters' },
})
