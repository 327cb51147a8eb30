import type { PermissionItem, SessionRole } from './permissions.ts'

/**
 * The page table: every screen once. Router, guard, sidebar, header menu, breadcrumb, tag bar, title, command palette and the
 * coverage test read it. `built: false` pages show an honest 'not built yet' state, are absent from menu and palette, and
 * `npx appwarden pages` lists them.
 */
export type PageRole = SessionRole | 'any' | 'noEmpower'
export type PageGroup =
  | 'start'
  | 'awareness'
  | 'statistics'
  | 'assets'
  | 'detection'
  | 'reinforcement'
  | 'monitoring'
  | 'protection'
  | 'knowledge'
  | 'platform'
export type PageEntry = {
  path: string
  zh: string
  en: string
  group: PageGroup
  /** One of these opens the page (routeAllowed); empty: public. */
  roles: readonly PageRole[]
  /** Besides the role, one of these items is needed. */
  items?: readonly PermissionItem[]
  /** Not in the menu; reached from the figures that it explains. */
  hidden?: true
  /** Fills the window: no header, sidebar or tags. */
  bare?: true
  /** Section heading of the sidebar. */
  section?: { zh: string; en: string }
  /** Name of a lucide icon. */
  icon?: string
  built: boolean
}

export const GROUPS: Record<PageGroup, { zh: string; en: string }> = {
  start: { zh: '首页', en: 'Home' },
  awareness: { zh: '态势', en: 'Awareness' },
  statistics: { zh: '统计', en: 'Statistics' },
  assets: { zh: '资产', en: 'Assets' },
  detection: { zh: '检测', en: 'Detection' },
  reinforcement: { zh: '加固', en: 'Hardening' },
  monitoring: { zh: '监测', en: 'Monitoring' },
  protection: { zh: '防护', en: 'Protection' },
  knowledge: { zh: '知识', en: 'Knowledge' },
  platform: { zh: '平台', en: 'Platform' },
}

const EXCEPTIONS = { zh: '异常', en: 'Exceptions' }
const ANALYSIS = { zh: '统计', en: 'Statistics' }
const REAL_TIME = { zh: '态势', en: 'Awareness' }
const DETECTIONS = { zh: '检测', en: 'Detection' }
const TOPICS = { zh: '专项', en: 'Topics' }
const TRACE = { zh: '溯源', en: 'Investigation' }

