import { defineTexts } from '#src/shared/i18n/texts.ts'

export const userMenuTexts = defineTexts('user-menu', {
  menu: { zh: '用户菜单', en: 'User menu' },
  dashboard: { zh: '首页', en: 'Dashboard' },
  assets: { zh: '返回资产中心', en: 'Back to asset center' },
  members: { zh: '成员管理', en: 'Member management' },
  password: { zh: '修改密码', en: 'Password reset' },
  secondFactor: { zh: '第二步验证', en: 'Second factor' },
  platform: { zh: '自定义平台信息', en: 'Customize platform information' },
  light: { zh: '切换为浅色', en: 'Switch to light' },
  dark: { zh: '切换为深色', en: 'Switch to dark' },
  size: { zh: '大小', en: 'Size' },
  medium: { zh: '标准', en: 'Medium' },
  small: { zh: '紧凑', en: 'Small' },
  mini: { zh: '迷你', en: 'Mini' },
  color: { zh: '主题颜色', en: 'Theme colour' },
  keys: { zh: '键盘操作', en: 'Keyboard' },
  help: { zh: '系统帮助', en: 'System help' },
  about: { zh: '关于我们', en: 'About us' },
  logout: { zh: '退出登录', en: 'Log off' },
})
