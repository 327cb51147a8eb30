import * as assets from '#contracts/http/assets.ts'
import * as analysis from '#contracts/http/detection/analysis.ts'
import * as results from '#contracts/http/detection/result.ts'
import * as rules from '#contracts/http/detection/rules.ts'
import * as detection from '#contracts/http/detection/tasks.ts'
import type { Endpoint } from '#contracts/http/endpoint.ts'
import { ENDPOINTS } from '#contracts/http/index.ts'
import * as reports from '#contracts/http/reports/task-reports.ts'
import * as compliance from '#contracts/http/self-check/checks.ts'
import * as policy from '#contracts/http/self-check/privacy-policy.ts'
import * as vulnerabilities from '#contracts/http/vulnerabilities.ts'

const AREAS = [assets, compliance, policy, detection, analysis, results, rules, reports, vulnerabilities]
const IN_AREAS = new Set<unknown>(AREAS.flatMap((area) => Object.values(area)))
const isDetection = (endpoint: Endpoint) =>
  IN_AREAS.has(endpoint) || /^\/api\/(?:detection|compliance|knowledge)\//.test(endpoint.path)

/** Endpoints whose object-level access tests/contract/detection-scope.test.ts covers; all others are object-scope.test.ts's and odd-ids.test.ts's. */
export const DETECTION_ENDPOINTS = [...ENDPOINTS].filter(([, endpoint]) => isDetection(endpoint))
export const OTHER_ENDPOINTS = [...ENDPOINTS].filter(([, endpoint]) => !isDetection(endpoint))
