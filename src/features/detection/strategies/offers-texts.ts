import { defineTexts } from '#src/shared/i18n/texts.ts'

export const offersTexts = defineTexts('detection-offers', {
  offers: { zh: '检测范围', en: 'Kinds offered' },
  note: {
    zh: '新建检测时，按文件与应用类型提供这些检测类型。写明应用类型的行优先。',
    en: 'A new detection offers these kinds, by package kind and application type; a line that names a type goes first.',
  },
  readOnly: { zh: '需要“平台设置”权限才能修改', en: 'Changing it needs the right to platform settings' },
  kind: { zh: '文件', en: 'Package' },
  type: { zh: '应用类型', en: 'Application type' },
  anyType: { zh: '其他全部', en: 'All others' },
  all: { zh: '全部', en: 'All' },
  offered: { zh: '{{file}}：{{kind}}', en: '{{file}}: {{kind}}' },
  yes: { zh: '提供', en: 'offered' },
  no: { zh: '不提供', en: 'not offered' },
  noPhone: { zh: '手机上只能运行单个 APK', en: 'Only a single APK runs on a phone' },
  add: { zh: '为应用类型单列', en: 'Line for an application type' },
  remove: { zh: '移除这一行', en: 'Remove this line' },
  defaults: { zh: '恢复默认', en: 'Defaults' },
  defaultsTitle: { zh: '恢复默认的检测范围？', en: 'Go back to the defaults?' },
  defaultsText: {
    zh: 'IPA、AAR、JAR、SO 只提供静态与合规权限检测，其余按文件类型。已有的任务不受影响。',
    en: 'IPA, AAR, JAR and SO get static and compliance detection alone, others what their kind allows. Tasks stay as they are.',
  },
  save: { zh: '保存', en: 'Save' },
  undo: { zh: '撤销修改', en: 'Undo' },
  saved: { zh: '已保存', en: 'Saved' },
  kept: { zh: '未改动', en: 'Nothing changed' },
})
