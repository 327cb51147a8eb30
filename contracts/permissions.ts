/**
 * Two lists (decision 14). Session roles are the required strings (PERM-02) that gate routes and parts of the shell; permission items are
 * stable dotted keys that gate endpoints and actions. A user's auth_list holds both kinds. Built-in roles are data over the two.
 */

/** The session role strings (PERM-02). */
export const SESSION_ROLES = [
  'construction',
  'createapp',
  'platform',
  'maps',
  'statistics',
  'protect',
  'mssa',
  'usermanage',
  'reportManage',
  'systemupdate',
  'maintenance',
  'authorize',
] as const
export type SessionRole = (typeof SESSION_ROLES)[number]

/** Opens the routes that list it (home, own account, help, about, security service); never an endpoint (decision 12). */
export const NO_EMPOWER = 'noEmpower'

export const PERMISSION_ITEMS = {
  // Observatory and statistics
  'events.read': { zh: '查看事件与统计', en: 'Read events and statistics' },
  'events.export': { zh: '导出事件', en: 'Export events' },
  'personal.reveal': { zh: '查看个人数据原文', en: 'Reveal personal data' },
  'personal.erase': { zh: '删除个人数据', en: 'Delete personal data' },
  'investigation.edit': { zh: '处置与案件', en: 'Verdicts and cases' },
  'alert.acknowledge': { zh: '确认告警', en: 'Acknowledge alerts' },
  'alert.edit': { zh: '编辑告警规则', en: 'Edit alert rules' },
  'view.share': { zh: '共享团队视图', en: 'Share team views' },
  'wall.manage': { zh: '管理大屏令牌', en: 'Manage display tokens' },
  // Applications and ingest
  'application.create': { zh: '新建应用', en: 'Create applications' },
  'application.delete': { zh: '删除应用', en: 'Delete applications' },
  'application.members': { zh: '管理应用成员', en: 'Manage application members' },
  'ingest.keys': { zh: '管理上报密钥', en: 'Manage ingest keys' },
  'ingest.quarantine': { zh: '查看隔离事件', en: 'Read quarantined events' },
  'sdk.download': { zh: '下载 SDK', en: 'Download SDKs' },
  'policy.edit': { zh: '编辑防护策略', en: 'Edit protection policies' },
  'policy.deploy': { zh: '下发防护策略', en: 'Deploy protection policies' },
  // Asset center (PERM-03)
  'asset.read': { zh: '查看资产', en: 'Read assets' },
  'asset.upload': { zh: '上传文件', en: 'Upload files' },
  'asset.delete': { zh: '删除应用文件', en: 'Delete application files' },
  'asset.harden': { zh: '安全加固', en: 'Security reinforcement' },
  'asset.detect_sdk': { zh: 'SDK 检测', en: 'SDK detection' },
  'asset.detect_privacy': { zh: '个人隐私检测', en: 'Personal privacy detection' },
  'asset.detect': { zh: '安全检测', en: 'Security testing' },
  'asset.monitor': { zh: '渠道监测', en: 'Channel monitoring' },
  // Reinforcement management
  'harden.download': { zh: '下载加固包', en: 'Download hardened packages' },
  'harden.delete': { zh: '删除加固记录', en: 'Delete reinforcement records' },
  'harden.redo': { zh: '重新加固', en: 'Re-reinforce' },
  'harden.view': { zh: '查看加固结果', en: 'View reinforcement results' },
  // Test management
  'detect.report': { zh: '生成检测报告', en: 'Generate reports' },
  'detect.view': { zh: '查看检测结果', en: 'View detection results' },
  'detect.delete': { zh: '删除检测记录', en: 'Delete detection records' },
  'rule.edit': { zh: '编辑检测规则', en: 'Edit detection rules' },
  // Monitoring management
  'monitor.report': { zh: '生成监测报告', en: 'Generate monitoring reports' },
  'monitor.view': { zh: '查看监测结果', en: 'View monitoring results' },
  'monitor.delete': { zh: '删除监测记录', en: 'Delete monitoring records' },
  'monitor.doc': { zh: '下载监测文档', en: 'Download monitoring documents' },
  'channel.manage': { zh: '渠道管理', en: 'Channel management' },
  'script.protect': { zh: 'JS 保护', en: 'Script protection' },
  'communication.protect': { zh: '通信保护', en: 'Communication protection' },
  'service.use': { zh: '安全服务', en: 'Security service' },
  'service.answer': { zh: '处理服务请求', en: 'Answer service requests' },
  'service.delete': { zh: '删除服务请求', en: 'Delete service requests' },
  // Platform
  'log.view': { zh: '查看日志详情', en: 'View log details' },
  'log.download': { zh: '下载日志', en: 'Download logs' },
  'log.delete': { zh: '删除日志', en: 'Delete logs' },
  'audit.verify': { zh: '核验审计链', en: 'Verify the audit chain' },
  'report.manage': { zh: '报告管理', en: 'Manage reports' },
  'user.manage': { zh: '用户管理', en: 'Manage users' },
  'license.manage': { zh: '授权管理', en: 'Manage authorization' },
  'platform.settings': { zh: '平台设置', en: 'Platform settings' },
  'platform.update': { zh: '平台更新', en: 'Platform update' },
  'platform.maintain': { zh: '平台维护', en: 'Platform maintenance' },
  'metrics.read': { zh: '读取运行指标', en: 'Read metrics' },
  'token.create': { zh: '创建访问令牌', en: 'Create access tokens' },
  'tool.use': { zh: '使用平台工具', en: 'Use platform tools' },
} as const
export type PermissionItem = keyof typeof PERMISSION_ITEMS
export const ALL_ITEMS = Object.keys(PERMISSION_ITEMS) as PermissionItem[]

