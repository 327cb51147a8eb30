import { Settings } from 'lucide-react'
import { PAGES } from '#contracts/pages.ts'
import type { PermissionItem } from '#contracts/permissions.ts'
import type { Action } from '#src/shared/ui/actions.ts'

/** The tabs of the settings page, by the words of both languages that people look for. */
const TABS = {
  platform: { item: 'platform.settings', words: 'name logo zone retention 名称 标志 时区 保存 主题' },
  signin: { item: 'platform.settings', words: 'ldap oidc password session 密码 会话 地址 登录' },
  reports: { item: 'platform.settings', words: 'report cover template 报告 封面' },
  sites: { item: 'platform.settings', words: 'site place longitude 站点 经纬度' },
  keys: { item: 'ingest.keys', words: 'ingest enrolment server key 上报 密钥' },
  quarantine: { item: 'ingest.quarantine', words: 'quarantine rejected 隔离 拒绝' },
  tokens: { item: 'token.create', words: 'access token api 令牌' },
  walls: { item: 'wall.manage', words: 'wall display token 大屏 令牌' },
} as const satisfies Record<string, { item: PermissionItem; words: string }>
export type SettingsTab = keyof typeof TABS

/** Settings as actions of the palette: those that the account may open. */
export function settingsActions(
  auth: readonly string[],
  t: (key: SettingsTab | 'setting') => string,
  go: (path: string) => void,
): Action[] {
  return (Object.keys(TABS) as SettingsTab[])
    .filter((tab) => auth.includes(TABS[tab].item))
    .map((tab) => ({
      id: `setting.${tab}`,
      label: t(tab),
      words: TABS[tab].words,
      group: t('setting'),
      icon: Settings,
      run: () => go(`${PAGES.settings.path}?tab=${tab}`),
    }))
}
