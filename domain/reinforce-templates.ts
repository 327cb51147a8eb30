import type { ReinforceOption } from './reinforce-options.ts'
import { CHECKS, type ReinforceOptions, ReinforceOptionsSchema } from './reinforce-policy.ts'

/** Where a new policy begins: a starting point for each application type, which people then change. */

/** What costs next to nothing. Of these only manifest protection is noticed by an app: its http addresses fail. */
const LIGHT: readonly ReinforceOption[] = [
  'dex_protection',
  'so_protection',
  'third_party_so_ban',
  'log_removal',
  'signature_check',
  'integrity_check',
  'zip_check',
  'manifest_protection',
  'shell_protection',
  'anti_debugging',
  'cer_protection',
]
/** Accounts and orders: copies, hooks and overlays matter. */
const USUAL: readonly ReinforceOption[] = [
  ...LIGHT,
  'anti_decompile',
  'anti_xposed',
  'anti_multi_open',
  'anti_hijack',
  'js_protection',
  'memory_protection',
]
/** Money, identity or health: screens and files too. */
const STRICT: readonly ReinforceOption[] = [
  ...USUAL,
  'so_hiding',
  'core_library_protection',
  'proxy_check',
  'anti_emulator',
  'db_protection',
  'resource_protection',
  'screenshot_prevention',
]

type Template = {
  base: readonly ReinforceOption[]
  add?: readonly ReinforceOption[]
  leave?: readonly ReinforceOption[]
  why: { zh: string; en: string }
}

// biome-ignore format: one line a type
export const REINFORCE_TEMPLATES = {
  financial_lending: { base: STRICT, why: { zh: '资金与身份信息，全部环境检测开启', en: 'Money and identity: all checks of the environment' } },
  online_payment: { base: STRICT, why: { zh: '支付界面防截屏与劫持，代理环境检测', en: 'Payment screens against capture and overlays; proxies are found' } },
  online_shopping: { base: USUAL, add: ['anti_emulator'], why: { zh: '防刷单与多开', en: 'Against fake orders and cloned installs' } },
  online_car_hailing: { base: USUAL, add: ['anti_emulator'], why: { zh: '防模拟器抢单，车机设备请核对', en: 'Against orders from emulators; check head units' } },
  short_video: { base: LIGHT, add: ['anti_decompile'], why: { zh: '启动时间优先，编解码库保持原样', en: 'Start-up first; codec libraries stay' } },
  traffic_ticketing: { base: USUAL, add: ['anti_emulator', 'proxy_check'], why: { zh: '防抢票外挂', en: 'Against programs that grab tickets' } },
  map_navigation: { base: LIGHT, add: ['resource_protection'], why: { zh: '离线地图加密，兼容车机', en: 'Offline maps encrypted; head units stay supported' } },
  express_delivery: { base: USUAL, add: ['db_protection'], why: { zh: '偏好设置中的收件人信息加密保存', en: 'Addressees in preferences are encrypted on the phone' } },
  takeout_food: { base: USUAL, add: ['anti_emulator'], why: { zh: '防优惠套利与模拟定位', en: 'Against coupon fraud and false places' } },
  recruitment: { base: USUAL, add: ['db_protection'], why: { zh: '偏好设置中的个人信息加密保存', en: 'Personal data in preferences is encrypted on the phone' } },
  house_rental_sale: { base: USUAL, why: { zh: '防爬取与仿冒', en: 'Against scraping and copies' } },
  used_car: { base: USUAL, why: { zh: '防爬取与仿冒', en: 'Against scraping and copies' } },
  consultation_registration: { base: STRICT, leave: ['proxy_check'], why: { zh: '健康信息，医院内网常用代理', en: 'Health data; hospital networks often use proxies' } },
  news: { base: LIGHT, add: ['js_protection'], why: { zh: '启动时间优先', en: 'Start-up first' } },
  blog_forum: { base: LIGHT, add: ['anti_multi_open'], why: { zh: '防马甲账号批量多开', en: 'Against many accounts from cloned installs' } },
  security_management: { base: STRICT, leave: ['anti_multi_open'], why: { zh: '自身安全优先，工作空间里要能运行', en: 'Its own security first; it must run in work profiles' } },
  browser: { base: LIGHT, leave: ['anti_debugging'], why: { zh: '网页调试功能要可用', en: 'Debugging of web pages must work' } },
  input_method: { base: LIGHT, add: ['anti_decompile', 'anti_xposed'], why: { zh: '输入内容敏感，启动要快', en: 'Typed text is sensitive; it must start fast' } },
  instant_messaging: { base: USUAL, add: ['db_protection', 'screenshot_prevention'], why: { zh: '偏好设置中的账号数据加密，会话界面防截屏', en: 'Account data in preferences encrypted; chats against capture' } },
  exercise_fitness: { base: LIGHT, add: ['anti_emulator'], why: { zh: '防模拟器刷步数', en: 'Against steps made in emulators' } },
  marriage_dating: { base: USUAL, add: ['db_protection'], why: { zh: '偏好设置中的个人资料加密保存，防多开', en: 'Profiles in preferences are encrypted on the phone; against cloned installs' } },
} as const satisfies Record<string, Template>
export type ReinforceTemplate = keyof typeof REINFORCE_TEMPLATES

/** The options of a template with what each needs; without one: all off. */
export function templateOptions(template: ReinforceTemplate | ''): ReinforceOptions {
  const options = ReinforceOptionsSchema.parse({})
  if (template === '') return options
  const { base, add = [], leave = [] }: Template = REINFORCE_TEMPLATES[template]
  for (const key of [...base, ...add]) if (!leave.includes(key)) options[key].on = true
  options.resource_protection.patterns = ['assets/**', '!assets/fonts/**']
  options.screenshot_prevention.patterns = ['**']
  // Who only wants to know must not lock out users: what can be innocent is a warning first.
  for (const key of CHECKS)
    options[key].action =
      key === 'proxy_check' || key === 'anti_emulator' || key === 'anti_multi_open' ? 'warn' : 'exit'
  return options
}
