import { endUserSession, type User, userSessions } from '#contracts/http/users.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { browserName } from './browser-name.ts'
import { usersTexts } from './users-texts.ts'

/** Living session and the last ended ones of an account; the living one can be ended. */
export function UserSessions({ user }: { user: User }) {
  const t = useTexts(usersTexts)
  const answer = useEndpoint(userSessions, { query: { id: user.id } })
  const end = useAction(endUserSession, { refreshes: [userSessions] })
  const { data, error } = answer
  return (
    <section className="border-t px-5 py-4">
      <h3 className="mb-2 font-semibold">{t('sessions')}</h3>
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void answer.refetch()} />
      ) : !data ? (
        <Skeleton lines={3} height="20px" />
      ) : data.data.length === 0 ? (
        <p className="text-muted">{t('noSessions')}</p>
      ) : (
        <ul className="space-y-2">
          {data.data.slice(0, 5).map((one) => (
            <li key={one.label} className="flex items-center gap-3">
              <span className="min-w-0 flex-1">
                <span className="block truncate" title={one.agent}>
                  {browserName(one.agent) ?? one.agent}
                </span>
                <span className="block text-12 text-muted">
                  {one.address} · <RelativeTime at={one.last_input_at} /> ·{' '}
                  {one.ended_at === null ? t('signedIn') : one.end_reason && t(`end_${one.end_reason}`)}
                </span>
              </span>
              {one.ended_at === null && !user.super && (
                <Button size="small" variant="quiet" onPress={() => end.mutate({ body: { id: user.id } })}>
                  {t('end')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
