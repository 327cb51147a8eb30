import { PAGES } from '#contracts/pages.ts'

/** The page of a reinforcement task: its progress, why it failed, or its result. */
export function taskPath(id: string): string {
  return PAGES.reinforce_task.path.replace(':id', id)
}
