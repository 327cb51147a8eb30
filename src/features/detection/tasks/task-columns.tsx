import { Download, Ellipsis, RotateCw, Square, Trash2 } from 'lucide-react'
import { Link } from 'react-router-dom'
import { DETECTION_KINDS } from '#contracts/detection/kinds.ts'
import { type DetectionTask, downloadTaskLog } from '#contracts/http/detection/tasks.ts'
import { LevelCounts } from '#src/features/detection/parts/finding-level.tsx'
import { GateMark } from '#src/features/detection/parts/gate-mark.tsx'
import { taskPath } from '#src/features/detection/parts/task-path.ts'
import { isActive, TaskStateText } from '#src/features/detection/parts/task-state.tsx'
import type { taskTexts } from '#src/features/detection/parts/task-texts.ts'
import type { TaskActions } from '#src/features/detection/parts/use-task-actions.ts'
import { downloadHref } from '#src/shared/api/download-href.ts'
import { shortAccount } from '#src/shared/format/text.ts'
import { formatDuration } from '#src/shared/format/time.ts'
import type { Language, Translate } from '#src/shared/i18n/texts.ts'
import type { Column } from '#src/shared/table/data-table.tsx'
import { AppIcon } from '#src/shared/ui/app-icon.tsx'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import { MenuButton } from '#src/shared/ui/menu-button.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import type { tasksTexts } from './tasks-texts.ts'

type TaskColumnsInput = {
  t: Translate<keyof typeof tasksTexts.entries & string>
  s: Translate<keyof typeof taskTexts.entries & string>
  language: Language
  selected: ReadonlySet<string>
  onSelect: (id: string) => void
  actions: TaskActions
}

/** What the management list shows of a task. */
export function taskColumns(input: TaskColumnsInput): Column<DetectionTask>[] {
  const { t, language, selected, onSelect } = input
  const list = language === 'zh' ? '、' : ', '
  return [
    {
      id: 'select',
      header: '',
      width: '36px',
      fixed: true,
      cell: (task) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: keeps a click on the box from opening the row
        // biome-ignore lint/a11y/useKeyWithClickEvents: the box inside takes the keys
        <span className="flex" onClick={(event) => event.stopPropagation()}>
          <Checkbox
            label={t('select', { name: task.name, version: task.version })}
            isSelected={selected.has(task.id)}
            onChange={() => onSelect(task.id)}
          />
        </span>
      ),
    },
    {
      id: 'name',
      header: t('name'),
      sort: 'name',
      fixed: true,
      cell: (task) => (
        <span className="flex items-center gap-3 py-1">
          <AppIcon name={task.name} icon={task.icon} size={26} />
          <span className="min-w-0">
            <Link
              to={taskPath(task.id)}
              className="text-clip-line block max-w-56 2xl:max-w-80 max-sm:max-w-36 font-semibold hover:text-brand-text"
            >
              {task.name} {task.version}
            </Link>
            <span className="text-clip-line block max-w-56 2xl:max-w-80 max-sm:max-w-36 font-mono text-12/4 text-muted">
              {task.package_id}
            </span>
          </span>
        </span>
      ),
    },
    { id: 'state', header: t('state'), width: '150px', cell: (task) => <TriageState task={task} input={input} /> },
    {
      id: 'gate',
      header: t('gate'),
      width: '100px',
      wide: true,
      cell: (task) => task.state === 'detected' && task.gate !== null && <GateMark gate={task.gate} />,
    },
    {
      id: 'score',
      header: t('score'),
      sort: 'score',
      numeric: true,
      width: '60px',
      wide: true,
      cell: (task) => task.score !== null && <span className="font-semibold tabular-nums">{task.score}</span>,
    },
    {
      id: 'counts',
      header: t('counts'),
      width: '140px',
      wide: true,
      cell: (task) => task.counts && <LevelCounts counts={task.counts} />,
    },
    {
      id: 'kinds',
      header: t('kinds'),
      wide: true,
      cell: (task) => {
        const first = task.kinds[0] && DETECTION_KINDS[task.kinds[0]][language]
        const all = task.kinds.map((kind) => DETECTION_KINDS[kind][language]).join(list)
        return (
          <span className="block text-12 text-muted" title={all}>
            {first}
            {task.kinds.length > 1 && ` +${task.kinds.length - 1}`}
          </span>
        )
      },
    },
    {
      id: 'created',
      header: t('created'),
      sort: 'created',
      width: '130px',
      wide: true,
      cell: (task) => (
        <span className="block text-12/4 text-muted">
          <RelativeTime at={task.created_at} />
          <span className="text-clip-line block max-w-28 2xl:max-w-40" title={task.by}>
            {shortAccount(task.by)}
          </span>
        </span>
      ),
    },
    {
      id: 'duration',
      header: t('duration'),
      numeric: true,
      width: '72px',
      wide: true,
      cell: (task) => (
        <span className="text-12 text-muted tabular-nums">
          {task.started_at !== null &&
            task.ended_at !== null &&
            formatDuration(task.ended_at - task.started_at, language)}
        </span>
      ),
    },
    {
      id: 'actions',
      header: '',
      width: '72px',
      fixed: true,
      cell: (task) => <Menu task={task} input={input} />,
    },
  ]
}

function TriageState({ task, input: { s } }: { task: DetectionTask; input: TaskColumnsInput }) {
  return (
    <span className="flex flex-col items-start gap-0.5" title={task.note || undefined}>
      <TaskStateText task={task} />
      {task.packer !== null && <Chip tone="warn">{s('packed', { packer: task.packer })}</Chip>}
    </span>
  )
}

function Menu({ task, input: { t, s, actions } }: { task: DetectionTask; input: TaskColumnsInput }) {
  const mayRun = actions.mayRun(task)
  return (
    <MenuButton
      iconOnly
      icon={Ellipsis}
      label={t('more', { name: `${task.name} ${task.version}` })}
      items={[
        ...(isActive(task.state) && mayRun
          ? [{ id: 'stop', label: s('stop'), icon: Square, onAction: () => void actions.stop([task]) }]
          : []),
        ...(!isActive(task.state) && mayRun
          ? [
              {
                id: 'retry',
                label: s('retry'),
                icon: RotateCw,
                isDisabled: !task.has_file,
                ...(!task.has_file && { hint: s('fileGone') }),
                onAction: () => void actions.retry(task),
              },
            ]
          : []),
        {
          id: 'log',
          label: t('log'),
          icon: Download,
          onAction: () => location.assign(downloadHref(downloadTaskLog, { id: task.id })),
        },
        ...(actions.mayDelete
          ? [
              {
                id: 'delete',
                label: s('remove'),
                icon: Trash2,
                danger: true,
                onAction: () => void actions.remove([task]),
              },
            ]
          : []),
      ]}
    />
  )
}
