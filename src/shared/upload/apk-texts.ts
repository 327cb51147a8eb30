import { defineTexts } from '../i18n/texts.ts'

export const apkTexts = defineTexts('applications-apk', {
  drop: { zh: '拖放安装包到此处，或', en: 'Drop a package here, or ' },
  choose: { zh: '选择文件', en: 'choose a file' },
  hint: {
    zh: '仅支持 .apk，一次一个；应用名称取自安装包',
    en: 'One .apk at a time; the application is named by its package',
  },
  one: { zh: '一次只能上传一个文件', en: 'One file at a time' },
  uploading: { zh: '正在上传', en: 'Uploading' },
  checking: { zh: '已传完，正在校验签名与哈希', en: 'Sent; checking signature and hashes' },
  done: { zh: '上传成功：{{name}} {{version}}', en: 'Uploaded: {{name}} {{version}}' },
  existing: { zh: '该安装包已在应用 {{name}} 中', en: 'This package is in the application {{name}} already' },
  failed: { zh: '上传失败：{{reason}}', en: 'Upload failure: {{reason}}' },
})