// biome-ignore format: one line a page, so that the table reads as a table
const table = {
  // Public
  login: { path: '/login', zh: '登录', en: 'Log in', group: 'start', roles: [], hidden: true, bare: true, built: true },
  auth_redirect: { path: '/auth-redirect', zh: '身份认证返回', en: 'Identity provider return', group: 'start', roles: [], hidden: true, bare: true, built: true },
  errorpage: { path: '/errorpage', zh: '出错了', en: 'Error', group: 'start', roles: [], hidden: true, bare: true, built: true },
  not_found: { path: '/404', zh: '页面不存在', en: 'Page not found', group: 'start', roles: [], hidden: true, bare: true, built: true },
  redirect: { path: '/redirect/*', zh: '正在刷新', en: 'Reloading', group: 'start', roles: [], hidden: true, bare: true, built: true },
  // Start
  home: { path: '/home', zh: '首页', en: 'Home', group: 'start', roles: ['any', 'noEmpower'], icon: 'layout-dashboard', built: true },
  notifications: { path: '/notifications', zh: '通知', en: 'Notifications', group: 'start', roles: ['any'], icon: 'bell', built: true },
  // Awareness
  observatory: { path: '/maps', zh: '观测台', en: 'Observatory', group: 'awareness', roles: ['maps'], icon: 'globe', section: REAL_TIME, bare: true, built: true },
  realtime: { path: '/realtime', zh: '实时监测', en: 'Real-time monitoring', group: 'awareness', roles: ['maps'], icon: 'activity', section: REAL_TIME, built: true },
  alerts: { path: '/awareness/alerts', zh: '告警', en: 'Alerts', group: 'awareness', roles: ['maps'], icon: 'bell-ring', section: REAL_TIME, built: true },
  global_view: { path: '/global', zh: '全局视图', en: 'Global view', group: 'awareness', roles: ['maps'], icon: 'layout-grid', section: REAL_TIME, built: true },
  investigation: { path: '/mssa/attack_spoor', zh: '攻击溯源', en: 'Attack trace', group: 'awareness', roles: ['mssa'], icon: 'route', section: TRACE, built: true },
  abnormal_returns: { path: '/mssa/abnormal', zh: '异常回传', en: 'Abnormal return', group: 'awareness', roles: ['mssa'], icon: 'undo-2', section: TRACE, built: true },
  web_defense: { path: '/mssa/web', zh: 'Web 安全防御', en: 'Web security defense', group: 'awareness', roles: ['mssa'], icon: 'shield', section: TRACE, built: true },
  suspicious_device: { path: '/mssa/dub-card/:id/', zh: '可疑设备', en: 'Suspicious equipment', group: 'awareness', roles: ['mssa'], hidden: true, built: true },
  abnormal_return: { path: '/mssa/abn-card/:id/', zh: '异常回传卡片', en: 'Abnormal return card', group: 'awareness', roles: ['mssa'], hidden: true, built: true },
  // Statistics
  user_analysis: { path: '/statistics/user_analyzer', zh: '用户分析', en: 'User analysis', group: 'statistics', roles: ['statistics'], icon: 'user-round-search', section: ANALYSIS, built: true },
  app_analysis: { path: '/statistics/app_analyzer', zh: '应用分析', en: 'Application analysis', group: 'statistics', roles: ['statistics'], icon: 'app-window', section: ANALYSIS, built: true },
  attack_analysis: { path: '/statistics/attack_analyzer', zh: '攻击分析', en: 'Attack analysis', group: 'statistics', roles: ['statistics'], icon: 'crosshair', section: ANALYSIS, built: true },
  device_activity: { path: '/statistics/user_check/:id/', zh: '设备详情', en: 'Device detail', group: 'statistics', roles: ['statistics'], hidden: true, built: true },
  attacked_users: { path: '/statistics/user_num', zh: '受攻击用户', en: 'Attacked users', group: 'statistics', roles: ['statistics'], hidden: true, built: true },
  abnormal_devices: { path: '/statistics/user_more', zh: '异常设备详情', en: 'Abnormal device detail', group: 'statistics', roles: ['statistics'], hidden: true, built: true },
  abnormal_periods: { path: '/statistics/user_moredata', zh: '异常时段列表', en: 'Abnormal periods', group: 'statistics', roles: ['statistics'], hidden: true, built: true },
  active_devices: { path: '/statistics/analyzer_system', zh: '活跃设备', en: 'Active devices', group: 'statistics', roles: ['statistics'], hidden: true, built: true },
  risk_triggers: { path: '/statistics/analyzer_attack', zh: '风险触发统计', en: 'Risk triggers', group: 'statistics', roles: ['statistics'], hidden: true, built: true },
  abnormal_triggers: { path: '/statistics/app_abnormal', zh: '异常触发统计', en: 'Abnormal triggers', group: 'statistics', roles: ['statistics'], hidden: true, built: true },
  starts: { path: '/statistics/app_start', zh: '启动统计', en: 'Starts', group: 'statistics', roles: ['statistics'], hidden: true, built: true },
  crash: { path: '/exceptions/crash', zh: '崩溃', en: 'Crashes', group: 'statistics', roles: ['statistics'], icon: 'bug', section: EXCEPTIONS, built: true },
  crash_detail: { path: '/exceptions/crash/:id/', zh: '崩溃详情', en: 'Crash detail', group: 'statistics', roles: ['statistics'], hidden: true, built: true },
  anr: { path: '/exceptions/anr', zh: 'ANR', en: 'ANR', group: 'statistics', roles: ['statistics'], icon: 'hourglass', section: EXCEPTIONS, built: true },
  anr_detail: { path: '/exceptions/anr/:id/', zh: 'ANR 详情', en: 'ANR detail', group: 'statistics', roles: ['statistics'], hidden: true, built: true },
  exception: { path: '/exceptions/exception', zh: '异常', en: 'Exceptions', group: 'statistics', roles: ['statistics'], icon: 'triangle-alert', section: EXCEPTIONS, built: true },
  exception_detail: { path: '/exceptions/exception/:id/', zh: '异常详情', en: 'Exception detail', group: 'statistics', roles: ['statistics'], hidden: true, built: true },
  exception_devices: { path: '/exceptions/device', zh: '设备', en: 'Devices', group: 'statistics', roles: ['statistics'], icon: 'smartphone', section: EXCEPTIONS, built: true },
  exception_device: { path: '/exceptions/device/:id/', zh: '设备详情', en: 'Device detail', group: 'statistics', roles: ['statistics'], hidden: true, built: true },
  // Assets
  assets: { path: '/assets/apps', zh: '应用文件', en: 'Application files', group: 'assets', roles: ['any'], items: ['asset.read'], icon: 'package', built: true },
  asset: { path: '/assets/apps/:id/', zh: '文件详情', en: 'File detail', group: 'assets', roles: ['any'], items: ['asset.read'], hidden: true, built: true },
  // Detection
  detection_tasks: { path: '/detection/tasks', zh: '检测管理', en: 'Test management', group: 'detection', roles: ['any'], items: ['detect.view'], icon: 'clipboard-list', section: DETECTIONS, built: true },
  detection_task: { path: '/detection/tasks/:id/', zh: '报告详情', en: 'Report details', group: 'detection', roles: ['any'], items: ['detect.view'], hidden: true, built: true },
  detection_new: { path: '/detection/new', zh: '检测选择', en: 'Detection selection', group: 'detection', roles: ['any'], items: ['asset.detect', 'asset.detect_sdk', 'asset.detect_privacy'], icon: 'scan-search', section: DETECTIONS, built: true },
  strategies: { path: '/detection/strategies', zh: '检测策略', en: 'Detection strategies', group: 'detection', roles: ['any'], items: ['asset.detect', 'rule.edit'], icon: 'list-checks', section: DETECTIONS, built: true },
  suppressions: { path: '/detection/suppressions', zh: '忽略管理', en: 'Suppressions', group: 'detection', roles: ['any'], items: ['detect.view'], icon: 'shield-check', section: DETECTIONS, built: true },
  compare: { path: '/detection/compare', zh: '对比', en: 'Compare', group: 'detection', roles: ['any'], items: ['detect.view'], icon: 'git-compare', section: DETECTIONS, built: true },
  privacy_detection: { path: '/detection/privacy', zh: '隐私检测', en: 'Privacy detection', group: 'detection', roles: ['any'], items: ['asset.detect_privacy', 'detect.view'], icon: 'eye-off', section: TOPICS, built: true },
  privacy_result: { path: '/detection/privacy/:id/', zh: '隐私检测详情', en: 'Privacy detail', group: 'detection', roles: ['any'], items: ['detect.view'], hidden: true, built: true },
  vulnerability_analysis: { path: '/detection/vulnerabilities', zh: '漏洞分析', en: 'Vulnerability analysis', group: 'detection', roles: ['any'], items: ['detect.view'], icon: 'chart-column', section: TOPICS, built: true },
  self_check: { path: '/detection/self_check', zh: '违法违规自检', en: 'Illegal-use self-check', group: 'detection', roles: ['any'], items: ['asset.detect_privacy'], icon: 'clipboard-check', section: TOPICS, built: true },
  sensitive_words: { path: '/detection/sensitive_words', zh: '敏感词配置', en: 'Sensitive words', group: 'detection', roles: ['any'], items: ['rule.edit'], icon: 'message-square-warning', section: TOPICS, built: true },
  // Reinforcement
  reinforce_new: { path: '/reinforce/new', zh: '加固', en: 'Reinforce', group: 'reinforcement', roles: ['any'], items: ['asset.harden'], icon: 'shield-plus', built: true },
  reinforce_tasks: { path: '/reinforce/tasks', zh: '加固管理', en: 'Reinforcement list', group: 'reinforcement', roles: ['any'], items: ['harden.view'], icon: 'shield-check', built: true },
  reinforce_task: { path: '/reinforce/tasks/:id/', zh: '加固结果', en: 'Reinforcement result', group: 'reinforcement', roles: ['any'], items: ['harden.view'], hidden: true, built: true },
  reinforce_policies: { path: '/reinforce/policies', zh: '加固策略', en: 'Reinforcement policies', group: 'reinforcement', roles: ['any'], items: ['asset.harden'], icon: 'sliders-horizontal', built: true },
  reinforce_channels: { path: '/reinforce/channels', zh: '渠道管理', en: 'Channel management', group: 'reinforcement', roles: ['any'], items: ['channel.manage'], icon: 'split', built: true },
  reinforce_signatures: { path: '/reinforce/signatures', zh: '签名文件', en: 'Signature files', group: 'reinforcement', roles: ['any'], items: ['asset.harden'], icon: 'file-key', built: true },
  // Monitoring
  monitor_tasks: { path: '/monitor/tasks', zh: '渠道监测', en: 'Channel monitoring', group: 'monitoring', roles: ['any'], items: ['monitor.view', 'asset.monitor'], icon: 'radar', built: true },
  monitor_task: { path: '/monitor/tasks/:id/', zh: '监测报告', en: 'Monitoring report', group: 'monitoring', roles: ['any'], items: ['monitor.view'], hidden: true, built: true },
  monitor_markets: { path: '/monitor/markets', zh: '渠道目录', en: 'Channel catalogue', group: 'monitoring', roles: ['any'], items: ['channel.manage', 'monitor.view', 'asset.monitor'], icon: 'store', built: true },
  // Protection
  js_protection: { path: '/protect/js', zh: 'JS 保护', en: 'JS protection', group: 'protection', roles: ['any'], items: ['script.protect'], icon: 'file-code', built: true },
  communication_protection: { path: '/protect/communication', zh: '通信保护', en: 'Communication protection', group: 'protection', roles: ['any'], items: ['communication.protect'], icon: 'lock-keyhole', built: true },
  security_component: { path: '/protect/component', zh: '安全组件', en: 'Security component', group: 'protection', roles: ['any'], items: ['communication.protect', 'sdk.download'], icon: 'puzzle', built: true },
  sdk: { path: '/protect/sdk', zh: '安全 SDK', en: 'Security SDK', group: 'protection', roles: ['any'], items: ['sdk.download'], icon: 'blocks', built: true },
  guide: { path: '/protect/guide', zh: '接入指南', en: 'Access guide', group: 'protection', roles: ['any'], items: ['sdk.download', 'ingest.keys'], icon: 'book-open', built: true },
  policies: { path: '/config/policies', zh: '配置中心', en: 'Configuration center', group: 'protection', roles: ['protect'], icon: 'settings-2', built: true },
  construction: { path: '/construction/index', zh: '场景建设', en: 'Scene construction', group: 'protection', roles: ['construction', 'protect'], icon: 'hammer', built: true },
  // Knowledge
  vulnerabilities: { path: '/knowledge/vulnerabilities', zh: '漏洞库', en: 'Vulnerability library', group: 'knowledge', roles: ['any'], icon: 'library', built: true },
  knowledge_base: { path: '/knowledge/base', zh: '知识库', en: 'Knowledge base', group: 'knowledge', roles: ['any'], icon: 'book', built: true },
  article: { path: '/knowledge/base/:id/', zh: '文章', en: 'Article', group: 'knowledge', roles: ['any', 'noEmpower'], hidden: true, built: true },
  own_articles: { path: '/knowledge/own', zh: '自有文章', en: 'Own articles', group: 'knowledge', roles: ['any'], items: ['rule.edit'], icon: 'file-text', built: true },
  own_article: { path: '/knowledge/own/:id/', zh: '编辑文章', en: 'Edit article', group: 'knowledge', roles: ['any'], items: ['rule.edit'], hidden: true, built: true },
  solutions: { path: '/knowledge/solutions', zh: '解决方案', en: 'Solutions', group: 'knowledge', roles: ['any'], icon: 'lightbulb', built: true },
  training: { path: '/knowledge/training', zh: '培训', en: 'Training', group: 'knowledge', roles: ['any'], icon: 'graduation-cap', built: true },
  help: { path: '/help', zh: '系统帮助', en: 'System help', group: 'knowledge', roles: ['any', 'noEmpower'], icon: 'circle-help', built: true },
  about: { path: '/about', zh: '关于我们', en: 'About us', group: 'knowledge', roles: ['any', 'noEmpower'], icon: 'info', built: true },
  service: { path: '/service', zh: '安全服务', en: 'Security service', group: 'knowledge', roles: ['any', 'noEmpower'], icon: 'headset', built: true },
  // Platform
  users: { path: '/platform/usermanage', zh: '账号设置', en: 'Account settings', group: 'platform', roles: ['usermanage'], icon: 'users', built: true },
  roles: { path: '/platform/roles', zh: '角色设置', en: 'Role setting', group: 'platform', roles: ['usermanage'], icon: 'user-cog', built: true },
  reports: { path: '/platform/reportManage', zh: '报告管理', en: 'Report management', group: 'platform', roles: ['reportManage'], items: ['report.manage', 'detect.report', 'events.export', 'asset.detect_privacy', 'monitor.report'], icon: 'file-text', built: true },
  licence: { path: '/platform/authorization', zh: '授权管理', en: 'Authorization management', group: 'platform', roles: ['authorize'], icon: 'key-round', built: true },
  audit_log: { path: '/platform/logs', zh: '日志管理', en: 'Log management', group: 'platform', roles: ['any'], items: ['log.view'], icon: 'scroll-text', built: true },
  maintenance: { path: '/platform/maintain', zh: '平台维护', en: 'Platform maintenance', group: 'platform', roles: ['maintenance'], icon: 'wrench', built: true },
  environment: { path: '/platform/environment', zh: '环境监测', en: 'Environment monitoring', group: 'platform', roles: ['maintenance'], icon: 'gauge', built: true },
  updates: { path: '/platform/systemupdate', zh: '平台更新', en: 'Platform update', group: 'platform', roles: ['systemupdate'], icon: 'circle-arrow-up', built: true },
  settings: { path: '/platform/settings', zh: '平台管理', en: 'Platform management', group: 'platform', roles: ['any'], items: ['platform.settings', 'ingest.keys', 'ingest.quarantine', 'token.create', 'wall.manage'], icon: 'settings', built: true },
  tools: { path: '/platform/tools', zh: '平台工具', en: 'Platform tools', group: 'platform', roles: ['any'], items: ['tool.use'], icon: 'hammer', built: true },
} as const satisfies Record<string, PageEntry>

