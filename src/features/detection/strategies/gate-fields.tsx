import { X } from 'lucide-react'
import type { DetectionItem } from '#contracts/http/detection/tasks.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { strategiesTexts } from './strategies-texts.ts'
import { DRAFT_LIMITS, limitOf, type StrategyDraft } from './strategy-draft.ts'

/** What a release needs: least score, most failed items by level, items that may not fail. */
export function GateFields({
  draft,
  items,
  isReadOnly,
  onChange,
}: {
  draft: StrategyDraft
  items: readonly DetectionItem[]
  isReadOnly: boolean
  onChange: (change: Partial<StrategyDraft>) => void
}) {
  const t = useTexts(strategiesTexts)
  const language = useLanguage()
  const number = (label: string, value: string, most: number, set: (value: string) => void) => (
    <TextField
      label={label}
      value={value}
      onChange={set}
      placeholder={t('noLimit')}
      maxLength={4}
      isReadOnly={isReadOnly}
      error={limitOf(value, most) === undefined ? t('number', { most }) : undefined}
    />
  )
  const forbidden = items.filter((one) => draft.forbidden.has(one.id))
  return (
    <div className="flex flex-col gap-3">
      <div className="grid grid-cols-4 gap-2 max-sm:grid-cols-2">
        {number(t('minScore'), draft.minScore, DRAFT_LIMITS.score, (minScore) => onChange({ minScore }))}
        {number(t('maxHigh'), draft.max.high, DRAFT_LIMITS.items, (high) => onChange({ max: { ...draft.max, high } }))}
        {number(t('maxMiddle'), draft.max.middle, DRAFT_LIMITS.items, (middle) =>
          onChange({ max: { ...draft.max, middle } }),
        )}
        {number(t('maxLow'), draft.max.low, DRAFT_LIMITS.items, (low) => onChange({ max: { ...draft.max, low } }))}
      </div>
      <Checkbox isSelected={draft.ownOnly} isDisabled={isReadOnly} onChange={(ownOnly) => onChange({ ownOnly })}>
        {t('ownOnly')}
      </Checkbox>
      <Checkbox
        isSelected={draft.needAssessed}
        isDisabled={isReadOnly}
        onChange={(needAssessed) => onChange({ needAssessed })}
      >
        {t('needAssessed')}
      </Checkbox>
      <Checkbox
        isSelected={draft.needSignature}
        isDisabled={isReadOnly}
        onChange={(needSignature) => onChange({ needSignature })}
      >
        {t('needSignature')}
      </Checkbox>
      <div>
        <h3 className="pb-1">{t('forbidden')}</h3>
        {!isReadOnly && <p className="text-12 text-muted">{t('forbiddenNote')}</p>}
        <ul>
          {forbidden.map((one) => (
            <li key={one.id} className="flex min-h-8 items-center justify-between gap-2 border-b">
              {one.name[language]}
              {!isReadOnly && (
                <IconButton
                  size="small"
                  icon={X}
                  label={`${t('remove')} ${one.name[language]}`}
                  onPress={() => onChange({ forbidden: new Set([...draft.forbidden].filter((id) => id !== one.id)) })}
                />
              )}
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
