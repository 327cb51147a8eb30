import type { Language } from '#contracts/errors.ts'
import {
  PRESET_PARTS,
  SCRIPT_PARTS,
  SCRIPT_PRESETS,
  SCRIPT_REASONS,
  SCRIPT_STRENGTHS,
  type ScriptOutcome,
  type ScriptPart,
} from '#contracts/http/js-protection.ts'
import type { Block, Cell, LabelledText } from '#engines/report/document.ts'
import { zonedTime } from '../../platform/tables/zoned-time.ts'
import type { ListedScript } from './script-rows.ts'

const TEXTS = {
  title: { zh: 'JS 保护报告', en: 'JS protection report' },
  file: { zh: '文件', en: 'File' },
  application: { zh: '应用', en: 'Application' },
  when: { zh: '加密时间', en: 'Encrypted' },
  by: { zh: '操作人', en: 'Operator' },
  preset: { zh: '强度', en: 'Preset' },
  result: { zh: '结果', en: 'Result' },
  good: { zh: '{n} 个脚本全部按所选强度加密', en: 'All {n} scripts have the strength that was asked for' },
  odd: {
    zh: '{n} 个脚本中，{stepped} 个降级，{kept} 个保留原文件',
    en: 'Of {n} scripts, {stepped} were stepped down and {kept} keep their original',
  },
  size: { zh: '大小', en: 'Size' },
  hash: { zh: '原文件 SHA-256', en: 'SHA-256 of the original' },
  resultHash: { zh: '结果 SHA-256', en: 'SHA-256 of the result' },
  options: { zh: '选项', en: 'Options' },
  parts: { zh: '单项', en: 'Single options' },
  names: { zh: '保留名', en: 'Reserved names' },
  strings: { zh: '保留字符串', en: 'Reserved strings' },
  map: { zh: 'source map', en: 'Source maps' },
  mapKept: { zh: '单独保存', en: 'kept apart' },
  none: { zh: '无', en: 'none' },
  domains: { zh: '域名锁（仅威慑）', en: 'Domain lock (deterrent)' },
  lock: { zh: '时间锁（仅威慑）', en: 'Time lock (deterrent)' },
  self: { zh: '自卫（仅威慑）', en: 'Self-defending (deterrent)' },
  on: { zh: '开', en: 'on' },
  cost: { zh: '测得的代价', en: 'Measured cost' },
  costNote: {
    zh: '在上传的代码上测得。样本：{sample}；运行 {runs} 次。',
    en: 'Measured on the uploaded code. Sample: {sample}; {runs} runs.',
  },
  factor: { zh: '体积倍数', en: 'Size factor' },
  time: { zh: '运行时间倍数', en: 'Running time factor' },
  same: { zh: '试运行结果相同', en: 'Same results in the trial' },
  files: { zh: '每个文件', en: 'Every file' },
  got: { zh: '得到的强度', en: 'Got' },
  kept: { zh: '保留原文件', en: 'original kept' },
  reason: { zh: '原因', en: 'Reason' },
  limits: { zh: '这种保护做不到什么', en: 'What this protection does not do' },
  limitsText: {
    zh: '混淆提高阅读和修改代码的成本，但不能阻止有经验的人还原逻辑：代码仍在对方的设备上运行，字符串在运行时解密。域名锁、时间锁与自卫可以被修改代码的人去掉。密钥、价格与权限判断应放在服务器上。',
    en: 'Obfuscation raises the cost of reading and changing code. It does not keep an experienced person from restoring its logic: the code still runs on their device and strings are decrypted at run time. Anyone who edits the code can remove domain lock, time lock and self-defending. Keys, prices and permission checks belong on a server.',
  },
} as const

const MOST_ROWS = 2000

