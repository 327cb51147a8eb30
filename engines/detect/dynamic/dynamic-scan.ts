import { PRIVACY_ITEMS } from '../catalogue/privacy-data.ts'
import { ANDROID_ITEMS, type RuleItem, unanswered } from '../catalogue/rule-items.ts'
import type { DynamicResult } from '../result/dynamic-result.ts'
import type { FindingLevel, ItemResult, Note, PrivacyResult, ScanResult, Text } from '../result/scan-result.ts'
import { scoreItems } from '../result/score-items.ts'
import { judgeHits } from '../rules/finding.ts'
import { text } from '../rules/rule.ts'
import { RUN_JUDGES, type RunJudge, SOURCE_NAMES, type Source } from './judge-run.ts'

export interface RunChoices {
  /** Ids of items; null asks all that a run answers. */
  readonly items: readonly string[] | null
  readonly levels: Readonly<Record<string, FindingLevel>>
}

/** Both names of a check of the privacy catalogue: collection before consent. */
const BEFORE_CONSENT = 'm3-1'

/**
 * The result of a dynamic detection: what the package states of itself comes from `base`, items and privacy from what was seen.
 * @param missing sources that did not answer: what needs them was not assessed
 */
export function dynamicScan(
  base: ScanResult,
  seen: DynamicResult,
  missing: ReadonlySet<Source>,
  notes: readonly Note[],
  { items: asked, levels }: RunChoices,
): ScanResult {
  const items = ANDROID_ITEMS.flatMap((item): ItemResult[] => {
    const judge = RUN_JUDGES[item.id]
    return judge && (!asked || asked.includes(item.id)) ? [judgeItem(item, judge, seen, missing, levels[item.id])] : []
  })
  const counts = { high: 0, middle: 0, low: 0, info: 0 }
  for (const { verdict, level } of items) if (verdict === 'fail') counts[level]++
  return {
    ...base,
    rules: { ...base.rules, items: items.length },
    kinds: ['dynamic'],
    score: scoreItems(items),
    counts,
    items,
    privacy: judgeConsent(seen, missing),
    content: [],
    notAssessed: [...notes, ...unseenSources(missing)],
    dynamic: seen,
  }
}

function judgeItem(
  item: RuleItem,
  { needs, judge }: RunJudge,
  seen: DynamicResult,
  missing: ReadonlySet<Source>,
  forced: FindingLevel | undefined,
): ItemResult {
  const plain = unanswered(item, forced)
  const hits = judge(seen)
  if (hits.length > 0)
    return {
      ...plain,
      ...judgeHits(item.id, item.level, forced, hits, null, () => ({ kind: 'own', sdk: null })),
      verdict: 'fail',
      reason: null,
    }
  const unseen = needs.filter((need) => missing.has(need))
  if (unseen.length > 0) return { ...plain, verdict: 'not_assessed', reason: unseenReason(unseen) }
  const length = Math.round(seen.run.length / 1000)
  return {
    ...plain,
    verdict: 'pass',
    reason: text(`在 ${length} 秒的运行中没有出现`, `not seen while it ran for ${length} s`),
  }
}

const unseenReason = (sources: readonly Source[]): Text =>
  text(
    `没有观察到：${sources.map((one) => SOURCE_NAMES[one].zh).join('、')}`,
    `not observed: ${sources.map((one) => SOURCE_NAMES[one].en).join(', ')}`,
  )

function unseenSources(missing: ReadonlySet<Source>): Note[] {
  return [...missing].map((source) => ({ key: `unseen-${source.replaceAll('_', '-')}`, text: unseenReason([source]) }))
}

/** Was anything personal used before anybody could have agreed? */
function judgeConsent(seen: DynamicResult, missing: ReadonlySet<Source>): PrivacyResult[] {
  const item = PRIVACY_ITEMS.find(({ id }) => id === BEFORE_CONSENT)
  if (!item) return []
  const { id, source, clause, level, zh, en } = item
  const untouched = Math.round((seen.run.firstInput ?? seen.run.length) / 1000)
  const early = seen.uses.filter((use) => use.personal && use.beforeInput && use.first !== null)
  const dialogs = seen.moments.filter(
    ({ kind, at }) => kind === 'permission_dialog' && at <= (seen.run.firstInput ?? seen.run.length),
  )
  const answer = (verdict: PrivacyResult['verdict'], reason: Text): PrivacyResult[] => [
    {
      id,
      source,
      clause,
      level,
      name: { zh, en },
      verdict,
      reason,
      chains: early.map(({ op, name, first }) => ({
        info: op,
        owner: null,
        steps: [{ entry: 'phone/uses', offset: -1, path: `${name.en}: ${((first ?? 0) / 1000).toFixed(1)} s` }],
      })),
    },
  ]
  const uses = (language: 'zh' | 'en') => early.map(({ name }) => name[language]).join(language === 'zh' ? '、' : ', ')
  if (seen.run.install === 'present')
    return answer(
      'manual',
      text('手机上原已安装，可能早已同意过', 'it was on the phone before: somebody may have agreed earlier'),
    )
  if (early.length > 0)
    return answer(
      'fail',
      text(
        `首次操作前（${untouched} 秒内）已使用：${uses('zh')}`,
        `used within ${untouched} s, before any input: ${uses('en')}`,
      ),
    )
  if (missing.has('uses')) return answer('not_assessed', unseenReason(['uses']))
  if (dialogs.length > 0)
    return answer(
      'manual',
      text(
        '用户操作前弹出了权限申请，请看截图确认此前是否已告知并取得同意',
        'a permission was asked for before any input: see on the screenshots whether the user was told and agreed before',
      ),
    )
  return answer(
    'pass',
    text(
      `首次操作前的 ${untouched} 秒内没有使用个人信息`,
      `nothing personal was used in the ${untouched} s before the first input`,
    ),
  )
}
