import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react'
import type { CheckOutcome, FoundItem } from '#contracts/http/maintenance/checks.ts'
import { areaOf, CHECK_AREAS, CHECKS, FOUND } from '#contracts/maintenance-checks.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { maintenanceTexts } from './maintenance-texts.ts'

const SHOWN = 5

/** One check: what it looked at, what it found, and what repair does. `isChosen` null: there is nothing to choose. */
export function CheckRow({
  outcome,
  isRepair,
  isChosen,
  onChoose,
}: {
  outcome: CheckOutcome
  isRepair: boolean
  isChosen: boolean | null
  onChoose: (on: boolean) => void
}) {
  const t = useTexts(maintenanceTexts)
  const language = useLanguage()
  const { check, count, repairable, repaired, reason, items, checked } = outcome
  const name = `${CHECK_AREAS[areaOf(check)][language]} · ${CHECKS[check][language]}`
  const left = count - repaired
  const state = reason !== null || (left > 0 && repairable < count) ? 'bad' : left > 0 ? 'warn' : 'good'
  const mark = { good: CircleCheck, warn: TriangleAlert, bad: CircleX }[state]
  const color = { good: 'text-good-text', warn: 'text-warn-text', bad: 'text-bad-text' }[state]
  const verdict = isRepair
    ? [repaired > 0 && t('done', { count: repaired }), left > 0 && t('left', { count: left })]
    : [
        repairable > 0 && t('doRepair', { count: repairable }),
        count > repairable && t('doSay', { count: count - repairable }),
      ]
  return (
    <li className="border-b px-5 py-2 max-lg:px-4" data-check={check}>
      <div className="flex min-h-6 flex-wrap items-center gap-x-3">
        {isChosen === null ? (
          <span className="w-4" />
        ) : (
          <Checkbox label={t('repairOf', { name })} isSelected={isChosen} onChange={onChoose} />
        )}
        <Icon of={mark} size={16} className={color} />
        <span className="font-semibold">{name}</span>
        <span className="text-12 text-muted tabular-nums">{reason === null && t('checked', { count: checked })}</span>
        <span className="ml-auto text-12">
          {count === 0 && reason === null ? (
            <span className="text-muted">{t('good')}</span>
          ) : (
            verdict.filter(Boolean).join(language === 'zh' ? '，' : ', ')
          )}
        </span>
      </div>
      {reason !== null && <p className="pl-14 text-12 text-bad-text max-sm:pl-7">{t('notLooked', { reason })}</p>}
      {items.length > 0 && (
        <ul className="mt-1 space-y-1 pl-14 text-12 max-sm:pl-7">
          {items.slice(0, SHOWN).map((item) => (
            <Item key={`${item.text} ${item.name}`} item={item} />
          ))}
          {items.length > SHOWN && <li className="text-muted">{t('more', { count: items.length - SHOWN })}</li>}
        </ul>
      )}
    </li>
  )
}

function Item({ item }: { item: FoundItem }) {
  const t = useTexts(maintenanceTexts)
  const language = useLanguage()
  const text = FOUND[item.text][language].replace(/\{(\w+)\}/g, (all, key: string) => String(item.params[key] ?? all))
  return (
    <li className="[overflow-wrap:anywhere]">
      <code className="mr-2">{item.name}</code>
      <span className="text-muted">{text}</span>
      {item.repaired && <span className="ml-2 text-good-text">{t('repairedItem')}</span>}
      {item.reason !== null && <span className="ml-2 text-bad-text">{t('repairFailed', { reason: item.reason })}</span>}
    </li>
  )
}
