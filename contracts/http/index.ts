import { z } from 'zod'
import * as alertSchemas from '#domain/alerts.ts'
import * as querySchemas from '#domain/query.ts'
import * as scanResult from '../detection/scan-result.ts'
import * as jobSchemas from '../jobs.ts'
import * as abnormalReturns from './abnormal-returns.ts'
import * as accounts from './accounts.ts'
import * as alerts from './alerts.ts'
import * as applications from './applications.ts'
import * as assets from './assets.ts'
import * as auditLog from './audit-log.ts'
import * as baselines from './baselines.ts'
import * as communication from './communication.ts'
import * as detectionAnalysis from './detection/analysis.ts'
import * as detectionResult from './detection/result.ts'
import * as detectionRules from './detection/rules.ts'
import * as detection from './detection/tasks.ts'
import * as devices from './devices.ts'
import type { Endpoint } from './endpoint.ts'
import * as environment from './environment.ts'
import * as erasures from './erasures.ts'
import * as exceptions from './exceptions.ts'
import * as exports from './exports.ts'
import * as health from './health.ts'
import * as home from './home.ts'
import * as ingest from './ingest.ts'
import * as investigation from './investigation.ts'
import * as jobs from './jobs.ts'
import * as jsProtection from './js-protection.ts'
import * as knowledge from './knowledge.ts'
import * as ldap from './ldap.ts'
import * as licence from './licence.ts'
import * as maintenanceBackups from './maintenance/backups.ts'
import * as maintenanceChecks from './maintenance/checks.ts'
import * as maintenanceLogs from './maintenance/logs.ts'
import * as monitoringMarkets from './monitoring/markets.ts'
import * as monitoringPiratedPlaces from './monitoring/pirated-places.ts'
import * as monitoringTakedowns from './monitoring/takedowns.ts'
import * as monitoringTasks from './monitoring/tasks.ts'
import * as notifications from './notifications.ts'
import * as observatory from './observatory.ts'
import * as oidc from './oidc.ts'
import * as ownArticles from './own-articles.ts'
import * as platformInfo from './platform-info.ts'
import * as policies from './policies.ts'
import * as reinforceChannels from './reinforce-channels.ts'
import * as reinforcePolicies from './reinforce-policies.ts'
import * as reinforceSignatures from './reinforce-signatures.ts'
import * as reinforceTasks from './reinforce-tasks.ts'
import * as makeReport from './reports/make-report.ts'
import * as reportSchedules from './reports/schedules.ts'
import * as reportSharing from './reports/sharing.ts'
import * as storedReports from './reports/stored-reports.ts'
import * as reports from './reports/task-reports.ts'
import * as roles from './roles.ts'
import * as savedViews from './saved-views.ts'
import * as sdk from './sdk.ts'
import * as search from './search.ts'
import * as secondFactor from './second-factor.ts'
import * as selfCheck from './self-check/checks.ts'
import * as privacyPolicy from './self-check/privacy-policy.ts'
import * as sensitiveWords from './sensitive-words.ts'
import * as service from './service.ts'
import * as settings from './settings.ts'
import * as sites from './sites.ts'
import * as statistics from './statistics.ts'
import * as tokens from './tokens.ts'
import * as tools from './tools.ts'
import * as training from './training.ts'
import * as updates from './updates.ts'
import * as users from './users.ts'
import * as vulnerabilities from './vulnerabilities.ts'

function endpointsOf(area: Record<string, unknown>): [string, Endpoint][] {
  return Object.entries(area).filter(
    (entry): entry is [string, Endpoint] =>
      typeof entry[1] === 'object' &&
      entry[1] !== null &&
      'path' in entry[1] &&
      'method' in entry[1] &&
      'response' in entry[1],
  )
}

const AREAS: Record<string, unknown>[] = [
  accounts,
  assets,
  selfCheck,
  detection,
  detectionAnalysis,
  detectionResult,
  detectionRules,
  exceptions,
  exports,
  alerts,
  applications,
  devices,
  investigation,
  licence,
  statistics,
  platformInfo,
  policies,
  privacyPolicy,
  reinforceChannels,
  reinforcePolicies,
  reinforceSignatures,
  reinforceTasks,
  reports,
  reportSchedules,
  reportSharing,
  makeReport,
  storedReports,
  sdk,
  vulnerabilities,
  users,
  roles,
  environment,
  erasures,
  baselines,
  communication,
  sensitiveWords,
  abnormalReturns,
  auditLog,
  health,
  home,
  ingest,
  jobs,
  knowledge,
  jsProtection,
  monitoringMarkets,
  monitoringPiratedPlaces,
  monitoringTakedowns,
  monitoringTasks,
  ldap,
  maintenanceLogs,
  maintenanceChecks,
  notifications,
  maintenanceBackups,
  observatory,
  oidc,
  ownArticles,
  savedViews,
  search,
  secondFactor,
  service,
  settings,
  sites,
  tokens,
  tools,
  training,
  updates,
]

/** Every endpoint by name: what the server must mount, OpenAPI lists and the sweep tests walk over. The client imports single areas. */
export const ENDPOINTS: ReadonlyMap<string, Endpoint> = new Map(AREAS.flatMap(endpointsOf))

/** Every exported schema by its name without `Schema`: OpenAPI describes each once, under this name. */
export const SCHEMAS: ReadonlyMap<string, z.ZodType> = new Map(
  [...AREAS, alertSchemas, jobSchemas, querySchemas, scanResult]
    .flatMap((area) => Object.entries(area))
    .filter((entry): entry is [string, z.ZodType] => entry[0].endsWith('Schema') && entry[1] instanceof z.ZodType)
    .map(([name, schema]): [string, z.ZodType] => [name.slice(0, -'Schema'.length), schema])
    .toSorted(([a], [b]) => (a < b ? -1 : 1)),
)
