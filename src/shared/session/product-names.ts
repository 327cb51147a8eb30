import type { Settings } from '#contracts/http/platform.ts'

/** The names the product is sold under (decision 27). */
export const PRODUCT_NAMES: Record<Settings['product'], { zh: string; en: string }> = {
  AppWarden: { zh: 'AppWarden', en: 'AppWarden' },
  support_platform: { zh: '移动应用安全支撑平台', en: 'Mobile application security support platform' },
  security_management: { zh: '移动应用安全管理系统', en: 'Mobile application security management system' },
  security_management_plus: {
    zh: '移动应用安全综合管理系统',
    en: 'Mobile application integrated security management system',
  },
}
