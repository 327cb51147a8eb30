import type { ExportedList } from '../../jobs/job-rows.ts'
import type { ExportTable } from '../export-tables.ts'
import { abnormalTable } from './abnormal-table.ts'
import { alertTable } from './alert-table.ts'
import { fileTable } from './file-table.ts'
import { groupTable } from './group-table.ts'
import type { ListSource } from './list-table.ts'
import { auditTable, networkTable } from './log-tables.ts'
import { selfCheckTable } from './self-check-table.ts'
import { suppressionTable } from './suppression-table.ts'
import { suspiciousTable } from './suspicious-table.ts'
import { takedownTable } from './takedown-table.ts'
import { taskTable } from './task-table.ts'

/** A list as a table: all lines that its filters leave, in its order. */
export function readList(list: ExportedList, source: ListSource): Promise<ExportTable> {
  switch (list.of) {
    case 'alerts':
      return alertTable(list, source)
    case 'exception_groups':
      return groupTable(list, source)
    case 'suspicious_devices':
      return suspiciousTable(list, source)
    case 'abnormal_returns':
      return abnormalTable(list, source)
    case 'files':
      return fileTable(list, source)
    case 'self_check':
      return selfCheckTable(list, source)
    case 'suppressions':
      return suppressionTable(list, source)
    case 'detection_tasks':
      return taskTable(list, source)
    case 'takedowns':
      return takedownTable(list, source)
    case 'audit_log':
      return auditTable(list, source)
    case 'network_log':
      return networkTable(list, source)
  }
}
