import { KeyRound } from 'lucide-react'
import { SIGNATURE_FORMATS, type SignatureFile } from '#contracts/http/reinforce-signatures.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import type { Translate } from '#src/shared/i18n/texts.ts'
import type { NameOf } from '#src/shared/query/value-names.ts'
import type { Column } from '#src/shared/table/data-table.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { SignatureState } from './signature-state.tsx'
import type { signatureTexts } from './signature-texts.ts'

type Context = {
  t: Translate<keyof typeof signatureTexts.entries & string>
  nameOf: NameOf
  zone: string
  now: number
  /** A file is open beside the list. */
  isNarrow: boolean
}

export function signatureColumns({ t, nameOf, zone, now, isNarrow }: Context): Column<SignatureFile>[] {
  const columns: (Column<SignatureFile> & { hide?: boolean })[] = [
    {
      id: 'name',
      header: t('name'),
      fixed: true,
      cell: ({ name }) => (
        <span className="flex min-w-0 items-center gap-2">
          <Icon of={KeyRound} size={16} className="flex-none text-muted" />
          <span className="text-clip-line" title={name}>
            {name}
          </span>
        </span>
      ),
    },
    {
      id: 'alias',
      header: t('alias'),
      width: '150px',
      wide: true,
      hide: isNarrow,
      cell: ({ alias }) => (
        <code className="text-clip-line block text-12" title={alias}>
          {alias}
        </code>
      ),
    },
    {
      id: 'format',
      header: t('format'),
      width: '84px',
      wide: true,
      hide: isNarrow,
      cell: ({ format }) => SIGNATURE_FORMATS[format],
    },
    {
      id: 'key',
      header: t('key'),
      width: '120px',
      wide: true,
      hide: isNarrow,
      cell: ({ certificates }) => certificates[0]?.key ?? '',
    },
    {
      id: 'app',
      header: t('app'),
      width: '160px',
      wide: true,
      hide: isNarrow,
      cell: ({ appid }) => (
        <span className="text-clip-line block">
          {appid === null ? <span className="text-muted">{t('ownerOnly')}</span> : nameOf('app', appid)}
        </span>
      ),
    },
    {
      id: 'until',
      header: t('until'),
      width: '104px',
      wide: true,
      cell: ({ not_after }) => <span className="tabular-nums">{formatDateTime(not_after, zone, 'day')}</span>,
    },
    {
      id: 'state',
      header: t('state'),
      width: isNarrow ? '150px' : '190px',
      cell: (item) => <SignatureState item={item} now={now} />,
    },
    {
      id: 'policies',
      header: t('policies'),
      width: '72px',
      numeric: true,
      wide: true,
      hide: isNarrow,
      cell: ({ policies }) => policies,
    },
  ]
  return columns.filter(({ hide }) => !hide)
}
