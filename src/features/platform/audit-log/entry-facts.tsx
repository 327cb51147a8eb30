import { zoneOffset } from '#domain/time-range.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Fact } from '#src/shared/ui/fact.tsx'
import { AccountName } from './account-name.tsx'
import { refusalText, roleName } from './audit-columns.tsx'
import { logTexts } from './log-texts.ts'
import type { EntryDetail } from './log-types.ts'

/** Who did what when, from where, and how it ended. */
export function EntryFacts({ entry }: { entry: EntryDetail }) {
  const t = useTexts(logTexts)
  const language = useLanguage()
  const zone = usePlatform((state) => state.zone)
  const { at, account, target, result, address, detail, action, last_login_at } = entry
  const role = roleName(entry, language)
  return (
    <dl className="grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-3 gap-y-1.5 border-b px-5 py-4">
      <Fact name={t('time')}>
        {preciseTime(at, zone)} <span className="text-muted">{zoneName(at, zone)}</span>
      </Fact>
      <Fact name={t('account')}>
        <AccountName account={account} />
      </Fact>
      {role && <Fact name={t('role')}>{role}</Fact>}
      <Fact name={t('action')}>
        <code className="text-12">{action}</code>
      </Fact>
      {target && <Fact name={t('target')}>{target}</Fact>}
      {result !== 'ok' && (
        <Fact name={t('result')}>
          <span className="text-bad-text">{refusalText(entry, language)}</span>{' '}
          <code className="text-12 text-muted">{result}</code>
        </Fact>
      )}
      {address && (
        <Fact name={t('address')}>
          <code className="text-12">{address}</code>
        </Fact>
      )}
      {detail && <Fact name={t('detail')}>{detail}</Fact>}
      {last_login_at !== null && <Fact name={t('lastSignIn')}>{formatDateTime(last_login_at, zone)}</Fact>}
    </dl>
  )
}

/** `2026-11-24 10:12:37.418` */
function preciseTime(at: number, zone: string): string {
  return `${formatDateTime(at, zone)}.${String(at % 1000).padStart(3, '0')}`
}

/** `UTC+8`, `UTC-3:30` */
function zoneName(at: number, zone: string): string {
  const minutes = Math.round(zoneOffset(at, zone) / 60_000)
  const rest = Math.abs(minutes) % 60
  return `UTC${minutes < 0 ? '-' : '+'}${Math.floor(Math.abs(minutes) / 60)}${rest ? `:${String(rest).padStart(2, '0')}` : ''}`
}
