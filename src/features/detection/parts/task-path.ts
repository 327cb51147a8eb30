import { PAGES } from '#contracts/pages.ts'

/** The page of a task: in progress, failed, or its report. */
export function taskPath(id: string): string {
  return PAGES.detection_task.path.replace(':id', id)
}

/** The privacy page of a task. */
export function privacyPath(id: string): string {
  return PAGES.privacy_result.path.replace(':id', id)
}
