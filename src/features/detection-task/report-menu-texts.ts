import { defineTexts } from '#src/shared/i18n/texts.ts'

export const reportMenuTexts = defineTexts('detection-report-menu', {
  pdf: { zh: 'PDF 报告', en: 'PDF report' },
  docx: { zh: 'DOC 报告', en: 'DOC report' },
  making: { zh: '{{format}} 生成中', en: '{{format}} in the generated' },
  forReader: { zh: '生成并下载', en: 'Make and download' },
  files: { zh: '数据文件', en: 'Data files' },
  failed: { zh: '报告生成失败', en: 'The report could not be made' },
})
