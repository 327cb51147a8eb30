import type { Language } from '#contracts/errors.ts'
import { SCRIPT_PRESETS, SCRIPT_REASONS, SCRIPT_STATES, SCRIPT_STRENGTHS } from '#contracts/http/js-protection.ts'
import type { ScriptRow } from './script-rows.ts'

const WORDS = {
  file: { zh: '文件', en: 'File' },
  state: { zh: '状态', en: 'State' },
  preset: { zh: '强度', en: 'Preset' },
  kept: { zh: '保留原文件', en: 'kept' },
} as const

/** What became of every file of a run, a line each. */
export function scriptLog(row: ScriptRow, language: Language): string {
  const t = (key: keyof typeof WORDS) => WORDS[key][language]
  const head = [
    `${t('file')}: ${row.name} (${row.size} B)`,
    `${t('state')}: ${SCRIPT_STATES[row.state][language]} ${row.note_detail}`.trimEnd(),
    ...(row.options ? [`${t('preset')}: ${SCRIPT_PRESETS[row.options.preset][language]}`] : []),
    '',
  ]
  const lines = row.outcomes.map((one) => {
    const what = one.strength ? SCRIPT_STRENGTHS[one.strength][language] : t('kept')
    const why = one.reason ? SCRIPT_REASONS[one.reason][language] : ''
    const place = one.line > 0 ? `${one.line}:${one.column}` : ''
    return [one.name, `${one.size} -> ${one.bytes} B`, what, why, place, one.detail].filter(Boolean).join('\t')
  })
  return `${[...head, ...lines].join('\n')}\n`
}
