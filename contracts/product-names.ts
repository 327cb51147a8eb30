import type { Settings } from './http/settings.ts'

/** The names that the product is sold under (VAR-01; decision 27). */
export const PRODUCTS: Record<Settings['product'], { zh: string; en: string }> = {
  AppWarden: { zh: 'AppWarden', en: 'AppWarden' },
  support_platform: { zh: '移动应用安全支撑平台', en: 'Mobile Application Security Support Platform' },
  security_management: { zh: '移动应用安全管理系统', en: 'Mobile Application Security Management System' },
  security_management_plus: {
    zh: '移动应用安全综合管理系统',
    en: 'Mobile Application Integrated Security Management System',
  },
}
