import type { ReactNode } from 'react'
import type { ReinforceTask } from '#contracts/http/reinforce-tasks.ts'
import { isLibraryKind } from '#domain/reinforce-kinds.ts'
import { formatBytes } from '#src/shared/format/number.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { AppIcon } from '#src/shared/ui/app-icon.tsx'
import { taskTexts } from '../task-texts.ts'

/** What is reinforced and with what; at the right what the page says of it. */
export function TaskHead({ task, extra, children }: { task: ReinforceTask; extra?: ReactNode; children?: ReactNode }) {
  const t = useTexts(taskTexts)
  const title = `${task.name} ${task.version}`.trim()
  const isLibrary = isLibraryKind(task.kind)
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 pb-3 max-lg:px-4">
      <AppIcon name={task.name} icon={task.icon} size={40} />
      <div className="min-w-0 flex-1 max-sm:basis-48">
        <div className="text-clip-line text-16/6 font-semibold" title={title}>
          {title}
        </div>
        <div className="flex flex-wrap items-center gap-x-4 text-12 text-muted">
          {task.kind !== 'apk' && <span>{task.kind.toUpperCase()}</span>}
          {task.package_id && <span className="font-mono [overflow-wrap:anywhere]">{task.package_id}</span>}
          <span>{formatBytes(task.size_before)}</span>
          <span>{t('policyOf', { name: task.policy, rev: task.policy_rev })}</span>
          <span>
            {task.signature ? t('signedWith', { name: task.signature }) : t(isLibrary ? 'libraryUnsigned' : 'unsigned')}
          </span>
          {extra}
        </div>
      </div>
      {children}
    </div>
  )
}
