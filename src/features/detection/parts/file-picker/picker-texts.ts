import { defineTexts } from '#src/shared/i18n/texts.ts'

export const pickerTexts = defineTexts('file-picker', {
  files: { zh: '安装包', en: 'Packages' },
  chosen: { zh: '已选 {{count}} 个', en: '{{count}} chosen' },
  full: { zh: '一次最多 {{count}} 个', en: '{{count}} at once' },
  fileMissing: { zh: '文件 {{id}}：不存在', en: 'File {{id}}: missing' },
  chosenProblem: { zh: '{{name}}：{{problem}}', en: '{{name}}: {{problem}}' },
  find: { zh: '名称、包名、文件名', en: 'Name, package, file name' },
  choose: { zh: '选择 {{name}} {{version}}', en: 'Choose {{name}} {{version}}' },
  noFiles: { zh: '还没有安装包', en: 'No package yet' },
  upload: { zh: '去上传', en: 'Upload' },
  noMatch: { zh: '没有符合的安装包', en: 'No package matches' },
})
