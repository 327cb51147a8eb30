import { useNavigate } from 'react-router-dom'
import type { Application } from '#contracts/http/applications.ts'
import { createPolicy, policyList } from '#contracts/http/policies.ts'
import { PAGES } from '#contracts/pages.ts'
import { ProtectType } from '#src/features/protection/parts/protect-type.tsx'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { pageAllowed, useAuthList, useMay } from '#src/shared/session/session-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { constructionTexts } from './construction-texts.ts'

/** Whether apps act, and by which policy. */
export function RulesStep({ application, onNext }: { application: Application; onNext: () => void }) {
  const t = useTexts(constructionTexts)
  const navigate = useNavigate()
  const auth = useAuthList()
  const [mayEdit, mayDeploy] = [useMay('policy.edit'), useMay('policy.deploy')]
  const mayOpen = pageAllowed(PAGES.policies, auth)
  const answer = useEndpoint(policyList, { query: { appid: application.id } }, { enabled: mayEdit || mayDeploy })
  const create = useAction(createPolicy, { refreshes: [policyList] })
  const open = (id: string) => void navigate(`${PAGES.policies.path}?policy=${id}`)
  const list = (answer.data?.data ?? []).filter((one) => one.archived_at === null)
  return (
    <div className="max-w-3xl space-y-4 px-5 pb-6">
      <p className="text-muted">{t('rulesText')}</p>
      <ProtectType application={application} note />
      {!mayEdit && !mayDeploy ? (
        <p className="rounded bg-canvas px-3 py-2.5 text-muted">{t('forbidden')}</p>
      ) : answer.error && !answer.data ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : (
        <ul aria-label={t('rules')} className="rounded border">
          {answer.data && list.length === 0 && (
            <li className="flex min-h-11 items-center gap-3 px-4">
              <span className="flex-1 text-muted">{t('noPolicy')}</span>
              {mayEdit && mayOpen && (
                <Button
                  size="small"
                  isDisabled={create.isPending}
                  onPress={() =>
                    create.mutate(
                      { body: { appid: application.id, name: t('recommended'), start: 'recommended' } },
                      { onSuccess: ({ data }) => open(data.id) },
                    )
                  }
                >
                  {t('makePolicy')}
                </Button>
              )}
            </li>
          )}
          {list.map((one) => {
            const live = one.live.find((deployment) => deployment.state === 'running')
            return (
              <li key={one.id} className="flex min-h-11 items-center gap-3 border-b px-4 last:border-b-0">
                <span className="font-semibold">{one.name}</span>
                <span className={`flex-1 text-12 ${live ? 'text-good-text' : 'text-muted'}`}>
                  {live ? t('policyLive', { version: live.version, percent: live.percent }) : t('policyIdle')}
                </span>
                {mayOpen && (
                  <Button size="small" onPress={() => open(one.id)}>
                    {t('openPolicy')}
                  </Button>
                )}
              </li>
            )
          })}
        </ul>
      )}
      <Button variant="primary" onPress={onNext}>
        {t('next')}
      </Button>
    </div>
  )
}
