import { FINDING_LEVELS } from '#contracts/detection/kinds.ts'
import type { Gate } from '#contracts/http/detection/tasks.ts'
import type { Translate } from '#src/shared/i18n/texts.ts'
import type { strategiesTexts } from './strategies-texts.ts'

/** The conditions of a gate in one line; '' without any. */
export function gateText(
  gate: Gate,
  language: 'zh' | 'en',
  t: Translate<keyof typeof strategiesTexts.entries & string>,
): string {
  const parts = [
    gate.min_score !== null && t('scoreOf', { count: gate.min_score }),
    ...(['high', 'middle', 'low'] as const).map(
      (level) =>
        gate.max[level] !== null && t('levelOf', { level: FINDING_LEVELS[level][language], count: gate.max[level] }),
    ),
    gate.forbidden.length > 0 && t('forbiddenOf', { count: gate.forbidden.length }),
    gate.need_assessed && t('assessedOf'),
    gate.need_signature && t('signatureOf'),
  ].filter((one) => one !== false)
  if (parts.length > 0 && gate.own_only) parts.push(t('ownOf'))
  return parts.join(language === 'zh' ? '，' : ', ')
}
