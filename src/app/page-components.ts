import type { ComponentType } from 'react'
import type { PageName } from '#contracts/pages.ts'

type Load = () => Promise<{ default: ComponentType }>

/**
 * The component of each page that is built, loaded when it is first opened. A page of the table without an entry shows the honest
 * 'not built yet' page; the coverage test keeps this list and the table's `built` in step.
 */
export const PAGE_COMPONENTS: Partial<Record<PageName, Load>> = {
  home: () => import('#src/features/home/home-page.tsx'),
  about: () => import('#src/features/about/about-page.tsx'),
  logs: () => import('#src/features/logs/logs-page.tsx'),
  settings: () => import('#src/features/settings/settings-page.tsx'),
  maps: () => import('#src/features/maps/maps-page.tsx'),
  attack_spoor: () => import('#src/features/attack-trace/attack-trace-page.tsx'),
  alerts: () => import('#src/features/alerts/alerts-page.tsx'),
  abnormal: () => import('#src/features/abnormal-return/abnormal-page.tsx'),
  abn_card: () => import('#src/features/abnormal-return/abn-card-page.tsx'),
  dub_card: () => import('#src/features/device/dub-card-page.tsx'),
  user_check: () => import('#src/features/device/user-check-page.tsx'),
  device_detail: () => import('#src/features/device/device-detail-page.tsx'),
  realtime: () => import('#src/features/realtime/realtime-page.tsx'),
  user_analyzer: () => import('#src/features/user-analysis/user-analysis-page.tsx'),
  user_num: () => import('#src/features/statistics-lists/attacked-users-page.tsx'),
  attack_analyzer: () => import('#src/features/attack-analysis/attack-analysis-page.tsx'),
  user_more: () => import('#src/features/statistics-lists/abnormal-devices-page.tsx'),
  app_analyzer: () => import('#src/features/app-analysis/app-analysis-page.tsx'),
  analyzer_attack: () => import('#src/features/statistics-lists/risk-triggers-page.tsx'),
  app_abnormal: () => import('#src/features/statistics-lists/abnormal-triggers-page.tsx'),
  app_start: () => import('#src/features/statistics-lists/starts-page.tsx'),
  user_moredata: () => import('#src/features/statistics-lists/abnormal-periods-page.tsx'),
  global: () => import('#src/features/global-view/global-view-page.tsx'),
  web_defense: () => import('#src/features/web-defense/web-defense-page.tsx'),
  analyzer_system: () => import('#src/features/statistics-lists/active-devices-page.tsx'),
  apps: () => import('#src/features/assets/assets-page.tsx'),
  app_file: () => import('#src/features/assets/file-page.tsx'),
  policies: () => import('#src/features/policies/policies-page.tsx'),
  construction: () => import('#src/features/construction/construction-page.tsx'),
  sdk: () => import('#src/features/sdk/sdk-page.tsx'),
  guide: () => import('#src/features/sdk/guide-page.tsx'),
  self_check: () => import('#src/features/self-check/self-check-page.tsx'),
  sensitive_words: () => import('#src/features/sensitive-words/sensitive-words-page.tsx'),
  crash: () => import('#src/features/exceptions/groups-page.tsx'),
  anr: () => import('#src/features/exceptions/groups-page.tsx'),
  exception: () => import('#src/features/exceptions/groups-page.tsx'),
  crash_detail: () => import('#src/features/exceptions/group-page.tsx'),
  anr_detail: () => import('#src/features/exceptions/group-page.tsx'),
  exception_detail: () => import('#src/features/exceptions/group-page.tsx'),
  device: () => import('#src/features/exceptions/exception-devices-page.tsx'),
  detection_new: () => import('#src/features/detection-new/detection-new-page.tsx'),
  strategies: () => import('#src/features/strategies/strategies-page.tsx'),
  detection_tasks: () => import('#src/features/detection-tasks/detection-tasks-page.tsx'),
  detection_task: () => import('#src/features/detection-task/detection-task-page.tsx'),
  privacy: () => import('#src/features/privacy-detection/privacy-page.tsx'),
  privacy_detail: () => import('#src/features/privacy-detection/privacy-detail-page.tsx'),
  compare: () => import('#src/features/compare/compare-page.tsx'),
  vulnerability_analysis: () => import('#src/features/vulnerability-analysis/vulnerability-analysis-page.tsx'),
}
