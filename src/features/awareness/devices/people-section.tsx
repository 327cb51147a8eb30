import { Trash2, User } from 'lucide-react'
import { useNavigate } from 'react-router-dom'
import type { DeviceFacts } from '#contracts/http/devices.ts'
import { PAGES } from '#contracts/pages.ts'
import type { Filter, Query } from '#domain/query.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import { shortHash, useNameOf } from '#src/shared/query/value-names.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { Num } from '#src/shared/ui/num.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { deviceTexts } from './device-texts.ts'

/** Applications and users of the device; their counts open the events. */
export function PeopleSection({
  facts,
  state,
  onRows,
  onEraseUser,
}: {
  facts: DeviceFacts
  state: QueryState
  onRows: (query: Query) => void
  onEraseUser: (user: string) => void
}) {
  const t = useTexts(deviceTexts)
  const nameOf = useNameOf()
  const navigate = useNavigate()
  const mayErase = useMay('personal.erase')
  const mayTrace = useMay('mssa')
  const open = (and: Filter) => onRows({ ...state.query, filters: [...state.query.filters, and] })
  const numbers = (
    { events, attacks, last_at }: { events: number; attacks: number; last_at: number },
    filter: Filter,
  ) => (
    <>
      <td className="text-right">
        <button type="button" className="text-brand-text hover:underline" onClick={() => open(filter)}>
          <Num value={events} />
        </button>
      </td>
      <td className="pl-3 text-right">
        <Num value={attacks} />
      </td>
      <td className="pl-3 text-right text-12 text-muted">
        <RelativeTime at={last_at} />
      </td>
    </>
  )
  return (
    <Section plain title={t('people')} className="border-t">
      <div className="overflow-x-auto px-5 pb-3">
        <table className="w-full border-collapse text-13">
          <thead>
            <tr className="h-7 border-b text-12 text-muted">
              <th className="text-left font-normal">{t('apps')}</th>
              <th />
              <th className="text-right font-normal">{t('eventsColumn')}</th>
              <th className="pl-3 text-right font-normal">{t('attackColumn')}</th>
              <th className="pl-3 text-right font-normal">{t('lastColumn')}</th>
            </tr>
          </thead>
          <tbody>
            {facts.apps.map((app) => (
              <tr key={app.appid} className="h-8 border-b">
                <td>{nameOf('app', app.appid)}</td>
                <td className="pl-3 text-12 text-muted">{app.version}</td>
                {numbers(app, { field: 'app', op: 'is', values: [app.appid] })}
              </tr>
            ))}
            {facts.users.map((user) => (
              <tr key={user.user} className="h-8 border-b">
                <td>
                  <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
                    <Icon of={User} size={14} className="text-muted" />
                    {mayTrace ? (
                      <button
                        type="button"
                        className="font-mono text-12 text-brand-text hover:underline"
                        title={t('openUser')}
                        onClick={() => void navigate(`${PAGES.investigation.path}?subject=user:${user.user}`)}
                      >
                        {shortHash('user', user.user)}
                      </button>
                    ) : (
                      <code className="text-12">{shortHash('user', user.user)}</code>
                    )}
                    {mayErase && (
                      <IconButton
                        size="small"
                        label={t('eraseUser')}
                        icon={Trash2}
                        onPress={() => onEraseUser(user.user)}
                      />
                    )}
                  </span>
                </td>
                <td className="pl-3 text-12 text-muted">{t('devicesOf', { count: user.devices })}</td>
                {numbers(user, { field: 'user', op: 'is', values: [user.user] })}
              </tr>
            ))}
          </tbody>
        </table>
        {facts.counts.users > facts.users.length && (
          <p className="pt-1 text-12 text-muted">
            {t('usersWord')}: {t('listed', { shown: facts.users.length, count: facts.counts.users })}
          </p>
        )}
      </div>
    </Section>
  )
}
