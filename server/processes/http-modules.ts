import type { HttpModule } from '../http/http-deps.ts'
import { abnormalModule } from '../modules/abnormal-returns/abnormal-returns-module.ts'
import { accountsModule } from '../modules/accounts/accounts-module.ts'
import { alertsModule } from '../modules/alerts/alerts-module.ts'
import { channelsModule } from '../modules/alerts/channels-module.ts'
import { rulesModule } from '../modules/alerts/rules-module.ts'
import { applicationsModule } from '../modules/applications/applications-module.ts'
import { assetsModule } from '../modules/assets/assets-module.ts'
import { uploadsModule } from '../modules/assets/uploads-module.ts'
import { auditModule } from '../modules/audit-log/audit-log-module.ts'
import { logOutputsModule } from '../modules/audit-log/log-outputs-module.ts'
import { baselinesModule } from '../modules/baselines/baselines-module.ts'
import { communicationModule } from '../modules/communication/communication-module.ts'
import { analysisModule } from '../modules/detection/analysis-module.ts'
import { compareModule } from '../modules/detection/compare-module.ts'
import { ownRulesModule } from '../modules/detection/own-rules-module.ts'
import { resultModule } from '../modules/detection/result-module.ts'
import { strategiesModule } from '../modules/detection/strategies-module.ts'
import { suppressionsModule } from '../modules/detection/suppressions-module.ts'
import { tasksModule } from '../modules/detection/tasks-module.ts'
import { deviceVerdictsModule } from '../modules/devices/device-verdicts-module.ts'
import { devicesModule } from '../modules/devices/devices-module.ts'
import { environmentModule } from '../modules/environment/environment-module.ts'
import { erasureModule } from '../modules/erasures/erasures-module.ts'
import { exceptionsModule } from '../modules/exceptions/exceptions-module.ts'
import { symbolsModule } from '../modules/exceptions/symbols-module.ts'
import { triageModule } from '../modules/exceptions/triage-module.ts'
import { exportsModule } from '../modules/exports/exports-module.ts'
import { healthModule } from '../modules/health/health-module.ts'
import { homeModule } from '../modules/home/home-module.ts'
import { ingestKeysModule } from '../modules/ingest/ingest-keys-module.ts'
import { quarantineModule } from '../modules/ingest/quarantine-module.ts'
import { casesModule } from '../modules/investigation/cases-module.ts'
import { investigationModule } from '../modules/investigation/investigation-module.ts'
import { jobsModule } from '../modules/jobs/jobs-module.ts'
import { jsProtectionModule } from '../modules/js-protection/js-protection-module.ts'
import { knowledgeModule } from '../modules/knowledge/knowledge-module.ts'
import { ldapModule } from '../modules/ldap/ldap-module.ts'
import { licenceModule } from '../modules/licence/licence-module.ts'
import { maintenanceBackupsModule } from '../modules/maintenance/backups-module.ts'
import { maintenanceChecksModule } from '../modules/maintenance/checks-module.ts'
import { maintenanceLogsModule } from '../modules/maintenance/logs-module.ts'
import { marketsModule } from '../modules/monitoring/markets-module.ts'
import { monitorDevicesModule } from '../modules/monitoring/monitor-devices-module.ts'
import { monitorTasksModule } from '../modules/monitoring/monitor-tasks-module.ts'
import { takedownsModule } from '../modules/monitoring/takedowns-module.ts'
import { notificationsModule } from '../modules/notifications/notifications-module.ts'
import { observatoryModule } from '../modules/observatory/observatory-module.ts'
import { oidcModule } from '../modules/oidc/oidc-module.ts'
import { ownArticlesModule } from '../modules/own-articles/own-articles-module.ts'
import { platformInfoModule } from '../modules/platform-info/platform-info-module.ts'
import { deploymentsModule } from '../modules/policies/deployments-module.ts'
import { policiesModule } from '../modules/policies/policies-module.ts'
import { protectionModule } from '../modules/policies/protection-module.ts'
import { reinforceChannelsModule } from '../modules/reinforce-channels/reinforce-channels-module.ts'
import { reinforcePoliciesModule } from '../modules/reinforce-policies/reinforce-policies-module.ts'
import { reinforceSignaturesModule } from '../modules/reinforce-signatures/reinforce-signatures-module.ts'
import { reinforceTasksModule } from '../modules/reinforce-tasks/reinforce-tasks-module.ts'
import { reportTemplateModule } from '../modules/reports/report-template-module.ts'
import { reportsModule } from '../modules/reports/reports-module.ts'
import { schedulesModule } from '../modules/reports/schedules-module.ts'
import { reportSharingModule } from '../modules/reports/sharing-module.ts'
import { storedReportsModule } from '../modules/reports/stored-reports-module.ts'
import { rolesModule } from '../modules/roles/roles-module.ts'
import { viewsModule } from '../modules/saved-views/views-module.ts'
import { sdkModule } from '../modules/sdk/sdk-module.ts'
import { searchModule } from '../modules/search/search-module.ts'
import { secondFactorModule } from '../modules/second-factor/second-factor-module.ts'
import { privacyPolicyModule } from '../modules/self-check/privacy-policy-module.ts'
import { selfCheckModule } from '../modules/self-check/self-check-module.ts'
import { wordsModule } from '../modules/sensitive-words/sensitive-words-module.ts'
import { serviceModule } from '../modules/service/service-module.ts'
import { settingsModule } from '../modules/settings/settings-module.ts'
import { sitesModule } from '../modules/sites/sites-module.ts'
import { statisticsModule } from '../modules/statistics/statistics-module.ts'
import { tokensModule } from '../modules/tokens/tokens-module.ts'
import { toolsModule } from '../modules/tools/tools-module.ts'
import { certificatesModule } from '../modules/training/certificates-module.ts'
import { teamModule } from '../modules/training/team-module.ts'
import { trainingModule } from '../modules/training/training-module.ts'
import { updatesModule } from '../modules/updates/updates-module.ts'
import { invitationsModule } from '../modules/users/invitations-module.ts'
import { usersModule } from '../modules/users/users-module.ts'
import { vulnerabilitiesModule } from '../modules/vulnerabilities/vulnerabilities-module.ts'

