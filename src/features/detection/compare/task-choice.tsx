import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { type DetectionTask, detectionTask, detectionTasks } from '#contracts/http/detection/tasks.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { SearchBox } from '#src/shared/table/search-box.tsx'
import { Button } from '#src/shared/ui/button.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { Popover } from '#src/shared/ui/popover.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { compareTexts } from './compare-texts.ts'

const SHOWN = 20

/** One side of a comparison: a detected task, searched for by name, package and version. */
export function TaskChoice({
  label,
  id,
  onChoose,
}: {
  label: string
  id: string | null
  onChoose: (id: string) => void
}) {
  const t = useTexts(compareTexts)
  const chosen = useEndpoint(detectionTask, { query: { id: id ?? '' } }, { enabled: id !== null })
  const task = chosen.data?.data
  return (
    <div className="flex min-w-0 items-center gap-2">
      <span className="flex-none text-12 text-muted">{label}</span>
      <Popover
        label={label}
        trigger={
          <Button>
            <span className="flex items-center gap-1.5">
              <span className="text-clip-line max-w-64">{task ? `${task.name} ${task.version}` : t('choose')}</span>
              <Icon of={ChevronDown} size={14} className="text-muted" />
            </span>
          </Button>
        }
      >
        {(close) => (
          <Choices
            onChoose={(one) => {
              onChoose(one.id)
              close()
            }}
          />
        )}
      </Popover>
    </div>
  )
}

function Choices({ onChoose }: { onChoose: (task: DetectionTask) => void }) {
  const t = useTexts(compareTexts)
  const [find, setFind] = useState('')
  const answer = useEndpoint(
    detectionTasks,
    { query: { state: 'detected', search: find, limit: SHOWN } },
    { placeholderData: (before) => before },
  )
  return (
    <div className="w-[420px] max-w-full p-2">
      <SearchBox label={t('find')} value={find} onSearch={setFind} className="w-full" />
      <ul className="max-h-80 overflow-auto pt-1">
        {answer.data?.data.map((task) => (
          <li key={task.id}>
            <button
              type="button"
              onClick={() => onChoose(task)}
              className="flex w-full items-baseline gap-2 rounded-small px-2 py-1.5 text-left hover:bg-hover"
            >
              <span className="min-w-0 flex-1">
                <span className="text-clip-line block">
                  {task.name} {task.version}
                </span>
                <span className="text-clip-line block font-mono text-12/4 text-muted">{task.package_id}</span>
              </span>
              <span className="tabular-nums">{task.score}</span>
              <span className="w-24 text-right text-12 text-muted">
                <RelativeTime at={task.created_at} />
              </span>
            </button>
          </li>
        ))}
        {answer.data?.total === 0 && <li className="px-2 py-3 text-muted">{t('noTasks')}</li>}
      </ul>
    </div>
  )
}
