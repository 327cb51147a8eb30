import type { JobState } from '#contracts/jobs.ts'
import { defineTexts } from '../i18n/texts.ts'

export const jobTexts = defineTexts('jobs', {
  notices: { zh: '通知', en: 'Notifications' },
  unread: { zh: '{{count}} 条未读', en: '{{count}} unread' },
  work: {
    zh: '{{count}} 个任务进行中或刚结束',
    en: '{{count}} jobs running or just ended',
    one: '{{count}} job running or just ended',
  },
  waiting: { zh: '等待', en: 'Waiting' },
  running: { zh: '进行中', en: 'Running' },
  done: { zh: '完成', en: 'Done' },
  failed: { zh: '失败', en: 'Failed' },
  stopped: { zh: '已停止', en: 'Stopped' },
  ready: { zh: '已完成，可以下载', en: 'Done, ready to download' },
  download: { zh: '下载', en: 'Download' },
  cancel: { zh: '取消任务', en: 'Cancel' },
  elapsed: { zh: '已用 {{time}}', en: '{{time}} so far' },
  left: { zh: '约剩 {{time}}', en: 'about {{time}} left' },
  rows: { zh: '{{count}} 行', en: '{{count}} rows', one: '{{count}} row' },
})

export const JOB_TONES: Record<JobState, 'neutral' | 'brand' | 'good' | 'bad'> = {
  waiting: 'neutral',
  running: 'brand',
  done: 'good',
  failed: 'bad',
  stopped: 'neutral',
}
