import { ShieldPlus } from 'lucide-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { errorText } from '#contracts/errors.ts'
import { reinforcePolicies, reinforcePolicy } from '#contracts/http/reinforce-policies.ts'
import { createReinforceTasks, reinforceTasks } from '#contracts/http/reinforce-tasks.ts'
import { PAGES } from '#contracts/pages.ts'
import { missingSettings } from '#domain/reinforce-policy.ts'
import { FilePicker } from '#src/features/detection/parts/file-picker/file-picker.tsx'
import { useChosenFiles } from '#src/features/detection/parts/file-picker/use-chosen-files.ts'
import { PermittedPage } from '#src/shared/account/permitted-page.tsx'
import type { ApiError } from '#src/shared/api/api-error.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { useAddress } from '#src/shared/table/use-address.ts'
import { useActions } from '#src/shared/ui/actions.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { useStillShown } from '#src/shared/ui/use-still-shown.ts'
import { taskPath } from '../task-path.ts'
import { taskTexts } from '../task-texts.ts'
import { kindsOf, PACKAGES, problemOf } from './chosen-packages.ts'
import { newTexts } from './new-texts.ts'
import { PolicyChoice } from './policy-choice.tsx'
import { PolicyOutline, signsAny } from './policy-outline-view.tsx'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** /reinforce/new: packages and a policy. `file` (ids) and `policy` in the address name those to begin with. */
export default function ReinforceNewPage() {
  return (
    <PermittedPage page="reinforce_new" permission="asset.harden">
      <NewReinforcement />
    </PermittedPage>
  )
}

function NewReinforcement() {
  const t = useTexts(newTexts)
  const s = useTexts(taskTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const isStillShown = useStillShown()
  const mayView = useMay('harden.view')
  const address = useAddress()
  const { params, setParams } = address
  const choice = useChosenFiles(address, PACKAGES)
  const { ids } = choice
  const policyId = UUID.test(params.get('policy') ?? '') ? params.get('policy') : null
  const [tried, setTried] = useState(false)
  const policies = useEndpoint(reinforcePolicies)
  const summary = policies.data?.data.find(({ id }) => id === policyId)
  const detail = useEndpoint(reinforcePolicy, { query: { id: policyId ?? '' } }, { enabled: summary !== undefined })
  const policy = summary && detail.data?.data
  const send = useAction(createReinforceTasks, {
    quiet: true,
    refreshes: [reinforceTasks],
    onSuccess: ({ data }) => {
      const [first] = data
      toast.success(data.length === 1 ? t('started') : t('startedMany', { count: data.length }))
      if (!isStillShown()) return
      if (!mayView) setParams({ file: null }, true)
      else if (first && data.length === 1) void navigate(taskPath(first.id))
      else void navigate(PAGES.reinforce_tasks.path)
    },
  })
  const required = errorText('reinforce.required', language)
  const isWrong = choice.files.some(({ file, isMissing }) => isMissing || (file && problemOf(file) !== null))
  const kinds = kindsOf(choice.files)
  const isIncomplete =
    policy !== undefined && ((policy.hidden_signature && signsAny(kinds)) || missingSettings(policy.options).length > 0)

  function start(): void {
    setTried(true)
    if (ids.length === 0 || !summary || isWrong || isIncomplete) return
    send.mutate({ body: { files: ids.map(Number), policy: summary.id } })
  }
  useActions([
    { id: 'reinforce.start', label: t('start'), group: PAGES.reinforce_new[language], icon: ShieldPlus, run: start },
  ])

  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle
        title={PAGES.reinforce_new[language]}
        actions={
          <Button
            variant="primary"
            icon={ShieldPlus}
            isDisabled={send.isPending || isWrong || isIncomplete}
            onPress={start}
          >
            {ids.length > 1 ? t('startMany', { count: ids.length }) : t('start')}
          </Button>
        }
      />
      {send.error && <Refusal error={send.error} />}
      <div className="grid flex-1 grid-cols-[minmax(0,1fr)_440px] border-t max-lg:grid-cols-1 2xl:grid-cols-[minmax(0,1fr)_400px_440px]">
        <FilePicker
          address={address}
          choice={choice}
          note={t('filesNote')}
          emptyHint={t('noFilesHint')}
          problemOf={(file) => {
            const problem = problemOf(file)
            return problem && t(`problem_${problem}`)
          }}
          error={tried && ids.length === 0 ? required : undefined}
        />
        <div className="flex min-w-0 flex-col border-l max-lg:border-t max-lg:border-l-0 2xl:contents">
          <div className="min-w-0 2xl:border-l">
            <PolicyChoice
              value={policyId}
              error={tried && policyId === null ? required : undefined}
              onChange={(id) => setParams({ policy: id }, true)}
            />
          </div>
          <Section plain title={t('summary')} className="border-t 2xl:border-t-0 2xl:border-l">
            {policy ? (
              <PolicyOutline policy={policy} signature={summary.signature} kinds={kinds} />
            ) : detail.error ? (
              <ErrorState error={detail.error} onRetry={() => void detail.refetch()} />
            ) : summary ? (
              <Skeleton lines={8} className="px-5 pt-2 pb-5" />
            ) : (
              <p className="px-5 pb-4 text-muted max-lg:px-4">{t('summaryFirst')}</p>
            )}
            <p className="mt-auto px-5 py-3 text-12 text-muted max-lg:px-4">
              {s(signsAny(kinds) ? 'engineNote' : 'libraryNote')}
            </p>
          </Section>
        </div>
      </div>
    </div>
  )
}

/** Why nothing was started; a task that exists already can be opened. */
function Refusal({ error }: { error: ApiError }) {
  const t = useTexts(newTexts)
  const existing = error.fields['task']
  return (
    <p role="alert" className="mx-5 mb-3 flex flex-wrap items-center gap-x-4 rounded bg-bad-soft px-4 py-2 max-lg:mx-4">
      <span>{error.message}</span>
      {typeof existing === 'string' && (
        <Link to={taskPath(existing)} className="text-brand-text hover:underline">
          {t('existing')}
        </Link>
      )}
    </p>
  )
}