/**
 * Held by the built-in auditor alone and by no custom role: administrator, operator and auditor are separated, so the logs of an
 * administrator are never deleted by an administrator.
 */
export const AUDITOR_ONLY: readonly PermissionItem[] = ['log.delete']
export const AUDITOR_ROLE = 'auditor'

export type Authority = SessionRole | PermissionItem | typeof NO_EMPOWER

export type BuiltInRole = {
  key: string
  zh: string
  en: string
  /** Sees every application, not only those it owns or is a member of. */
  seesAll: boolean
  auth: readonly Authority[]
}

const READ = ['events.read', 'asset.read', 'detect.view', 'harden.view', 'monitor.view', 'service.use'] as const
const WORK = [
  ...READ,
  'events.export',
  'investigation.edit',
  'alert.acknowledge',
  'ingest.keys',
  'ingest.quarantine',
  'sdk.download',
  'policy.edit',
  'asset.upload',
  'asset.harden',
  'asset.detect_sdk',
  'asset.detect_privacy',
  'asset.detect',
  'asset.monitor',
  'harden.download',
  'harden.redo',
  'detect.report',
  'monitor.report',
  'monitor.doc',
  'channel.manage',
  'script.protect',
  'communication.protect',
  'token.create',
  'tool.use',
] as const

/** The built-in roles (ROLE-01). The super administrator is the first administrator and cannot be deleted. */
// biome-ignore format: one line a role
export const BUILT_IN_ROLES: readonly BuiltInRole[] = [
  { key: 'administrator', zh: '管理员', en: 'Administrator', seesAll: true, auth: [...SESSION_ROLES, ...ALL_ITEMS.filter((item) => !AUDITOR_ONLY.includes(item))] },
  {
    key: 'operator',
    zh: '操作员',
    en: 'Operator',
    seesAll: false,
    auth: ['construction', 'createapp', 'maps', 'statistics', 'protect', 'mssa', 'reportManage', ...WORK, 'application.create', 'application.delete', 'application.members', 'asset.delete', 'detect.delete', 'harden.delete', 'monitor.delete', 'alert.edit', 'policy.deploy', 'view.share', 'report.manage', 'rule.edit'],
  },
  { key: 'operator2', zh: '操作员 2', en: 'Operator 2', seesAll: false, auth: ['construction', 'maps', 'statistics', 'protect', 'mssa', 'reportManage', ...WORK] },
  { key: 'auditor', zh: '审计员', en: 'Auditor', seesAll: true, auth: ['reportManage', 'log.view', 'log.download', 'log.delete', 'audit.verify', 'report.manage'] },
  { key: 'trial', zh: '试用角色', en: 'Trial role', seesAll: false, auth: ['construction', 'createapp', 'maps', 'statistics', 'mssa', ...READ, 'application.create', 'application.delete', 'ingest.keys', 'sdk.download', 'asset.upload', 'asset.detect'] },
  { key: 'multi_channel', zh: '多渠道', en: 'Multi-channel', seesAll: false, auth: ['asset.read', 'asset.upload', 'channel.manage', 'harden.view', 'harden.download', 'monitor.view', 'service.use'] },
  { key: 'harden_detect', zh: '加固检测', en: 'Strengthening detection', seesAll: false, auth: ['asset.read', 'asset.upload', 'asset.harden', 'harden.view', 'harden.download', 'harden.redo', 'asset.detect', 'detect.view', 'detect.report', 'service.use'] },
  { key: 'safety_detect', zh: '安全检测', en: 'Safety detection', seesAll: false, auth: ['asset.read', 'asset.upload', 'asset.detect', 'asset.detect_sdk', 'asset.detect_privacy', 'detect.view', 'detect.report', 'service.use'] },
]

/**
 * Whether a route is shown (GUARD-03): the user has noEmpower and the route lists it, or the lists overlap.
 * `any` in a route's list means an auth_list that contains more than noEmpower (decision 10).
 */
export function routeAllowed(routeRoles: readonly string[], authList: readonly string[]): boolean {
  if (authList.includes(NO_EMPOWER) && routeRoles.includes(NO_EMPOWER)) return true
  if (routeRoles.includes('any')) return authList.some((one) => one !== NO_EMPOWER)
  return routeRoles.some((role) => role !== NO_EMPOWER && authList.includes(role))
}
