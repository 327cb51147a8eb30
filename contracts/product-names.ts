/** The variants that the product is sold as (VAR-01; decision 27). */
export const PRODUCT_KEYS = [
  'AppWarden',
  'support_platform',
  'security_management',
  'security_management_plus',
] as const

/** Their names. */
export const PRODUCTS: Record<(typeof PRODUCT_KEYS)[number], { zh: string; en: string }> = {
  AppWarden: { zh: 'AppWarden', en: 'AppWarden' },
  support_platform: { zh: '移动应用安全支撑平台', en: 'Mobile Application Security Support Platform' },
  security_management: { zh: '移动应用安全管理系统', en: 'Mobile Application Security Management System' },
  security_management_plus: {
    zh: '移动应用安全综合管理系统',
    en: 'Mobile Application Integrated Security Management System',
  },
}
