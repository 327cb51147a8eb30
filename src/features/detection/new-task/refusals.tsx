import { Link } from 'react-router-dom'
import { DETECTION_KINDS } from '#contracts/detection/kinds.ts'
import type { createTasks } from '#contracts/http/detection/tasks.ts'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { taskPath } from '#src/features/detection/parts/task-path.ts'
import type { ApiError } from '#src/shared/api/api-error.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { newTexts } from './new-texts.ts'

type Refused = ResponseOf<typeof createTasks>['refused']

/** What was not created and why; a task that exists already can be opened. */
export function Refusals({ refused, error }: { refused: Refused; error?: ApiError }) {
  const language = useLanguage()
  const existing = typeof error?.fields['task'] === 'string' ? error.fields['task'] : null
  return (
    <section role="alert" className="mx-5 mb-3 rounded bg-warn-soft px-4 py-2 max-lg:mx-4">
      {error && <Line text={error.message} task={existing} />}
      {refused.map((one) => (
        <Line
          key={`${one.file} ${one.kinds.join()}`}
          text={`${one.kinds.map((kind) => DETECTION_KINDS[kind][language]).join(language === 'zh' ? '、' : ', ')}: ${one.codemsg}`}
          task={one.task}
        />
      ))}
    </section>
  )
}

function Line({ text, task }: { text: string; task: string | null }) {
  const t = useTexts(newTexts)
  return (
    <p className="flex flex-wrap items-center gap-x-4 py-0.5">
      <span>{text}</span>
      {task && (
        <Link to={taskPath(task)} className="text-brand-text hover:underline">
          {t('existing')}
        </Link>
      )}
    </p>
  )
}
