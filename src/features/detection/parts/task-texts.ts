import { defineTexts } from '#src/shared/i18n/texts.ts'

/** What is done to detection tasks, wherever they are listed. */
export const taskTexts = defineTexts('detection-tasks-shared', {
  stop: { zh: '停止', en: 'Stop' },
  stopTitle: { zh: '停止检测？', en: 'Stop the detection?' },
  stopText: {
    zh: '{{count}} 个任务将停止，已完成的阶段不保留。可以重新检测。',
    en: 'Tasks that stop: {{count}}. What they did is dropped; they can be done again.',
  },
  stopped: { zh: '已停止 {{count}} 个任务', en: '{{count}} tasks stopped', one: '{{count}} task stopped' },
  retry: { zh: '重新检测', en: 'Detect again' },
  retried: { zh: '已重新排队', en: 'Queued again' },
  remove: { zh: '删除', en: 'Delete' },
  removeTitle: {
    zh: '删除 {{count}} 个检测任务？',
    en: 'Delete {{count}} detection tasks?',
    one: 'Delete {{count}} detection task?',
  },
  // Required text (APP-05).
  removeText: {
    zh: '此操作将永久删除该文件, 是否继续?',
    en: 'Task, result and log are deleted for good. Continue?',
  },
  fileGone: { zh: '文件不存在或已删除', en: 'The file does not exist or was deleted' },
  needsRight: { zh: '缺少权限：{{right}}', en: 'Permission missing: {{right}}' },
  packed: { zh: '已加固：{{packer}}', en: 'Packed: {{packer}}' },
})
