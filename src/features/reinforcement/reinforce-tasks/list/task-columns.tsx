import { CircleX, Download, Ellipsis, Eye, RotateCw, Trash2 } from 'lucide-react'
import { Link } from 'react-router-dom'
import { downloadReinforced, type ReinforceTask } from '#contracts/http/reinforce-tasks.ts'
import { percentChange } from '#domain/number-text.ts'
import { downloadHref } from '#src/shared/api/download-href.ts'
import { formatBytes } from '#src/shared/format/number.ts'
import { shortAccount } from '#src/shared/format/text.ts'
import { formatDuration } from '#src/shared/format/time.ts'
import type { Language, Translate } from '#src/shared/i18n/texts.ts'
import type { Column } from '#src/shared/table/data-table.tsx'
import { AppIcon } from '#src/shared/ui/app-icon.tsx'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { MenuButton } from '#src/shared/ui/menu-button.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { taskPath } from '../task-path.ts'
import { isActive, ResultCounts, TaskStateText } from '../task-state.tsx'
import type { taskTexts } from '../task-texts.ts'
import type { TaskActions } from '../use-task-actions.ts'
import type { listTexts } from './list-texts.ts'

type ColumnsInput = {
  t: Translate<keyof typeof listTexts.entries & string>
  s: Translate<keyof typeof taskTexts.entries & string>
  language: Language
  selected: ReadonlySet<string>
  onSelect: (id: string) => void
  onOpen: (id: string) => void
  actions: TaskActions
}

/** What the list shows of a task (HARD-06). */
export function taskColumns(input: ColumnsInput): Column<ReinforceTask>[] {
  const { t, language, selected, onSelect } = input
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
      fixed: true,
      cell: (task) => (
        <span className="flex items-center gap-3 py-1 max-sm:gap-2">
          <AppIcon name={task.name} icon={task.icon} size={26} />
          <span className="min-w-0">
            <Link
              to={taskPath(task.id)}
              className="text-clip-line block max-w-48 font-semibold hover:text-brand-text max-sm:max-w-28 2xl:max-w-80"
            >
              {task.name} {task.version}
            </Link>
            <span className="text-clip-line block max-w-48 font-mono text-12/4 text-muted max-sm:max-w-28 2xl:max-w-80">
              {[task.kind === 'apk' ? '' : task.kind.toUpperCase(), task.package_id].filter(Boolean).join(' · ')}
            </span>
          </span>
        </span>
      ),
    },
    {
      id: 'policy',
      header: t('policy'),
      width: '150px',
      wide: true,
      cell: (task) => (
        <span className="flex max-w-36 items-baseline gap-1 2xl:max-w-60" title={`${task.policy} v${task.policy_rev}`}>
          <span className="text-clip-line">{task.policy}</span>
          <span className="flex-none text-12 text-muted">v{task.policy_rev}</span>
        </span>
      ),
    },
    { id: 'state', header: t('state'), width: '156px', cell: (task) => <TaskStateText task={task} /> },
    {
      id: 'result',
      header: t('result'),
      width: '140px',
      wide: true,
      cell: (task) => task.results && <ResultCounts results={task.results} />,
    },
    {
      id: 'size',
      header: t('size'),
      width: '150px',
      numeric: true,
      wide: true,
      cell: ({ size_before, size_after }) => (
        <span className="block tabular-nums">
          {formatBytes(size_before)}
          {size_after !== null && (
            <>
              {' → '}
              {formatBytes(size_after)}
              <span className="block text-12/4 text-muted">{percentChange(size_before, size_after)}</span>
            </>
          )}
        </span>
      ),
    },
    {
      id: 'duration',
      header: t('duration'),
      width: '72px',
      numeric: true,
      wide: true,
      cell: ({ started_at, ended_at }) => (
        <span className="text-12 text-muted tabular-nums">
          {started_at !== null && ended_at !== null && formatDuration(ended_at - started_at, language)}
        </span>
      ),
    },
    {
      id: 'operator',
      header: t('operator'),
      width: '96px',
      wide: true,
      spare: true,
      cell: ({ operator }) => (
        <span className="text-clip-line block max-w-24 text-muted 2xl:max-w-40" title={operator}>
          {shortAccount(operator)}
        </span>
      ),
    },
    {
      id: 'time',
      header: t('time'),
      width: '112px',
      wide: true,
      cell: ({ created_at, operator }) => (
        <span className="block text-12/4 text-muted">
          <RelativeTime at={created_at} />
          <span className="text-clip-line hidden max-w-24 @max-[1410px]:block" title={operator}>
            {shortAccount(operator)}
          </span>
        </span>
      ),
    },
    { id: 'actions', header: '', width: '56px', fixed: true, cell: (task) => <Menu task={task} input={input} /> },
  ]
}

function Menu({ task, input: { t, s, actions, onOpen } }: { task: ReinforceTask; input: ColumnsInput }) {
  const active = isActive(task)
  return (
    <MenuButton
      iconOnly
      icon={Ellipsis}
      label={t('more', { name: `${task.name} ${task.version}` })}
      items={[
        {
          id: 'view',
          label: t(active ? 'viewProgress' : 'view'),
          icon: Eye,
          onAction: () => onOpen(task.id),
        },
        ...(task.state === 'success' && actions.mayDownload
          ? [
              {
                id: 'download',
                label: s('download'),
                icon: Download,
                isDisabled: task.result_file === null,
                ...(task.result_file === null && { hint: s('resultGone') }),
                onAction: () => location.assign(downloadHref(downloadReinforced, { id: task.id })),
              },
            ]
          : []),
        ...(active && actions.mayCancel
          ? [{ id: 'cancel', label: s('cancel'), icon: CircleX, onAction: () => void actions.cancel([task]) }]
          : []),
        ...(!active && actions.mayRedo
          ? [
              {
                id: 'redo',
                label: s('redo'),
                icon: RotateCw,
                isDisabled: task.file === null,
                ...(task.file === null && { hint: s('sourceGone') }),
                onAction: () => void actions.redo(task),
              },
            ]
          : []),
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
