import { defineTexts } from '#src/shared/i18n/texts.ts'

/** A task while it waits and runs, and after it failed or was cancelled. */
export const pageTexts = defineTexts('reinforce-task', {
  running: { zh: '加固中', en: 'Reinforcing' },
  waiting: { zh: '等待空闲的加固进程', en: 'Waiting for a free worker' },
  background: { zh: '后台运行', en: 'Leave it running' },
  elapsed: { zh: '已用', en: 'So far' },
  left: { zh: '约剩', en: 'About left' },
  stages: { zh: '阶段', en: 'Stages' },
  stageOf: { zh: '第 {{at}} 步，共 {{all}} 步', en: 'Step {{at}} of {{all}}' },
  now: { zh: '进行中', en: 'Running' },
  work: { zh: '正在处理', en: 'Current work' },
  workNone: { zh: '轮到后从这里看进度。', en: 'Its work shows here once its turn has come.' },
  step: { zh: '{{done}} / {{total}}', en: '{{done}} / {{total}}' },
  options: { zh: '这次的选项', en: 'Options' },
  optionCount: { zh: '{{count}} 项', en: '{{count}} on' },
  leaveTitle: { zh: '离开这一页也会继续', en: 'It goes on when you leave' },
  leave: { zh: '加固完成后在加固管理中查看结果。', en: 'The result will be in the reinforcement list.' },
  // Required text (HARD-05).
  failed: { zh: '您的应用加固失败！', en: 'Your app reinforcement failed!' },
  failedTitle: { zh: '加固失败', en: 'Reinforcement failed' },
  reached: { zh: '停在：{{stage}}', en: 'Ended at: {{stage}}' },
  stopped: { zh: '加固已取消', en: 'Reinforcement cancelled' },
  stoppedHint: { zh: '没有保留加固包，可以重新加固。', en: 'No package was kept. It can be reinforced again.' },
  missing: { zh: '加固记录不存在或已删除', en: 'The record does not exist or was deleted' },
  toList: { zh: '返回加固管理', en: 'Back to the list' },
  more: { zh: '更多', en: 'More' },
  openSource: { zh: '查看原安装包', en: 'Open original package' },
  openResult: { zh: '查看加固包', en: 'Open reinforced package' },
})
