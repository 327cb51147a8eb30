import { useState } from 'react'
import { assignCourse, courses, TRAINING_LIMITS, trainingTeam } from '#contracts/http/training.ts'
import { nextDay } from '#domain/time-range.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { startOfDate } from '#src/shared/query/range-text.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { FormDialog } from '#src/shared/ui/form-dialog.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import type { OpenCourse } from './course-rail.tsx'
import { trainingTexts } from './training-texts.ts'

/** Assigns a course to accounts, with or without a day. */
export function AssignDialog({ course, onClose }: { course: OpenCourse; onClose: () => void }) {
  const t = useTexts(trainingTexts)
  const language = useLanguage()
  const zone = usePlatform((platform) => platform.zone)
  const [chosen, setChosen] = useState<readonly number[]>([])
  const [find, setFind] = useState('')
  const [day, setDay] = useState('')
  const team = useEndpoint(trainingTeam, { query: { language, course: course.id } })
  const assign = useAction(assignCourse, {
    refreshes: [trainingTeam, courses],
    onSuccess({ assigned }) {
      toast.success(t('assigned', { count: assigned }))
      onClose()
    },
  })
  const words = find.trim().toLowerCase()
  const accounts = (team.data?.accounts ?? []).filter(({ username }) => username.toLowerCase().includes(words))
  const start = startOfDate(day, zone)
  const due = start === null ? null : nextDay(start, zone) - 1
  return (
    <FormDialog
      title={t('assignTitle', { title: course.title })}
      submitLabel={t('assign')}
      isDisabled={chosen.length === 0 || chosen.length > TRAINING_LIMITS.accounts || assign.isPending}
      onSubmit={() => assign.mutate({ body: { course: course.id, users: [...chosen], due_at: due } })}
      onClose={onClose}
    >
      <TextField label={t('dueDay')} value={day} onChange={setDay} note={t('dueNote')} type="date" />
      <TextField label={t('findAccount')} value={find} onChange={setFind} maxLength={100} autoFocus />
      <fieldset>
        <legend className="mb-1 flex w-full items-baseline gap-2">
          <span>{t('accounts')}</span>
          <span className="text-12 text-muted">{t('chosen', { count: chosen.length })}</span>
        </legend>
        <div className="max-h-64 overflow-auto rounded border px-3 py-1.5">
          {team.error ? (
            <ErrorState error={team.error} onRetry={() => void team.refetch()} />
          ) : !team.data ? (
            <Skeleton lines={4} />
          ) : accounts.length === 0 ? (
            <p className="py-1 text-12 text-muted">{t('noAccount')}</p>
          ) : (
            <ul>
              {accounts.map(({ id, username }) => (
                <li key={id} className="py-1">
                  <Checkbox
                    isSelected={chosen.includes(id)}
                    onChange={(on) => setChosen(on ? [...chosen, id] : chosen.filter((one) => one !== id))}
                  >
                    <span className="text-clip-line min-w-0">{username}</span>
                  </Checkbox>
                </li>
              ))}
            </ul>
          )}
        </div>
      </fieldset>
    </FormDialog>
  )
}
