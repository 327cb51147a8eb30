import { defineTexts } from '#src/shared/i18n/texts.ts'

export const editTexts = defineTexts('assets-edit', {
  title: { zh: '编辑文件信息', en: 'Edit file' },
  name: { zh: '名称', en: 'Name' },
  nameEmpty: { zh: '请输入名称', en: 'Please enter a name' },
  type: { zh: '应用类型', en: 'Application type' },
  noType: { zh: '未设置', en: 'Not set' },
  application: { zh: '所属应用', en: 'Application' },
  noApplication: { zh: '无', en: 'None' },
  newApplication: { zh: '以此文件新建应用', en: 'Make a new application of this file' },
  cancel: { zh: '取消', en: 'Cancel' },
  save: { zh: '保存', en: 'Save' },
  saved: { zh: '已保存', en: 'Saved' },
})
