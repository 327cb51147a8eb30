import { actionName } from '#contracts/audit-actions.ts'
import type { AuditEntry } from '#contracts/http/audit-log.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import type { Language, Translate } from '#src/shared/i18n/texts.ts'
import type { Column } from '#src/shared/table/data-table.tsx'
import { AccountName } from './account-name.tsx'
import type { logTexts } from './log-texts.ts'
import { LogTime } from './log-time.tsx'

/** Left out beside the drawer, which says the same of the open entry. */
export const BESIDE_DRAWER = ['role', 'last_login_at', 'address', 'detail']

export function auditColumns(
  t: Translate<keyof typeof logTexts.entries & string>,
  language: Language,
  zone: string,
  /** Beside the open drawer there is less room. */
  short: boolean,
): Column<AuditEntry>[] {
  return [
    {
      id: 'time',
      header: t('time'),
      fixed: true,
      cell: ({ at }) => <LogTime at={at} zone={zone} short={short} />,
    },
    {
      id: 'account',
      header: t('account'),
      fixed: true,
      cell: ({ account }) => (
        <span className="block max-w-56 max-sm:max-w-24">
          <AccountName account={account} />
        </span>
      ),
    },
    {
      id: 'role',
      header: t('role'),
      wide: true,
      cell: (entry) => <span className="text-muted">{roleName(entry, language)}</span>,
    },
    { id: 'action', header: t('action'), fixed: true, cell: ({ action }) => actionName(action)[language] },
    {
      id: 'target',
      header: t('target'),
      wide: true,
      cell: ({ target }) => (
        <span className="text-clip-line block max-w-[max(10rem,14vw)]" title={target}>
          {target}
        </span>
      ),
    },
    {
      id: 'result',
      header: t('result'),
      fixed: true,
      cell: (entry) => (
        <span
          className={`text-clip-line block max-w-40 max-sm:max-w-20 ${entry.result === 'ok' ? '' : 'text-bad-text'}`}
        >
          {entry.result === 'ok' ? t('ok') : refusalText(entry, language)}
        </span>
      ),
    },
    {
      id: 'last_login_at',
      header: t('lastSignIn'),
      wide: true,
      cell: ({ last_login_at }) =>
        last_login_at === null ? (
          <span className="text-muted">{t('neverSignedIn')}</span>
        ) : (
          <span className="text-muted tabular-nums">{formatDateTime(last_login_at, zone, 'minute', Date.now())}</span>
        ),
    },
    {
      id: 'address',
      header: t('address'),
      wide: true,
      spare: true,
      cell: ({ address }) => <span className="font-mono text-12 text-muted">{address}</span>,
    },
    {
      id: 'detail',
      header: t('detail'),
      wide: true,
      spare: true,
      cell: ({ detail }) => (
        <span className="text-clip-line block max-w-[max(12rem,14vw)] text-muted" title={detail}>
          {detail}
        </span>
      ),
    },
  ]
}

/** The name of the role that the account had; a role that is gone shows its key. */
export function roleName({ role, role_name }: Pick<AuditEntry, 'role' | 'role_name'>, language: Language): string {
  return role_name?.[language] ?? role
}

export function refusalText(
  { result, result_name }: Pick<AuditEntry, 'result' | 'result_name'>,
  language: Language,
): string {
  return result_name?.[language] ?? result
}
