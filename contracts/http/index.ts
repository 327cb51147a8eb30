import * as accounts from './accounts.ts'
import * as alerts from './alerts.ts'
import * as applications from './applications.ts'
import * as assets from './assets.ts'
import * as compliance from './compliance/checks.ts'
import * as privacyPolicy from './compliance/privacy-policy.ts'
import * as detectionAnalysis from './detection/analysis.ts'
import * as detectionResult from './detection/result.ts'
import * as detectionRules from './detection/rules.ts'
import * as detection from './detection/tasks.ts'
import * as devices from './devices.ts'
import type { Endpoint } from './endpoint.ts'
import * as exceptions from './exceptions.ts'
import * as exports from './exports.ts'
import * as investigation from './investigation.ts'
import * as policies from './policies.ts'
import * as reports from './reports.ts'
import * as sdk from './sdk.ts'
import * as platform from './settings.ts'
import * as statistics from './statistics.ts'
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

/** Every endpoint by name: what the server must mount, OpenAPI lists and the sweep tests walk over. The client imports single areas. */
export const ENDPOINTS: ReadonlyMap<string, Endpoint> = new Map(
  [
    accounts,
    assets,
    compliance,
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
    statistics,
    platform,
    policies,
    privacyPolicy,
    reports,
    sdk,
    vulnerabilities,
  ].flatMap(endpointsOf),
)
