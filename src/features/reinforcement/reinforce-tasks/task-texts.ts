import { BUNDLE_NOTE, ENGINE_NOTE, LIBRARY_NOTE } from '#contracts/http/reinforce-tasks.ts'
import { defineTexts } from '#src/shared/i18n/texts.ts'

/** What is done to reinforcement tasks and how their results are named, on all of their pages. */
export const taskTexts = defineTexts('reinforce-tasks', {
  cancel: { zh: '取消任务', en: 'Cancel' },
  cancelTitle: {
    zh: '取消 {{count}} 个加固任务？',
    en: 'Cancel {{count}} reinforcement tasks?',
    one: 'Cancel {{count}} reinforcement task?',
  },
  cancelText: {
    zh: '已经完成的部分不保留，之后可以重新加固。',
    en: 'Nothing of the result is kept; the package can be reinforced again.',
  },
  cancelled: { zh: '已取消 {{count}} 个任务', en: '{{count}} tasks cancelled', one: '{{count}} task cancelled' },
  redo: { zh: '重新加固', en: 'Re-reinforce' },
  redone: { zh: '已开始重新加固', en: 'Reinforcing again' },
  remove: { zh: '删除', en: 'Delete' },
  removeTitle: {
    zh: '删除 {{count}} 条加固记录？',
    en: 'Delete {{count}} reinforcement records?',
    one: 'Delete {{count}} reinforcement record?',
  },
  removeText: {
    zh: '此操作将永久删除加固记录与结果明细, 是否继续? 已存入应用文件的加固包不受影响。',
    en: 'Records and details of results are deleted for good. Reinforced packages among the application files stay.',
  },
  sourceGone: { zh: '原安装包已删除', en: 'The original package was deleted' },
  resultGone: { zh: '加固包已删除', en: 'The reinforced package was deleted' },
  download: { zh: '下载加固包', en: 'Download package' },
  policyOf: { zh: '策略 {{name}} v{{rev}}', en: 'Policy {{name}} v{{rev}}' },
  signedWith: { zh: '签名 {{name}}', en: 'Signature {{name}}' },
  unsigned: { zh: '不签名', en: 'Not signed' },
  libraryUnsigned: { zh: '库不签名', en: 'Libraries are not signed' },
  engineNote: ENGINE_NOTE,
  libraryNote: LIBRARY_NOTE,
  bundleNote: BUNDLE_NOTE,
})
