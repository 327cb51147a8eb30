import type { ReactNode } from 'react'
import type { NetworkLine } from '#contracts/http/audit-log.ts'
import { formatBytes, formatExact } from '#src/shared/format/number.ts'
import type { Translate } from '#src/shared/i18n/texts.ts'
import type { Column } from '#src/shared/table/data-table.tsx'
import type { logTexts } from './log-texts.ts'
import { LogTime } from './log-time.tsx'

type T = Translate<keyof typeof logTexts.entries & string>

/** `onOnly` narrows the list to lines with the value of a cell. */
export function networkColumns(
  t: T,
  zone: string,
  onOnly: (name: string, value: string) => void,
): Column<NetworkLine>[] {
  const only = (name: string, value: string, shown: ReactNode) =>
    value && (
      <button
        type="button"
        title={t('only', { value })}
        onClick={() => onOnly(name, value)}
        className="text-clip-line block max-w-56 rounded-small text-left hover:text-brand-text hover:underline"
      >
        {shown}
      </button>
    )
  return [
    {
      id: 'time',
      header: t('time'),
      fixed: true,
      cell: ({ at }) => <LogTime at={at} zone={zone} short={false} />,
    },
    { id: 'kind', header: t('kind'), cell: ({ kind }) => t(`kind_${kind}`) },
    {
      id: 'account',
      header: t('networkAccount'),
      wide: true,
      cell: ({ account }) => only('account', account, account),
    },
    { id: 'application', header: t('application'), wide: true, cell: ({ application }) => application ?? '' },
    {
      id: 'address',
      header: t('address'),
      wide: true,
      cell: ({ address }) => only('address', address, <span className="font-mono text-12">{address}</span>),
    },
    {
      id: 'method',
      header: t('method'),
      wide: true,
      cell: ({ method }) => <span className="font-mono text-12 text-muted">{method}</span>,
    },
    {
      id: 'path',
      header: t('path'),
      fixed: true,
      cell: ({ path }) => (
        <span className="text-clip-line block max-w-[max(14rem,20vw)] font-mono text-12" title={path}>
          {path}
        </span>
      ),
    },
    { id: 'status', header: t('status'), fixed: true, numeric: true, cell: (line) => <Status {...line} /> },
    {
      id: 'size',
      header: t('size'),
      wide: true,
      numeric: true,
      cell: ({ size }) => <span className="text-muted">{formatBytes(size)}</span>,
    },
    {
      id: 'milliseconds',
      header: t('milliseconds'),
      wide: true,
      numeric: true,
      cell: ({ milliseconds }) => `${formatExact(Math.round(milliseconds))} ms`,
    },
  ]
}

/** The HTTP status, and the code of a refusal that travels with status 200. */
function Status({ status, code }: Pick<NetworkLine, 'status' | 'code'>) {
  const tone = status >= 500 ? 'font-semibold text-bad-text' : status >= 400 || code !== 0 ? 'text-bad-text' : ''
  return (
    <span className={`tabular-nums ${tone}`}>
      {status}
      {code !== 0 && <span className="pl-1.5 text-12">{code}</span>}
    </span>
  )
}
