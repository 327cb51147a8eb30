import type { PageName } from '#contracts/pages.ts'

/** What each page that is not built yet will hold, in one line. */
// biome-ignore format: one line a page
export const PLANNED_CONTENT: Partial<Record<PageName, { zh: string; en: string }>> = {
  reinforce_new: { zh: '选择安装包与策略，发起加固', en: 'choosing a package and a policy to harden with' },
  reinforce_tasks: { zh: '加固任务、进度与结果', en: 'reinforcement tasks, progress and results' },
  reinforce_task: { zh: '一次加固的结果与报告', en: 'result and report of one reinforcement' },
  reinforce_channels: { zh: '多渠道打包与渠道导入', en: 'channel packages and channel import' },
}
