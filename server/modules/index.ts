import type { HttpModule } from '../http/http-deps.ts'
import { abnormalModule } from './abnormal-returns/abnormal-module.ts'
import { baselinesModule } from './abnormal-returns/baselines-module.ts'
import { accountsModule } from './accounts/accounts-module.ts'
import { tokensModule } from './accounts/tokens-module.ts'
import { alertsModule } from './alerts/alerts-module.ts'
import { channelsModule } from './alerts/channels-module.ts'
import { rulesModule } from './alerts/rules-module.ts'
import { applicationsModule } from './applications/applications-module.ts'
import { ingestKeysModule } from './applications/ingest-keys-module.ts'
import { sitesModule } from './applications/sites-module.ts'
import { assetsModule } from './assets/assets-module.ts'
import { uploadsModule } from './assets/uploads-module.ts'
import { auditModule } from './audit-log/audit-log-module.ts'
import { privacyPolicyModule } from './compliance/privacy-policy-module.ts'
import { selfCheckModule } from './compliance/self-check-module.ts'
import { wordsModule } from './compliance/words-module.ts'
import { analysisModule } from './detection/analysis-module.ts'
import { compareModule } from './detection/compare-module.ts'
import { ownRulesModule } from './detection/own-rules-module.ts'
import { resultModule } from './detection/result-module.ts'
import { strategiesModule } from './detection/strategies-module.ts'
import { suppressionsModule } from './detection/suppressions-module.ts'
import { tasksModule } from './detection/tasks-module.ts'
import { devicesModule } from './devices/devices-module.ts'
import { erasureModule } from './devices/erasure-module.ts'
import { verdictsModule } from './devices/verdicts-module.ts'
import { exceptionsModule } from './exceptions/exceptions-module.ts'
import { standingModule } from './exceptions/standing-module.ts'
import { symbolsModule } from './exceptions/symbols-module.ts'
import { casesModule } from './investigation/cases-module.ts'
import { investigationModule } from './investigation/investigation-module.ts'
import { jobsModule } from './jobs/jobs-module.ts'
import { liveModule } from './observatory/live-module.ts'
import { deploymentsModule } from './policies/deployments-module.ts'
import { policiesModule } from './policies/policies-module.ts'
import { protectionModule } from './policies/protection-module.ts'
import { reportTemplateModule } from './reports/report-template-module.ts'
import { reportsModule } from './reports/reports-module.ts'
import { sdkModule } from './sdk/sdk-module.ts'
import { platformModule } from './settings/settings-module.ts'
import { statisticsModule } from './statistics/statistics-module.ts'
import { viewsModule } from './views/views-module.ts'
import { vulnerabilitiesModule } from './vulnerabilities/vulnerabilities-module.ts'

/** Everything that mounts endpoints. A new module is one line here and its endpoints in contracts/http. */
export const MODULES: readonly HttpModule[] = [
  accountsModule,
  tokensModule,
  auditModule,
  applicationsModule,
  ingestKeysModule,
  sitesModule,
  assetsModule,
  uploadsModule,
  platformModule,
  sdkModule,
  statisticsModule,
  investigationModule,
  casesModule,
  devicesModule,
  verdictsModule,
  erasureModule,
  baselinesModule,
  abnormalModule,
  viewsModule,
  exceptionsModule,
  standingModule,
  symbolsModule,
  liveModule,
  jobsModule,
  alertsModule,
  rulesModule,
  channelsModule,
  policiesModule,
  deploymentsModule,
  protectionModule,
  strategiesModule,
  tasksModule,
  resultModule,
  suppressionsModule,
  compareModule,
  analysisModule,
  ownRulesModule,
  reportsModule,
  reportTemplateModule,
  vulnerabilitiesModule,
  wordsModule,
  selfCheckModule,
  privacyPolicyModule,
]
