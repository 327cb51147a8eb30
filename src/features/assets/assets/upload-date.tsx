import { X } from 'lucide-react'
import { isRangeText } from '#domain/time-range.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { TimeRangeControl } from '#src/shared/query/time-range-control.tsx'
import { Button } from '#src/shared/ui/button.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { assetTexts } from './asset-texts.ts'

const FIRST = '-30d'

/** The upload date range: none, or any range with its calendar. */
export function UploadDate({ range, onChange }: { range: string | null; onChange: (range: string | null) => void }) {
  const t = useTexts(assetTexts)
  if (range === null || !isRangeText(range))
    return (
      <Button size="small" onPress={() => onChange(FIRST)}>
        {t('anyDate')}
      </Button>
    )
  return (
    <span className="inline-flex items-center gap-1 max-sm:w-full" title={t('uploaded')}>
      <TimeRangeControl range={range} onChange={onChange} />
      <IconButton size="small" icon={X} label={t('clearDate')} onPress={() => onChange(null)} />
    </span>
  )
}
