import { FileArchive, FileCode } from 'lucide-react'
import { SCRIPT_PRESETS, type Script } from '#contracts/http/js-protection.ts'
import { formatBytes } from '#src/shared/format/number.ts'
import { shortAccount } from '#src/shared/format/text.ts'
import type { Language, Translate } from '#src/shared/i18n/texts.ts'
import type { Column } from '#src/shared/table/data-table.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import type { jsTexts } from './js-texts.ts'
import { ScriptState } from './script-state.tsx'

export type JsText = Translate<keyof typeof jsTexts.entries & string>

/** What the list shows of a script; beside an open one there is room for the first columns alone. */
export function scriptColumns(t: JsText, language: Language, isNarrow: boolean): Column<Script>[] {
  const columns: (Column<Script> & { hide?: boolean })[] = [
    {
      id: 'name',
      header: t('name'),
      fixed: true,
      cell: ({ name, kind }) => (
        <span className="flex min-w-0 items-center gap-2">
          <Icon of={kind === 'zip' ? FileArchive : FileCode} size={16} className="flex-none text-muted" />
          <span className="text-clip-line" title={name}>
            {name}
          </span>
        </span>
      ),
    },
    {
      id: 'size',
      header: t('size'),
      width: '84px',
      numeric: true,
      wide: true,
      cell: ({ size }) => formatBytes(size),
    },
    {
      id: 'state',
      header: t('status'),
      width: isNarrow ? '150px' : '230px',
      cell: (script) => <ScriptState script={script} />,
    },
    {
      id: 'preset',
      header: t('preset'),
      width: '64px',
      wide: true,
      hide: isNarrow,
      cell: ({ options }) => (options ? SCRIPT_PRESETS[options.preset][language] : '—'),
    },
    {
      id: 'operator',
      header: t('operator'),
      width: isNarrow ? '104px' : '140px',
      wide: true,
      cell: ({ operator }) => (
        <span className="text-clip-line block" title={operator}>
          {operator ? shortAccount(operator) : '—'}
        </span>
      ),
    },
    {
      id: 'time',
      header: t('time'),
      width: isNarrow ? '92px' : '128px',
      wide: true,
      cell: ({ created_at, started_at, ended_at }) => <RelativeTime at={ended_at ?? started_at ?? created_at} />,
    },
  ]
  return columns.filter(({ hide }) => !hide)
}
