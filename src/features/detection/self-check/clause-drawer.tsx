import { useState } from 'react'
import { Link } from 'react-router-dom'
import { type SelfCheckClause, selfCheckHistory } from '#contracts/http/self-check/checks.ts'
import { FindingLevelMark } from '#src/features/detection/parts/finding-level.tsx'
import { privacyPath } from '#src/features/detection/parts/task-path.ts'
import { VerdictMark } from '#src/features/detection/parts/verdict-mark.tsx'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Drawer } from '#src/shared/ui/drawer.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { AnswerControl } from './answer-control.tsx'
import { ConclusionChip } from './conclusion-chip.tsx'
import { selfCheckTexts } from './self-check-texts.ts'
import { useAnswer } from './use-answer.ts'

/** One clause in full: answer with note, what the package shows and where, who answered what before. */
export function ClauseDrawer({
  appid,
  clause,
  task,
  onClose,
}: {
  appid: string
  clause: SelfCheckClause
  task: string | null
  onClose: () => void
}) {
  const t = useTexts(selfCheckTexts)
  const language = useLanguage()
  const [note, setNote] = useState(clause.answer?.note ?? '')
  const { answer, isPending } = useAnswer(appid, clause)
  const given = clause.answer
  const METHODS = {
    static: t('static'),
    policy_text: t('policy_text'),
    dynamic: t('dynamic'),
    questionnaire: t('questionnaire'),
  }
  return (
    <Drawer isOpen onClose={onClose} title={`${clause.clause} ${clause.name[language]}`}>
      <div className="space-y-5 overflow-y-auto p-5">
        <div className="flex flex-wrap items-center gap-3">
          <FindingLevelMark level={clause.level} />
          <ConclusionChip conclusion={clause.conclusion} />
          <span className="text-12 text-muted">
            {t('methods')} {clause.methods.map((one) => METHODS[one as keyof typeof METHODS] ?? one).join(' · ')}
          </span>
        </div>
        <section className="space-y-3">
          <h3 className="font-semibold">{clause.question[language]}</h3>
          <p className="flex flex-wrap items-center gap-3">
            <AnswerControl appid={appid} clause={clause} />
            <span className="text-12 text-muted">{t('good', { answer: t(clause.good) })}</span>
          </p>
          {clause.conclusion === 'conflict' && <p className="text-warn-text">{t('conflictHint')}</p>}
          <TextField
            label={t('note')}
            value={note}
            onChange={setNote}
            maxLength={1000}
            rows={3}
            placeholder={t('noteHint')}
          />
          <p className="flex gap-2">
            <Button
              isDisabled={!given || isPending || note.trim() === given.note}
              onPress={() => given && answer(given.value, note, () => toast.success(t('saved')))}
            >
              {t('save')}
            </Button>
            {given && (
              <Button variant="quiet" isDisabled={isPending} onPress={() => answer(null, '', () => setNote(''))}>
                {t('takeBack')}
              </Button>
            )}
          </p>
        </section>
        <section className="space-y-2 border-t pt-4">
          <h3 className="font-semibold">{t('why')}</h3>
          {clause.machine ? (
            <>
              <VerdictMark verdict={clause.machine.verdict} />
              <p className="first-letter:uppercase">{clause.machine.reason[language]}</p>
              {clause.machine.chains > 0 && task && (
                <Link to={`${privacyPath(task)}?open=${clause.id}`} className="text-brand-text hover:underline">
                  {t('evidence', { count: clause.machine.chains })}
                </Link>
              )}
            </>
          ) : (
            <p className="text-muted">{t('noMachine')}</p>
          )}
        </section>
        <History appid={appid} item={clause.id} />
      </div>
    </Drawer>
  )
}

function History({ appid, item }: { appid: string; item: string }) {
  const t = useTexts(selfCheckTexts)
  const answer = useEndpoint(selfCheckHistory, { query: { appid, item } })
  const rows = answer.data?.data
  return (
    <section className="space-y-2 border-t pt-4">
      <h3 className="font-semibold">{t('history')}</h3>
      {answer.error && !rows ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : !rows ? (
        <Skeleton lines={2} />
      ) : rows.length === 0 ? (
        <p className="text-muted">{t('noHistory')}</p>
      ) : (
        <ol className="space-y-1.5" data-testid="history">
          {rows.map((row) => (
            <li key={`${row.at} ${row.by} ${row.value}`} className="flex flex-wrap gap-x-3">
              <span className="w-16 font-semibold">{row.value ? t(row.value) : t('takenBack')}</span>
              <span className="text-12 text-muted">
                <RelativeTime at={row.at} /> {row.by}
              </span>
              {row.note && <span className="w-full text-12">{row.note}</span>}
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