/** Everything that mounts endpoints. A new module is one line here and its endpoints in contracts/http. */
export const HTTP_MODULES: readonly HttpModule[] = [
  accountsModule,
  secondFactorModule,
  tokensModule,
  auditModule,
  logOutputsModule,
  applicationsModule,
  ingestKeysModule,
  sitesModule,
  ldapModule,
  oidcModule,
  assetsModule,
  uploadsModule,
  settingsModule,
  licenceModule,
  maintenanceLogsModule,
  maintenanceChecksModule,
  updatesModule,
  maintenanceBackupsModule,
  sdkModule,
  statisticsModule,
  investigationModule,
  casesModule,
  devicesModule,
  deviceVerdictsModule,
  environmentModule,
  erasureModule,
  baselinesModule,
  abnormalModule,
  communicationModule,
  viewsModule,
  searchModule,
  exceptionsModule,
  triageModule,
  symbolsModule,
  observatoryModule,
  jobsModule,
  jsProtectionModule,
  monitorDevicesModule,
  monitorTasksModule,
  takedownsModule,
  marketsModule,
  notificationsModule,
  usersModule,
  rolesModule,
  invitationsModule,
  exportsModule,
  quarantineModule,
  healthModule,
  homeModule,
  alertsModule,
  rulesModule,
  channelsModule,
  platformInfoModule,
  policiesModule,
  deploymentsModule,
  protectionModule,
  reinforceChannelsModule,
  reinforcePoliciesModule,
  reinforceSignaturesModule,
  reinforceTasksModule,
  strategiesModule,
  tasksModule,
  resultModule,
  suppressionsModule,
  compareModule,
  analysisModule,
  ownRulesModule,
  reportsModule,
  reportTemplateModule,
  storedReportsModule,
  reportSharingModule,
  schedulesModule,
  vulnerabilitiesModule,
  knowledgeModule,
  ownArticlesModule,
  serviceModule,
  wordsModule,
  selfCheckModule,
  privacyPolicyModule,
  toolsModule,
  trainingModule,
  teamModule,
  certificatesModule,
]