/** The report of one encrypted upload: what was asked for, what each file got, what it costs, and what it does not do. */
export function scriptDocument(
  row: ListedScript,
  language: Language,
  zone: string,
): { title: string; subject: string; cover: LabelledText[]; blocks: Block[] } {
  const t = (key: keyof typeof TEXTS, values: Record<string, string | number> = {}) =>
    TEXTS[key][language].replace(/\{(\w+)\}/g, (_all, name: string) => String(values[name] ?? ''))
  const at = (time: number | null) => (time === null ? '—' : zonedTime(time, zone).slice(0, 16).replace('T', ' '))
  const { options, outcomes, measure } = row
  const presetName = options ? SCRIPT_PRESETS[options.preset][language] : '—'
  const isOdd = row.stepped + row.kept > 0
  const changed = Object.entries(options?.parts ?? {}).map(
    ([part, on]) => `${on ? '+' : '−'} ${SCRIPT_PARTS[part as ScriptPart][language]}`,
  )
  const standard = options ? PRESET_PARTS[options.preset].map((part) => SCRIPT_PARTS[part][language]).join(', ') : '—'
  const listed = (values: readonly string[] | undefined) =>
    values && values.length > 0 ? values.join(', ') : t('none')
  return {
    title: t('title'),
    subject: row.name,
    cover: [
      { label: t('file'), text: row.name },
      ...(row.app_name ? [{ label: t('application'), text: row.app_name }] : []),
      { label: t('preset'), text: presetName },
      { label: t('when'), text: at(row.ended_at) },
      { label: t('by'), text: row.username ?? '—' },
    ],
    blocks: [
      { kind: 'heading', level: 1, text: t('result') },
      {
        kind: 'verdict',
        label: t('result'),
        text: t(isOdd ? 'odd' : 'good', { n: outcomes.length, stepped: row.stepped, kept: row.kept }),
        tone: row.kept > 0 ? 'bad' : isOdd ? 'quiet' : 'good',
      },
      {
        kind: 'facts',
        rows: [
          { label: t('size'), text: `${row.size} → ${row.output_size ?? '—'} B` },
          { label: t('hash'), text: row.sha256 },
          { label: t('resultHash'), text: row.output ?? '—' },
        ],
      },
      { kind: 'heading', level: 1, text: t('options') },
      {
        kind: 'facts',
        rows: [
          { label: t('preset'), text: `${presetName} (${standard})` },
          { label: t('parts'), text: listed(changed) },
          { label: t('names'), text: listed(options?.reserved_names) },
          { label: t('strings'), text: listed(options?.reserved_strings) },
          { label: t('map'), text: options?.source_map ? t('mapKept') : t('none') },
          { label: t('domains'), text: listed(options?.domain_lock) },
          {
            label: t('lock'),
            text: options?.time_lock ? `${at(options.time_lock.from)} – ${at(options.time_lock.until)}` : t('none'),
          },
          { label: t('self'), text: options?.self_defending ? t('on') : t('none') },
        ],
      },
      ...(measure.costs.length > 0
        ? [
            { kind: 'heading', level: 1, text: t('cost') } as const,
            {
              kind: 'text',
              text: t('costNote', { sample: measure.sample.slice(0, 5).join(', '), runs: measure.runs }),
            } as const,
            {
              kind: 'table',
              columns: [
                { title: t('preset'), share: 2 },
                { title: t('factor'), share: 2, align: 'right' },
                { title: t('time'), share: 2, align: 'right' },
                { title: t('same'), share: 2, align: 'right' },
              ],
              rows: measure.costs.map(({ preset, size_factor, trial }) => [
                SCRIPT_PRESETS[preset][language],
                size_factor?.toFixed(2) ?? '—',
                trial?.slowdown?.toFixed(2) ?? '—',
                trial ? `${trial.same} / ${trial.calls}` : '—',
              ]),
            } as const,
          ]
        : []),
      { kind: 'heading', level: 1, text: t('files') },
      {
        kind: 'table',
        columns: [
          { title: t('file'), share: 5 },
          { title: t('size'), share: 3, align: 'right' },
          { title: t('got'), share: 2 },
          { title: t('reason'), share: 4 },
        ],
        rows: outcomes.slice(0, MOST_ROWS).map((one) => lineOf(one, language, t('kept'))),
      },
      { kind: 'heading', level: 1, text: t('limits') },
      { kind: 'text', text: t('limitsText') },
    ],
  }
}

function lineOf(one: ScriptOutcome, language: Language, kept: string): Cell[] {
  const place = one.line > 0 ? ` ${one.line}:${one.column}` : ''
  const reason = one.reason ? `${SCRIPT_REASONS[one.reason][language]}${place}` : ''
  return [
    one.name,
    `${one.size} → ${one.bytes}`,
    one.strength ? SCRIPT_STRENGTHS[one.strength][language] : { text: kept, tone: 'bad' },
    reason,
  ]
}
