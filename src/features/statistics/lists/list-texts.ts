import { defineTexts } from '#src/shared/i18n/texts.ts'

export const listTexts = defineTexts('statistics-lists', {
  attackTitle: { zh: '风险触发统计', en: 'Risk triggers' },
  abnormalTitle: { zh: '异常触发统计', en: 'Abnormal triggers' },
  startTitle: { zh: '启动统计', en: 'Starts' },
  periodTitle: { zh: '异常时段', en: 'Abnormal periods' },
  figures: { zh: '合计', en: 'Totals' },
  groupedBy: { zh: '分组', en: 'By' },
  day: { zh: '日期', en: 'Day' },
  course: { zh: '走势', en: 'Course' },
  change: { zh: '变化', en: 'Change' },
  first: { zh: '首次', en: 'First' },
  last: { zh: '最近', en: 'Last' },
  groups: { zh: '{{count}} 项，按{{sort}}降序', en: '{{count}}, by {{sort}}' },
  someGroups: {
    zh: '前 {{shown}} 项，共 {{count}} 项，按{{sort}}降序',
    en: 'First {{shown}} of {{count}}, by {{sort}}',
  },
  days: { zh: '{{count}} 天，从近到远', en: '{{count}} days, newest first', one: '{{count}} day, newest first' },
  ofAll: { zh: '占 {{share}}', en: '{{share}} of all' },
  device: { zh: '设备', en: 'Device' },
  from: { zh: '开始', en: 'From' },
  to: { zh: '结束', en: 'To' },
  length: { zh: '时长', en: 'Length' },
  level: { zh: '最高等级', en: 'Level' },
  gap: { zh: '间隔上限', en: 'Gap' },
  minutes: { zh: '{{count}} 分钟', en: '{{count}} min' },
  rule: {
    zh: '同一设备的攻击、崩溃、ANR、异常，相邻两次不超过 {{count}} 分钟为一个时段；时段在所选范围的边界处截断',
    en: 'Attacks and failures of one device, no two more than {{count}} minutes apart; the range cuts periods at its ends',
  },
  found: { zh: '{{count}} 个时段', en: '{{count}} periods', one: '{{count}} period' },
})
