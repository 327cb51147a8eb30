import { type Kysely, sql } from 'kysely'

/** Page names of contracts/pages.ts, old and new: saved views are stored under them. */
const RENAMED = {
  abnormal: 'abnormal_returns',
  abn_card: 'abnormal_return',
  analyzer_attack: 'risk_triggers',
  analyzer_system: 'active_devices',
  app_abnormal: 'abnormal_triggers',
  app_analyzer: 'app_analysis',
  app_file: 'asset',
  app_start: 'starts',
  apps: 'assets',
  attack_analyzer: 'attack_analysis',
  attack_spoor: 'investigation',
  device: 'exception_devices',
  device_detail: 'exception_device',
  dub_card: 'suspicious_device',
  global: 'global_view',
  logs: 'audit_log',
  maps: 'observatory',
  privacy: 'privacy_detection',
  privacy_detail: 'privacy_result',
  user_analyzer: 'user_analysis',
  user_check: 'device_activity',
  user_more: 'abnormal_devices',
  user_moredata: 'abnormal_periods',
  user_num: 'attacked_users',
}

export async function up(db: Kysely<unknown>): Promise<void> {
  const cases = Object.entries(RENAMED).map(([from, to]) => `when '${from}' then '${to}'`)
  await sql.raw(`update saved_views set page = case page ${cases.join(' ')} else page end`).execute(db)
}
