import { categoryName, FINDING_LEVELS, OWNER_KINDS, VERDICTS } from '#contracts/detection/kinds.ts'
import { SUPPRESSED_WORD } from '#domain/verdict-words.ts'
import type { Judged } from '#engines/detect/result/judge-result.ts'
import { locationText } from '#engines/report/report-location.ts'
import type { Cell } from '../../platform/tables/csv.ts'

const HEADER = {
  zh: ['编号', '检测项', '类别', '等级', '结论', '归属', '处数', '位置', '说明', '修复建议', '参考'],
  en: ['Id', 'Item', 'Category', 'Level', 'Verdict', 'Owner', 'Places', 'Place', 'Finding', 'Advice', 'References'],
}

/** Every item as lines of a sheet: one a place where it failed, else one. */
export function reportLines(judged: Judged, language: 'zh' | 'en'): { header: string[]; rows: Cell[][] } {
  const rows = judged.items.flatMap((item) => {
    const verdict = item.muted ? SUPPRESSED_WORD[language] : VERDICTS[item.verdict][language]
    const head = [
      item.id,
      item.name[language],
      categoryName(item.category, language),
      FINDING_LEVELS[item.level][language],
      verdict,
    ]
    const tail = [item.advice[language], Object.values(item.references).flat().join(' ')]
    if (item.findings.length === 0) return [[...head, '', item.hits, '', item.reason?.[language] ?? '', ...tail]]
    return item.findings.map(({ owner, evidence, detail }) => [
      ...head,
      owner.sdk || OWNER_KINDS[owner.kind][language],
      item.hits,
      locationText(evidence),
      detail[language],
      ...tail,
    ])
  })
  return { header: HEADER[language], rows }
}