export type PageName = keyof typeof table
/** In menu order. */
export const PAGES: Readonly<Record<PageName, PageEntry>> = table
export const PAGE_NAMES = Object.keys(table) as PageName[]
/** Pages of the menu, before permissions: built and not hidden. */
export const MENU_PAGES: readonly (PageEntry & { name: PageName })[] = PAGE_NAMES.map((name) => ({
  ...PAGES[name],
  name,
})).filter((page) => page.built && !page.hidden)
/** Group paths lead to the first child that the user may see; these have a required target (GUARD-09). */
export const GROUP_REDIRECTS: Partial<Record<string, PageName>> = {
  '/': 'home',
  '/awareness': 'observatory',
  '/construction': 'construction',
}

const matchers = PAGE_NAMES.map((name) => [name, patternOf(PAGES[name].path)] as const)

/** `/a/:id/` and `/redirect/*` as the router reads them: whole, whatever the case, with or without a slash at the end. */
function patternOf(path: string): RegExp {
  const body = path.replace(/\/$/, '').replace(/:\w+/g, '[^/]+').replace(/\/\*$/, '(?:/.*)?')
  return new RegExp(`^${body}/?$`, 'i')
}

/** The page of a path, with or without a slash at the end. */
export function pageOf(path: string): PageName | undefined {
  return matchers.find(([, pattern]) => pattern.test(path))?.[0]
}
