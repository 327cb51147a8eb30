import { Download } from 'lucide-react'
import type { PartInput, Query } from '#contracts/query.ts'
import { formatExact } from '../format/number.ts'
import { useTexts } from '../i18n/texts.ts'
import { useMay } from '../session/session-store.ts'
import { Button } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { MenuButton } from '../ui/menu-button.tsx'
import { tableTexts } from './table-texts.ts'
import { useExport } from './use-export.ts'

/** Exports the whole filtered set of a part as CSV or Excel; without the right to it the button says so. */
export function ExportMenu({
  query,
  part,
  title,
  total,
  primary = false,
}: {
  query: Query
  part: PartInput
  title: string
  /** Lines there will be; 0 leaves nothing to export. */
  total: number
  /** The page's one primary button, with its word; else a small icon in a head. */
  primary?: boolean
}) {
  const t = useTexts(tableTexts)
  const mayExport = useMay('events.export')
  const startExport = useExport()
  const isDisabled = !mayExport || total === 0
  const label = !mayExport ? t('exportMissing') : primary ? t('export') : t('exportOf', { title })
  return (
    <MenuButton
      label={label}
      trigger={
        primary ? (
          <Button variant="primary" icon={Download} isDisabled={isDisabled} {...(!mayExport && { title: label })}>
            {t('export')}
          </Button>
        ) : (
          <IconButton size="small" label={label} icon={Download} isDisabled={isDisabled} />
        )
      }
      items={(['csv', 'xlsx'] as const).map((format) => ({
        id: format,
        label: t(format),
        hint: formatExact(total),
        onAction: () => startExport(query, part, title, format),
      }))}
    />
  )
}
