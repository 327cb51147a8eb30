import type { ReactNode } from 'react'
import { FILE_TYPES } from '#contracts/detection/kinds.ts'
import type { DetectionTask } from '#contracts/http/detection/tasks.ts'
import { formatBytes } from '#src/shared/format/number.ts'
import { AppIcon } from '#src/shared/ui/app-icon.tsx'
import { CopyText } from '#src/shared/ui/copy-text.tsx'

/** What is examined, in one line; at the right what the page says of it. */
export function TaskHead({ task, children }: { task: DetectionTask; children?: ReactNode }) {
  const kind = Object.values(FILE_TYPES).find((type) => type.kind === task.package_kind)?.kind ?? task.package_kind
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 pb-3">
      <span className="flex items-center gap-3">
        <AppIcon name={task.name} icon={task.icon} size={26} />
        <span className="text-16 font-semibold">
          {task.name} {task.version}
        </span>
      </span>
      <span className="font-mono text-12 text-muted [overflow-wrap:anywhere]">{task.package_id}</span>
      <span className="text-12 text-muted">
        {kind.toUpperCase()}, {formatBytes(task.size)}
      </span>
      <span className="inline-flex items-center gap-1 text-12 text-muted">
        MD5 <CopyText value={task.md5} short />
      </span>
      <span className="ml-auto flex flex-wrap items-center gap-x-3 text-12 text-muted">{children}</span>
    </div>
  )
}
