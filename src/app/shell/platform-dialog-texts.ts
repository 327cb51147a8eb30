import { defineTexts } from '#src/shared/i18n/texts.ts'

export const platformDialogTexts = defineTexts('platform-dialog', {
  title: { zh: '自定义平台信息', en: 'Customize platform information' },
  product: { zh: '产品形态', en: 'Product' },
  name: { zh: '显示名称', en: 'Display name' },
  nameNote: { zh: '留空则使用产品形态的名称', en: 'Leave empty to use the product name' },
  logo: { zh: '标志', en: 'Logo' },
  logoNote: {
    zh: '用于登录页、页头、关于我们与报告封面',
    en: 'On the login page, the header, About us and the cover of reports',
  },
  files: { zh: '模板文件', en: 'Template files' },
  filesNote: {
    zh: '1 至 5 个，每种用途一个；.md 或 .txt 文本，UTF-8 编码，不超过 {{size}}。可用 # 标题与 - 列表。',
    en: '1 to 5, one for each use; UTF-8 text (.md or .txt) of at most {{size}}. Headings begin with #, list items with -.',
  },
  placeholders: {
    zh: '占位符：{{names}}；登录页与关于我们只可用 {{page}}。',
    en: 'Placeholders: {{names}}; on the login page and About us {{page}} alone.',
  },
  noFiles: { zh: '还没有模板文件', en: 'There is no template file yet' },
  add: { zh: '上传文件', en: 'Upload files' },
  adding: { zh: '正在上传', en: 'Uploading' },
  use: { zh: '{{name}} 的用途', en: 'Use of {{name}}' },
  download: { zh: '下载 {{name}}', en: 'Download {{name}}' },
  remove: { zh: '移除 {{name}}', en: 'Take {{name}} away' },
  forbidden: {
    zh: '保存需要“平台设置”权限（platform.settings），由平台管理员授予。',
    en: 'Saving needs the permission "Platform settings" (platform.settings), granted by a platform administrator.',
  },
  cancel: { zh: '取消', en: 'Cancel' },
  save: { zh: '保存', en: 'Save' },
  saved: { zh: '已保存', en: 'Saved' },
})
