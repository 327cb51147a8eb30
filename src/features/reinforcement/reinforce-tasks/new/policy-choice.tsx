import { Plus } from 'lucide-react'
import { Radio, RadioGroup } from 'react-aria-components'
import { Link, useNavigate } from 'react-router-dom'
import { type ReinforcePolicySummary, reinforcePolicies } from '#contracts/http/reinforce-policies.ts'
import { PAGES } from '#contracts/pages.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { taskTexts } from '../task-texts.ts'
import { newTexts } from './new-texts.ts'

/** One policy of those that the caller may use. */
export function PolicyChoice({
  value,
  error,
  onChange,
}: {
  value: string | null
  error: string | undefined
  onChange: (id: string) => void
}) {
  const t = useTexts(newTexts)
  const navigate = useNavigate()
  const answer = useEndpoint(reinforcePolicies)
  const list = answer.data?.data
  const isUnknown = value !== null && list !== undefined && !list.some(({ id }) => id === value)
  return (
    <Section
      plain
      title={t('policy')}
      note={list && list.length > 0 && list.length}
      actions={
        <Link to={PAGES.reinforce_policies.path} className="pr-2 text-12 text-brand-text hover:underline">
          {t('managePolicies')}
        </Link>
      }
    >
      {(error || isUnknown) && (
        <p role="alert" className="px-5 pb-2 text-12 text-bad-text">
          {isUnknown ? t('missingPolicy') : error}
        </p>
      )}
      {answer.error && !list ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : !list ? (
        <Skeleton lines={4} height="32px" className="px-5 py-3" />
      ) : list.length === 0 ? (
        <EmptyState
          kind="none"
          title={t('noPolicies')}
          hint={t('noPoliciesHint')}
          action={
            <Button icon={Plus} onPress={() => void navigate(PAGES.reinforce_policies.path)}>
              {t('newPolicy')}
            </Button>
          }
        />
      ) : (
        <RadioGroup
          aria-label={t('policy')}
          value={isUnknown ? null : value}
          onChange={onChange}
          isInvalid={error !== undefined}
          className="max-h-80 overflow-auto border-t 2xl:max-h-none"
        >
          {list.map((policy) => (
            <PolicyRow key={policy.id} policy={policy} />
          ))}
        </RadioGroup>
      )}
    </Section>
  )
}

function PolicyRow({ policy }: { policy: ReinforcePolicySummary }) {
  const t = useTexts(newTexts)
  const s = useTexts(taskTexts)
  const { id, name, rev, general, chosen, carried_out, signature } = policy
  return (
    <Radio
      value={id}
      className="group flex cursor-pointer items-center gap-3 border-b px-5 py-2 hover:bg-hover selected:bg-selected"
    >
      <span className="flex size-4 flex-none items-center justify-center rounded-full border border-faint bg-surface group-selected:border-brand-fill group-focus-visible:outline-2 group-focus-visible:outline-offset-1 group-focus-visible:outline-brand-fill">
        <span className="size-2 rounded-full group-selected:bg-brand-fill" />
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex min-w-0 items-center gap-2">
          <span className="text-clip-line font-semibold" title={name}>
            {name}
          </span>
          <span className="flex-none text-12 text-muted">v{rev}</span>
          {general && <Chip>{t('general')}</Chip>}
        </span>
        <span className="flex flex-wrap gap-x-3 text-12 text-muted">
          <span>{t('policyCounts', { chosen, carried: carried_out })}</span>
          {signature && <span className="text-clip-line max-w-44">{s('signedWith', { name: signature })}</span>}
        </span>
      </span>
    </Radio>
  )
}
