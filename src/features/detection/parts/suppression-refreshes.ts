import { detectionResult, resultItem, resultItems, suppressions } from '#contracts/http/detection/result.ts'
import { detectionTask, detectionTasks } from '#contracts/http/detection/tasks.ts'

/** What changes when a suppression comes or goes. */
export const SUPPRESSION_REFRESHES = [
  resultItem,
  resultItems,
  detectionResult,
  detectionTask,
  detectionTasks,
  suppressions,
]
