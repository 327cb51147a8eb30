import { defineTexts } from '../i18n/texts.ts'

export const tableTexts = defineTexts('table', {
  group: { zh: '表格', en: 'Table' },
  next: { zh: '{{label}}：下一行', en: '{{label}}: next row' },
  previousRow: { zh: '{{label}}：上一行', en: '{{label}}: previous row' },
  sortBy: { zh: '按{{column}}排序', en: 'Sort by {{column}}' },
  open: { zh: '打开', en: 'Open' },
  columns: { zh: '选择列', en: 'Columns' },
  density: { zh: '紧凑行', en: 'Dense rows' },
  export: { zh: '导出 CSV', en: 'Export CSV' },
  page: { zh: '第 {{from}} 至 {{to}} 条，共 {{total}} 条', en: '{{from}} to {{to}} of {{total}}' },
  pageBefore: { zh: '上一页', en: 'Previous page' },
  pageAfter: { zh: '下一页', en: 'Next page' },
  move: { zh: '移动', en: 'move' },
  openDrawer: { zh: '打开', en: 'open' },
  exporting: { zh: '正在导出 {{title}}', en: 'Exporting {{title}}' },
  exportProgress: {
    zh: '已写 {{rows}} 行，完成后在通知里下载',
    en: '{{rows}} rows so far; the file comes with the notification',
  },
  exportDone: { zh: '{{title}} 已导出', en: '{{title}} is exported' },
  exportRows: { zh: '{{rows}} 行，{{bytes}}', en: '{{rows}} rows, {{bytes}}' },
  exportFailed: { zh: '导出没有完成', en: 'The export did not finish' },
  exportStopped: { zh: '导出已取消', en: 'Export cancelled' },
  download: { zh: '下载', en: 'Download' },
})
