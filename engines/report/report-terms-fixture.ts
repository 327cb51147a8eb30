import type { ReportTerms } from './report-context.ts'
import { reportText } from './scan-result-fixture.ts'

const color = { fill: '123456', edge: '654321' }
/** Words and colours of a report, for tests. */
export const reportTerms: ReportTerms = {
  gate: {
    pass: { zh: '可发布', en: 'Can be released' },
    fail: { zh: '不可发布', en: 'Must not be released' },
    none: reportText('none'),
  },
  suppressed: { zh: '已忽略', en: 'Suppressed' },
  levels: {
    high: { zh: '高危', en: 'High' },
    middle: { zh: '中危', en: 'Middle' },
    low: { zh: '低危', en: 'Low' },
    info: { zh: '提示', en: 'Info' },
  },
  colors: { high: color, middle: color, low: color, info: color },
}
