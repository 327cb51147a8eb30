import { OWNER_KINDS } from '#contracts/detection/kinds.ts'
import { detectionTexts } from '#src/features/detection/parts/detection-texts.ts'
import { FindingLevelMark } from '#src/features/detection/parts/finding-level.tsx'
import { VerdictMark } from '#src/features/detection/parts/verdict-mark.tsx'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Chip } from '#src/shared/ui/chip.tsx'
import type { ReportItem } from './report-items.ts'
import { reportTexts } from './report-texts.ts'

/** One line an item: level, what, in whose code and how often, new or not. */
export function ItemList({
  items,
  current,
  onChoose,
}: {
  items: readonly ReportItem[]
  current: string | undefined
  onChoose: (id: string) => void
}) {
  const t = useTexts(reportTexts)
  return (
    <ul aria-label={t('items')}>
      {items.map((one) => (
        <li key={one.item.id}>
          <Row one={one} isCurrent={one.item.id === current} onChoose={onChoose} />
        </li>
      ))}
    </ul>
  )
}

function Row({ one, isCurrent, onChoose }: { one: ReportItem; isCurrent: boolean; onChoose: (id: string) => void }) {
  const t = useTexts(reportTexts)
  const d = useTexts(detectionTexts)
  const language = useLanguage()
  const { item, verdict, change } = one
  const failed = verdict === 'fail' || verdict === 'suppressed'
  return (
    <button
      id={`item-${item.id}`}
      type="button"
      aria-current={isCurrent ? 'true' : undefined}
      onClick={() => onChoose(item.id)}
      className={`flex min-h-11 w-full items-center gap-3 border-b px-3 py-1 text-left hover:bg-hover ${isCurrent ? 'bg-selected shadow-[inset_2px_0_var(--brand)]' : ''}`}
    >
      <span className="w-14 flex-none">
        <FindingLevelMark level={item.level} />
      </span>
      <span className="min-w-0 flex-1">
        <span className={`text-clip-line block ${isCurrent ? 'font-semibold' : ''}`} title={item.name[language]}>
          {item.name[language]}
        </span>
        <span className="text-clip-line block text-12/4 text-muted">
          {failed
            ? [OWNER_KINDS[item.owner ?? 'own'][language], t('hits', { count: item.hits })].join(
                language === 'zh' ? '，' : ', ',
              )
            : item.reason?.[language]}
        </span>
      </span>
      {verdict === 'suppressed' ? (
        <Chip tone="neutral">{t('suppressed')}</Chip>
      ) : verdict !== 'fail' ? (
        <span className="text-12">
          <VerdictMark verdict={verdict} />
        </span>
      ) : change === 'new' ? (
        <Chip>{d('added')}</Chip>
      ) : (
        change !== null && <span className="text-12 text-muted">{d('unchanged')}</span>
      )}
    </button>
  )
}
