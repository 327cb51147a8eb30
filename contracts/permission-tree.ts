import type { PermissionItem, SessionRole } from './permissions.ts'

/** Only the role editor needs these: apart from permissions.ts, whose module is part of the first load of the console. */

/** What each session role opens, as the role editor names it. */
export const SESSION_ROLE_NAMES: Record<SessionRole, { zh: string; en: string }> = {
  construction: { zh: '场景建设、应用快选', en: 'Scene construction, quick-select' },
  createapp: { zh: '新建、删除应用入口', en: 'Entries to add and delete applications' },
  platform: { zh: '成员管理入口、平台工具', en: 'Member management entry, platform tools' },
  maps: { zh: '观测台、实时监测、告警', en: 'Observatory, real-time monitoring, alerts' },
  statistics: { zh: '统计与异常页面', en: 'Statistics and exceptions pages' },
  protect: { zh: '配置中心、场景建设', en: 'Configuration center, scene construction' },
  mssa: { zh: '攻击溯源、异常回传', en: 'Attack trace, abnormal return' },
  usermanage: { zh: '账号与角色页面', en: 'Account and role pages' },
  reportManage: { zh: '报告管理页面', en: 'Report management page' },
  systemupdate: { zh: '平台更新页面', en: 'Platform update page' },
  maintenance: { zh: '平台维护、环境监测页面', en: 'Maintenance and environment pages' },
  authorize: { zh: '授权管理页面', en: 'Authorization page' },
}

/**
 * The permission tree of the role editor: every session role and item once, in the groups of PERM-03 and those of
 * our own areas. Session roles open pages, items open what is done there.
 */
export const PERMISSION_GROUPS: readonly {
  key: string
  zh: string
  en: string
  items: readonly (SessionRole | PermissionItem)[]
}[] = [
  {
    key: 'asset',
    zh: '资产中心',
    en: 'Asset center',
    items: [
      'asset.read',
      'asset.upload',
      'asset.delete',
      'asset.detect',
      'asset.detect_sdk',
      'asset.detect_privacy',
      'asset.harden',
      'asset.monitor',
    ],
  },
  {
    key: 'harden',
    zh: '加固管理',
    en: 'Reinforcement management',
    items: ['harden.view', 'harden.download', 'harden.redo', 'harden.delete'],
  },
  {
    key: 'detect',
    zh: '检测管理',
    en: 'Test management',
    items: ['detect.view', 'detect.report', 'detect.delete', 'rule.edit'],
  },
  {
    key: 'monitor',
    zh: '监测管理',
    en: 'Monitoring management',
    items: ['monitor.view', 'monitor.report', 'monitor.doc', 'monitor.delete', 'channel.manage'],
  },
  {
    key: 'events',
    zh: '态势与统计',
    en: 'Awareness and statistics',
    items: [
      'maps',
      'statistics',
      'mssa',
      'events.read',
      'events.export',
      'personal.reveal',
      'personal.erase',
      'investigation.edit',
      'alert.acknowledge',
      'alert.edit',
      'view.share',
      'wall.manage',
    ],
  },
  {
    key: 'application',
    zh: '应用与接入',
    en: 'Applications and ingest',
    items: [
      'construction',
      'createapp',
      'application.create',
      'application.delete',
      'application.members',
      'ingest.keys',
      'ingest.quarantine',
      'sdk.download',
    ],
  },
  {
    key: 'protection',
    zh: '防护',
    en: 'Protection',
    items: [
      'protect',
      'policy.edit',
      'policy.deploy',
      'script.protect',
      'communication.protect',
      'service.use',
      'service.answer',
      'service.delete',
    ],
  },
  {
    key: 'log',
    zh: '日志管理',
    en: 'Log management',
    items: ['log.view', 'log.download', 'audit.verify', 'log.delete'],
  },
  {
    key: 'platform',
    zh: '平台',
    en: 'Platform',
    items: [
      'platform',
      'usermanage',
      'user.manage',
      'reportManage',
      'report.manage',
      'authorize',
      'license.manage',
      'systemupdate',
      'platform.update',
      'maintenance',
      'platform.maintain',
      'platform.settings',
      'metrics.read',
      'token.create',
      'tool.use',
    ],
  },
]
