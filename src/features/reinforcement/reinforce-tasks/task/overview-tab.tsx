import { CircleCheck, CircleX, Info } from 'lucide-react'
import { Link } from 'react-router-dom'
import {
  OPTION_STATES,
  type OptionState,
  REINFORCE_CHECKS,
  type ReinforceReport,
} from '#contracts/http/reinforce-tasks.ts'
import { isLibraryKind } from '#domain/reinforce-kinds.ts'
import { formatExact } from '#src/shared/format/number.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { CopyText } from '#src/shared/ui/copy-text.tsx'
import { Fact } from '#src/shared/ui/fact.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { OptionStateMark } from '../task-state.tsx'
import { taskTexts } from '../task-texts.ts'
import { FigureBars } from './figure-bars.tsx'
import { MethodView } from './method-view.tsx'
import { countStates } from './option-sums.ts'
import { resultTexts } from './result-texts.ts'
import type { TaskDetail } from './stage-rows.ts'
import { TaskStages } from './task-stages.tsx'

const STATES = Object.keys(OPTION_STATES) as OptionState[]

/** State, figures before and after, a method before and after, checks and signature. */
export function OverviewTab({ detail, report }: { detail: TaskDetail; report: ReinforceReport }) {
  const t = useTexts(resultTexts)
  const s = useTexts(taskTexts)
  const { data: task, stages } = detail
  const isLibrary = isLibraryKind(task.kind)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_340px] max-xl:grid-cols-1">
      <div className="flex min-w-0 flex-col divide-y">
        <div
          className={`grid grid-cols-[300px_minmax(0,1fr)] divide-x max-lg:grid-cols-1 max-lg:divide-x-0 max-lg:divide-y ${isLibrary && report.methods.length === 0 ? 'lg:flex-1' : ''}`}
        >
          <Verdict report={report} isLibrary={isLibrary} />
          <FigureBars before={report.before} after={report.after} />
        </div>
        {report.methods.length > 0 ? (
          <MethodView methods={report.methods} />
        ) : (
          !isLibrary && (
            <Section plain title={t('methodsTitle')}>
              <p className="px-5 pb-4 text-muted">{t('noMethods')}</p>
            </Section>
          )
        )}
      </div>
      <div className="flex min-w-0 flex-col divide-y border-l max-xl:border-t max-xl:border-l-0">
        <Checks report={report} />
        <Signature report={report} isLibrary={isLibrary} />
        {report.notes.length > 0 && (
          <Section plain title={t('notes')} note={report.notes.length}>
            <ul className="space-y-1.5 px-5 pb-4">
              {report.notes.map((note) => (
                <li key={note} className="flex items-start gap-2">
                  <Icon of={Info} size={14} className="mt-0.5 text-muted" />
                  <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{note}</span>
                </li>
              ))}
            </ul>
          </Section>
        )}
        {stages.length > 0 && (
          <Section plain title={t('timing')} bodyClassName="pb-2">
            <TaskStages task={task} stages={stages} end={task.ended_at} />
          </Section>
        )}
        <p className="mt-auto px-5 py-3 text-12 text-muted">
          {s(isLibrary ? 'libraryNote' : task.kind === 'aab' ? 'bundleNote' : 'engineNote')}
        </p>
      </div>
    </div>
  )
}

function Verdict({
  report: { options, rescan, rescan_note },
  isLibrary,
}: {
  report: ReinforceReport
  isLibrary: boolean
}) {
  const t = useTexts(resultTexts)
  const counts = countStates(options)
  return (
    <div className="flex flex-col gap-4 px-5 py-4">
      <div>
        <p className="flex items-center gap-2.5 text-28/9 font-semibold">
          <Icon of={CircleCheck} size={24} className="text-good-text" />
          {t('success')}
        </p>
        <ul aria-label={t('optionsOn', { count: options.length })} className="flex flex-col pt-2">
          {STATES.filter((state) => counts[state] > 0).map((state) => (
            <li key={state}>
              <Link
                to={`?tab=applied&show=${state}`}
                className="-mx-2 flex h-7 items-center justify-between gap-3 rounded-small px-2 hover:bg-hover"
              >
                <OptionStateMark state={state} />
                <span className="font-semibold tabular-nums">{formatExact(counts[state])}</span>
              </Link>
            </li>
          ))}
        </ul>
      </div>
      {rescan ? (
        <div>
          <p
            className="flex items-baseline gap-2 tabular-nums"
            role="img"
            aria-label={t('scores', { before: rescan.score_before, after: rescan.score_after })}
          >
            <span className="text-[40px]/11">{rescan.score_before}</span>
            <span className="text-16 text-muted">→</span>
            <span className="text-[40px]/11">{rescan.score_after}</span>
            <span className="pl-1 text-12 text-muted">{t('scoreLabel')}</span>
          </p>
          <p className={`text-12 ${rescan.added > 0 ? 'text-warn-text' : 'text-muted'}`}>{t('scoreNote', rescan)}</p>
        </div>
      ) : (
        <div>
          <p className="font-semibold">{t(isLibrary ? 'ofApks' : 'noRescan')}</p>
          <p className="text-12 text-muted [overflow-wrap:anywhere]">
            {isLibrary ? t('ofApksHint') : rescan_note || t('noRescanHint')}
          </p>
        </div>
      )}
    </div>
  )
}

function Checks({ report: { checks } }: { report: ReinforceReport }) {
  const t = useTexts(resultTexts)
  const language = useLanguage()
  const passed = checks.filter((one) => one.passed).length
  return (
    <Section
      plain
      title={t('checks')}
      actions={
        <span className={`pr-2 text-12 ${passed === checks.length ? 'text-good-text' : 'text-bad-text'}`}>
          {t('passed', { count: passed, all: checks.length })}
        </span>
      }
    >
      <ul className="pb-3">
        {checks.map(({ check, passed: isPassed, detail }) => (
          <li key={check} className="flex items-start gap-2.5 px-5 py-1">
            <Icon
              of={isPassed ? CircleCheck : CircleX}
              size={14}
              className={`mt-[3px] ${isPassed ? 'text-good-text' : 'text-bad-text'}`}
            />
            <span className="min-w-0 flex-1">
              <span className="sr-only">{t(isPassed ? 'checkPassed' : 'checkFailed')}</span>
              {REINFORCE_CHECKS[check][language]}
              {detail && <span className="block text-12 text-muted [overflow-wrap:anywhere]">{detail}</span>}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Signature({
  report: { signed, unused_signature: unused },
  isLibrary,
}: {
  report: ReinforceReport
  isLibrary: boolean
}) {
  const t = useTexts(resultTexts)
  return (
    <Section plain title={t('signature')}>
      {signed ? (
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 px-5 pb-4">
          <Fact name={t('schemes')}>{signed.schemes.join(' ')}</Fact>
          <Fact name={t('subject')}>{signed.subject}</Fact>
          <Fact name={t('certificate')}>
            <CopyText value={signed.sha256} short />
          </Fact>
        </dl>
      ) : (
        <div className="px-5 pb-4">
          <p className={isLibrary ? '' : 'text-warn-text'}>{t('unsigned')}</p>
          <p className="text-12 text-muted">{t(isLibrary ? 'libraryHint' : 'unsignedHint')}</p>
          {unused && <p className="text-12 text-muted [overflow-wrap:anywhere]">{t('unusedKey', { name: unused })}</p>}
        </div>
      )}
    </Section>
  )
}
