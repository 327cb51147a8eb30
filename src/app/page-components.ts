import type { ComponentType } from 'react'
import type { PageName } from '#contracts/pages.ts'

type Load = () => Promise<{ default: ComponentType }>

/**
 * The component of each page that is built, loaded when it is first opened. A page of the table without an entry shows the honest
 * 'not built yet' page; the coverage test keeps this list and the table's `built` in step.
 */
export const PAGE_COMPONENTS: Partial<Record<PageName, Load>> = {
  home: () => import('#src/features/start/home/home-page.tsx'),
  about: () => import('#src/features/knowledge/about/about-page.tsx'),
  audit_log: () => import('#src/features/platform/audit-log/audit-log-page.tsx'),
  users: () => import('#src/features/platform/users/users-page.tsx'),
  roles: () => import('#src/features/platform/roles/roles-page.tsx'),
  settings: () => import('#src/features/platform/settings/settings-page.tsx'),
  observatory: () => import('#src/features/awareness/observatory/observatory-page.tsx'),
  investigation: () => import('#src/features/awareness/investigation/investigation-page.tsx'),
  alerts: () => import('#src/features/awareness/alerts/alerts-page.tsx'),
  abnormal_returns: () => import('#src/features/awareness/abnormal-returns/abnormal-returns-page.tsx'),
  abnormal_return: () => import('#src/features/awareness/abnormal-returns/abnormal-return-page.tsx'),
  suspicious_device: () => import('#src/features/awareness/devices/suspicious-device-page.tsx'),
  device_activity: () => import('#src/features/awareness/devices/device-activity-page.tsx'),
  exception_device: () => import('#src/features/awareness/devices/device-detail-page.tsx'),
  realtime: () => import('#src/features/awareness/realtime/realtime-page.tsx'),
  user_analysis: () => import('#src/features/statistics/user-analysis/user-analysis-page.tsx'),
  attacked_users: () => import('#src/features/statistics/lists/attacked-users-page.tsx'),
  attack_analysis: () => import('#src/features/statistics/attack-analysis/attack-analysis-page.tsx'),
  abnormal_devices: () => import('#src/features/statistics/lists/abnormal-devices-page.tsx'),
  app_analysis: () => import('#src/features/statistics/app-analysis/app-analysis-page.tsx'),
  risk_triggers: () => import('#src/features/statistics/lists/risk-triggers-page.tsx'),
  abnormal_triggers: () => import('#src/features/statistics/lists/abnormal-triggers-page.tsx'),
  starts: () => import('#src/features/statistics/lists/starts-page.tsx'),
  abnormal_periods: () => import('#src/features/statistics/lists/abnormal-periods-page.tsx'),
  global_view: () => import('#src/features/awareness/global-view/global-view-page.tsx'),
  web_defense: () => import('#src/features/awareness/web-defense/web-defense-page.tsx'),
  active_devices: () => import('#src/features/statistics/lists/active-devices-page.tsx'),
  assets: () => import('#src/features/assets/assets/assets-page.tsx'),
  asset: () => import('#src/features/assets/assets/file-page.tsx'),
  policies: () => import('#src/features/protection/policies/policies-page.tsx'),
  construction: () => import('#src/features/protection/construction/construction-page.tsx'),
  sdk: () => import('#src/features/protection/sdk/sdk-page.tsx'),
  guide: () => import('#src/features/protection/sdk/guide-page.tsx'),
  self_check: () => import('#src/features/detection/self-check/self-check-page.tsx'),
  sensitive_words: () => import('#src/features/detection/sensitive-words/sensitive-words-page.tsx'),
  crash: () => import('#src/features/statistics/exceptions/groups-page.tsx'),
  anr: () => import('#src/features/statistics/exceptions/groups-page.tsx'),
  exception: () => import('#src/features/statistics/exceptions/groups-page.tsx'),
  crash_detail: () => import('#src/features/statistics/exceptions/group-page.tsx'),
  anr_detail: () => import('#src/features/statistics/exceptions/group-page.tsx'),
  exception_detail: () => import('#src/features/statistics/exceptions/group-page.tsx'),
  exception_devices: () => import('#src/features/statistics/exceptions/exception-devices-page.tsx'),
  detection_new: () => import('#src/features/detection/new-task/detection-new-page.tsx'),
  strategies: () => import('#src/features/detection/strategies/strategies-page.tsx'),
  detection_tasks: () => import('#src/features/detection/tasks/detection-tasks-page.tsx'),
  detection_task: () => import('#src/features/detection/task/detection-task-page.tsx'),
  suppressions: () => import('#src/features/detection/suppressions/suppressions-page.tsx'),
  privacy_detection: () => import('#src/features/detection/privacy/privacy-page.tsx'),
  privacy_result: () => import('#src/features/detection/privacy/privacy-detail-page.tsx'),
  compare: () => import('#src/features/detection/compare/compare-page.tsx'),
  vulnerabilities: () => import('#src/features/knowledge/vulnerabilities/vulnerabilities-page.tsx'),
  vulnerability_analysis: () =>
    import('#src/features/detection/vulnerability-analysis/vulnerability-analysis-page.tsx'),
}
