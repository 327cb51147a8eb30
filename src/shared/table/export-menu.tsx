import { Download } from 'lucide-react'
import type { PartInput, Query } from '#domain/query.ts'
import { formatExact } from '../format/number.ts'
import { useTexts } from '../i18n/texts.ts'
import { useMay } from '../session/session-store.ts'
import { Button } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { MenuButton } from '../ui/menu-button.tsx'
import { tableTexts } from './table-texts.ts'
import { exportOf, type StartExport, useExport } from './use-export.ts'

type Look = {
  title: string
  /** Lines there will be; 0 leaves nothing to export. */
  total: number
  /** The page's one primary button, with its word; else a small icon in a head. */
  primary?: boolean
  /** A button with its word that is not the primary one. */
  named?: boolean
  /** Its word; absent: 'export'. */
  word?: string
  /** Says which permission is missing; absent: that to export events. */
  missing?: string
}

/** Exports the whole filtered set of a part as CSV or Excel; without the right to it the button says so. */
export function ExportMenu({ query, part, ...look }: Look & { query: Query; part: PartInput }) {
  return <ExportListMenu start={exportOf(query, part)} mayExport={useMay('events.export')} {...look} />
}

/** Exports a list as CSV or Excel. */
export function ExportListMenu({
  start,
  mayExport,
  title,
  total,
  primary = false,
  named = false,
  word,
  missing,
}: Look & { start: StartExport; mayExport: boolean }) {
  const t = useTexts(tableTexts)
  const startExport = useExport()
  const isDisabled = !mayExport || total === 0
  const verb = word ?? t('export')
  const label = !mayExport ? (missing ?? t('exportMissing')) : primary || named ? verb : t('exportOf', { title })
  return (
    <MenuButton
      label={label}
      trigger={
        primary || named ? (
          <Button
            {...(primary && { variant: 'primary' as const })}
            icon={Download}
            isDisabled={isDisabled}
            {...(!mayExport && { title: label })}
          >
            {verb}
          </Button>
        ) : (
          <IconButton size="small" label={label} icon={Download} isDisabled={isDisabled} />
        )
      }
      items={(['csv', 'xlsx'] as const).map((format) => ({
        id: format,
        label: t(format),
        hint: formatExact(total),
        onAction: () => startExport(start, title, format),
      }))}
    />
  )
}
