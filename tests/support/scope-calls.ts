import { gzipSync } from 'node:zlib'

/** One object of each kind; its names and notes carry the marker of its account. */
export interface Own {
  readonly marker: string
  readonly appid: string
  /** Number of its communication key. */
  readonly kid: number
  readonly key: string
  readonly view: string
  readonly caseId: string
  readonly entry: string
  readonly rule: string
  readonly alert: string
  readonly channel: string
  readonly delivery: string
  readonly accessToken: string
  readonly displayToken: string
  readonly job: string
  readonly policy: string
  /** One that was never rolled out. */
  readonly idlePolicy: string
  /** Where messages of the channel go: a receiver of this test. */
  readonly target: string
  readonly deployment: string
  readonly group: string
  readonly symbols: string
  readonly baseline: string
  readonly device: string
  readonly user: string
  readonly event: string
  /** An encrypted script. */
  readonly script: string
  /** A signature file, and a reinforcement policy that signs with it. */
  readonly signature: string
  readonly reinforcePolicy: string
  /** A service request about its application, and a file of it. */
  readonly request: string
  readonly requestFile: string
}
export interface Input {
  readonly query?: Record<string, unknown>
  readonly body?: Record<string, unknown>
}
export type Ask = (own: Own) => Input

export const QUERY = { range: '-7d' }
const inApp = ({ appid }: Own) => ({ ...QUERY, filters: [{ field: 'app', op: 'is', values: [appid] }] })
export const RULE = {
  name: 'Hooks',
  measure: 'attacks',
  filters: [],
  by: null,
  window: '1m',
  condition: { kind: 'threshold', op: 'at_least', value: 100 },
  severity: 'critical',
  cooldown_minutes: 5,
  enabled: true,
  channels: [],
}
const REINFORCE_FILE = JSON.stringify({ format: 'appwarden.reinforce-policy', version: 1, name: 'Imported' })
export const channelTo = (target: string) => ({ kind: 'webhook', name: 'SOC', target, enabled: true, shared: false })

/** Calls that name an object of an account: the other one is refused, as if it did not exist. Calls that delete it come last. */
export const NAMING: Record<string, Ask> = {
  alertDetail: ({ alert }) => ({ query: { id: alert } }),
  acknowledgeAlert: ({ alert }) => ({ body: { id: alert } }),
  saveAlertRule: ({ rule, channel, appid }) => ({
    body: {
      id: rule,
      rule: { ...RULE, filters: [{ field: 'app', op: 'is', values: [appid] }], channels: [channel] },
    },
  }),
  previewAlertRule: ({ appid }) => ({
    body: { rule: { ...RULE, filters: [{ field: 'app', op: 'is', values: [appid] }] } },
  }),
  silenceAlertRule: ({ rule }) => ({ body: { rule, until: null } }),
  saveAlertChannel: ({ channel, target }) => ({ body: { id: channel, channel: channelTo(target) } }),
  testAlertChannel: ({ channel }) => ({ body: { id: channel } }),
  redeliverAlert: ({ delivery }) => ({ body: { id: delivery } }),
  alertDeliveries: ({ channel }) => ({ query: { channel } }),
  setApplicationSite: ({ appid }) => ({ body: { appid, site: null } }),
  assumeSite: ({ appid }) => ({ body: { appid, time_zone: 'Asia/Shanghai' } }),
  applicationMembers: ({ appid }) => ({ query: { appid } }),
  setApplicationMembers: ({ appid }) => ({ body: { appid, usernames: [] } }),
  ingestKeys: ({ appid }) => ({ query: { appid } }),
  createIngestKey: ({ appid }) => ({ body: { appid, kind: 'server', name: 'Mine' } }),
  baselines: ({ appid }) => ({ query: { appid } }),
  saveBaseline: ({ baseline, appid }) => ({
    body: { id: baseline, appid, version: '9.9.9', package_name: 'org.example' },
  }),
  abnormalReturn: ({ appid, event }) => ({ query: { appid, id: event } }),
  eventById: ({ appid, event }) => ({ query: { appid, id: event } }),
  revealEventAddress: ({ appid, event }) => ({ body: { appid, id: event } }),
  setVerdict: ({ device, appid }) => ({ body: { device, appids: [appid], verdict: 'watched' } }),
  exceptionGroup: ({ group }) => ({ query: { kind: 'crash', group } }),
  setExceptionTriage: ({ appid, group }) => ({
    body: {
      changes: [{ appid, group, state: 'resolved', resolved_version: null, ignored_until: null, assignee: null }],
    },
  }),
  noteException: ({ appid, group }) => ({ body: { appid, group, text: 'Seen' } }),
  exceptionAssignees: ({ appid }) => ({ query: { appid } }),
  exceptionStack: ({ appid, event }) => ({ query: { appid, id: event } }),
  symbolFiles: ({ appid }) => ({ query: { appid } }),
  uploadSymbols: ({ appid }) => ({ body: symbolsOf(appid, 'second-upload', '2.0.0') }),
  caseById: ({ caseId }) => ({ query: { id: caseId } }),
  saveCase: ({ caseId }) => ({ body: { id: caseId, title: 'Taken', take: true } }),
  addEntry: ({ caseId, appid, event }) => ({ body: { case_id: caseId, entry: { kind: 'event', appid, id: event } } }),
  makeReport: ({ caseId }) => ({ body: { of: 'case', case: caseId, format: 'pdf', language: 'zh' } }),
  downloadJob: ({ job }) => ({ query: { id: job } }),
  cancelJob: ({ job }) => ({ body: { id: job } }),
  previewReport: ({ job }) => ({ query: { id: job } }),
  downloadReport: ({ job }) => ({ query: { id: job } }),
  reportDeliveries: ({ job }) => ({ query: { id: job } }),
  shareReport: ({ job }) => ({ body: { id: job, hours: 1 } }),
  cancelReports: ({ job }) => ({ body: { ids: [job] } }),
  policyList: ({ appid }) => ({ query: { appid } }),
  policyDetail: ({ policy }) => ({ query: { id: policy } }),
  createPolicy: ({ appid, policy }) => ({ body: { appid, name: 'Copy', copy: { id: policy } } }),
  deployPolicy: ({ policy }) => ({ body: { id: policy, rev: 2, percent: 1 } }),
  savePolicy: ({ policy }) => ({ body: { id: policy, rev: 2, name: 'Renamed' } }),
  rollOutGuard: ({ deployment }) => ({ query: { id: deployment } }),
  changeDeployment: ({ deployment }) => ({ body: { id: deployment, change: 'pause' } }),
  rollBack: ({ deployment }) => ({ body: { id: deployment, version: 1 } }),
  archivePolicy: ({ idlePolicy }) => ({ body: { id: idlePolicy, archived: true } }),
  policyReach: ({ appid }) => ({ query: { appid } }),
  collectFields: ({ appid }) => ({ query: { appid } }),
  setCollectFields: ({ appid }) => ({ body: { appid, off: [] } }),
  setProtectType: ({ appid }) => ({ body: { appid, protect_type: '1' } }),
  accessGuide: ({ appid }) => ({ query: { appid } }),
  rotateCommunicationKey: ({ kid }) => ({ body: { kid } }),
  closeCommunicationKey: ({ kid }) => ({ body: { kid, days: 5 } }),
  exportCommunicationKey: ({ kid }) => ({ query: { kid } }),
  revokeCommunicationKey: ({ kid }) => ({ body: { kid } }),
  scriptDetail: ({ script }) => ({ query: { id: script } }),
  downloadScript: ({ script }) => ({ query: { id: script } }),
  downloadScriptLog: ({ script }) => ({ query: { id: script } }),
  measureScript: ({ script }) => ({ body: { id: script } }),
  protectScript: ({ script }) => ({ body: { id: script, options: { preset: 'low' } } }),
  cancelScripts: ({ script }) => ({ body: { ids: [script] } }),
  signatureList: ({ appid }) => ({ query: { appid } }),
  checkSignature: ({ signature }) => ({ body: { id: signature } }),
  saveSignature: ({ signature, appid }) => ({ body: { id: signature, name: 'Mine', appid } }),
  reinforcePolicies: ({ appid }) => ({ query: { appid } }),
  reinforcePolicy: ({ reinforcePolicy }) => ({ query: { id: reinforcePolicy } }),
  exportReinforcePolicy: ({ reinforcePolicy }) => ({ query: { id: reinforcePolicy } }),
  createReinforcePolicy: ({ appid, reinforcePolicy }) => ({ body: { name: 'Copy', copy: reinforcePolicy, appid } }),
  importReinforcePolicy: ({ appid }) => ({ body: { text: REINFORCE_FILE, appid } }),
  saveReinforcePolicy: ({ reinforcePolicy, signature, appid }) => ({
    body: {
      ...{ id: reinforcePolicy, rev: 1, name: 'Renamed', general: false, appid, options: {}, keep_rules: '' },
      ...{ signature_id: signature, schemes: ['v2'] },
    },
  }),
  serviceRequest: ({ request }) => ({ query: { id: request } }),
  createServiceRequest: ({ appid }) => ({
    body: { subject: 'More', kind: 'other', urgency: 'normal', appid, text: 'More' },
  }),
  addServiceMessage: ({ request }) => ({ body: { id: request, text: 'More' } }),
  moveServiceRequest: ({ request }) => ({ body: { id: request, move: 'accept', version: 1 } }),
  downloadServiceAttachment: ({ requestFile }) => ({ query: { id: requestFile } }),
  exportServiceRequest: ({ request }) => ({ query: { id: request } }),
  saveView: ({ view }) => ({ body: { id: view, page: 'home', name: 'Taken', search: '' } }),
  deleteView: ({ view }) => ({ body: { id: view } }),
  revokeAccessToken: ({ accessToken }) => ({ body: { id: accessToken } }),
  revokeDisplayToken: ({ displayToken }) => ({ body: { id: displayToken } }),
  removeEntry: ({ entry }) => ({ body: { id: entry } }),
  deleteCase: ({ caseId }) => ({ body: { id: caseId } }),
  deleteAlertRule: ({ rule }) => ({ body: { id: rule } }),
  deleteAlertChannel: ({ channel }) => ({ body: { id: channel } }),
  deleteSymbols: ({ symbols }) => ({ body: { id: symbols } }),
  deleteBaseline: ({ baseline }) => ({ body: { id: baseline } }),
  deleteReinforcePolicy: ({ reinforcePolicy }) => ({ body: { id: reinforcePolicy } }),
  deleteSignature: ({ signature }) => ({ body: { id: signature } }),
  deleteScripts: ({ script }) => ({ body: { ids: [script] } }),
  deleteServiceRequest: ({ request }) => ({ body: { id: request, confirm: `SV-${request}` } }),
  deleteReports: ({ job }) => ({ body: { ids: [job] } }),
  revokeIngestKey: ({ key }) => ({ body: { id: key } }),
  deleteApplication: ({ appid }) => ({ body: { appid } }),
}

/** Lists and questions about events: whatever they name, the answer has nothing of the other account. */
export const READING: Record<string, Ask> = {
  alerts: ({ rule }) => ({ query: { rule } }),
  alertRules: () => ({}),
  alertChannels: () => ({}),
  applicationList: () => ({}),
  abnormalReturns: (own) => ({ body: { query: inApp(own) } }),
  suspiciousDevices: (own) => ({ body: { filters: inApp(own).filters, from: 20 } }),
  deviceProfile: (own) => ({ body: { device: own.device, query: inApp(own) } }),
  deviceSessions: (own) => ({ body: { device: own.device, query: inApp(own) } }),
  revealAddresses: (own) => ({ body: { device: own.device, query: inApp(own) } }),
  verdictsOf: ({ device }) => ({ body: { devices: [device] } }),
  erasures: () => ({}),
  exceptionGroups: (own) => ({ body: { query: inApp(own), kind: 'crash' } }),
  quarantine: () => ({ query: { reason: 'schema' } }),
  trail: (own) => ({ body: { query: inApp(own), subject: { kind: 'device', key: own.device } } }),
  links: (own) => ({ body: { query: inApp(own), subject: { kind: 'user', key: own.user } } }),
  findSubjects: ({ device }) => ({ body: { text: device } }),
  communicationOverview: () => ({}),
  cases: ({ device }) => ({ query: { subject: `device:${device}` } }),
  jobs: () => ({}),
  storedReports: () => ({}),
  scripts: () => ({}),
  serviceRequests: () => ({ query: { view: 'all' } }),
  replay: (own) => ({ body: { filters: inApp(own).filters, from: Date.now() - 3_600_000, to: Date.now() } }),
  homeOverview: () => ({}),
  savedViews: () => ({ query: { page: 'home' } }),
  search: ({ marker }) => ({ query: { text: marker } }),
  statistics: (own) => ({
    body: {
      query: inApp(own),
      parts: {
        rows: { kind: 'rows' },
        models: { kind: 'top', by: 'model', measures: ['events'] },
        one: { kind: 'rows', and: [{ field: 'device', op: 'is', values: [own.device] }] },
      },
    },
  }),
  accessTokens: () => ({}),
  displayTokens: () => ({}),
}
/** In these answers the marker does not appear: the owner's proof looks for another text of his, or the answer has numbers alone. */
export const SHOWN: Record<string, (own: Own) => string> = {
  suspiciousDevices: ({ device }) => device,
  deviceSessions: ({ appid }) => `"appid":"${appid}"`,
  revealAddresses: ({ marker }) => ADDRESSES[marker] as string,
  verdictsOf: ({ device }) => device,
  erasures: ({ user }) => user.slice(0, 8),
  quarantine: () => '"code":0', // nothing is quarantined here: collector-bad-input.test.ts quarantines
  abnormalReturns: () => '"code":0', // no return contradicts a baseline: devices.test.ts has some
  trail: ({ device }) => device,
  links: ({ device }) => device,
  findSubjects: ({ device }) => device,
  exceptionGroups: ({ group }) => group,
}

/** Work that runs later: with the scope that the caller had, whatever the filters name. */
export const LATER: Record<string, Ask> = {
  exportEvents: (own) => ({ body: { query: inApp(own), part: { kind: 'rows' }, title: 'All' } }),
  exportList: (own) => ({ body: { list: { of: 'exception_groups', query: inApp(own), kind: 'crash' }, title: 'All' } }),
  erasePersonal: ({ device }) => ({ body: { kind: 'device', subject: device, confirm: device.slice(0, 8) } }),
}

/** Endpoints that name no object of an account, by the reason. */
export const EXEMPT: Record<string, readonly string[]> = {
  'about the caller’s own account or session': [
    ...[
      'signin',
      'signinSecondFactor',
      'beginOidc',
      'finishOidc',
      'isLogin',
      'userGroup',
      'logout',
      'changePass',
      'verifyImage',
      'liveTicket',
    ],
    ...['secondFactorState', 'beginSecondFactor', 'confirmSecondFactor', 'renewRecoveryCodes', 'removeSecondFactor'],
    ...['beginPasskey', 'confirmPasskey', 'removePasskey', 'beginSigninPasskey', 'signinPasskey'],
    ...['invitation', 'acceptInvitation'],
    ...[
      'notifications',
      'readNotifications',
      'deleteNotifications',
      'notificationSettings',
      'saveNotificationSettings',
    ],
  ],
  'own training, certificates that every account may check, and the team of user.manage (training.test.ts)': [
    ...['courses', 'course', 'lessonQuestions', 'markRead', 'answerQuestion', 'repeatLesson'],
    ...['checkCertificate', 'downloadCertificate', 'trainingTeam', 'assignCourse', 'unassignCourse', 'remindCourse'],
  ],
  'monitoring of applications that the caller sees, and the channels that all share (monitoring.test.ts)': [
    ...[
      'markets',
      'marketDetail',
      'tryMarket',
      'suggestMarket',
      'saveMarket',
      'deleteMarkets',
      'monitorTasks',
      'createMonitorTask',
    ],
    ...['startMonitorTasks', 'stopMonitorTasks', 'deleteMonitorTasks', 'monitorDetail', 'monitorCopies', 'copyDetail'],
    ...['judgeMonitorCopy', 'monitorDevices', 'takedowns', 'moveTakedowns', 'exportTakedowns', 'piratedPlaces'],
  ],
  'reinforcement records and packages that the caller sees (reinforce-tasks.test.ts)': [
    ...['reinforceTasks', 'createReinforceTasks', 'redoReinforceTask', 'cancelReinforceTasks', 'deleteReinforceTasks'],
    ...['reinforceTask', 'reinforceLines', 'exportReinforceLines', 'downloadReinforced'],
  ],
  'channels and packages of an application that the caller sees (reinforce-channels.test.ts)': [
    ...['reinforceChannels', 'channelBases', 'createChannel', 'renameChannel', 'moveChannels', 'deleteChannels'],
    ...['previewChannels', 'importChannels', 'exportChannels', 'verifyChannels', 'downloadChannel', 'downloadChannels'],
  ],
  'the same for everybody': [
    'pTags',
    'licenseRemind',
    'healthz',
    'scoreRules',
    'sdkFiles',
    'downloadSdk',
    'serviceContact',
    'siteList',
    'platformInfo',
    'platformLogo',
    'reinforcePolicyFormat',
  ],
  'of an application without a key, of the platform, or about a gateway (communication.test.ts)': [
    ...['createCommunicationKey', 'setGatewayPolicy', 'runCommunicationTest'],
  ],
  'makes a new object and names none': ['createApplication', 'createAccessToken'],
  'of a stored report (report-management.test.ts, report-sharing.test.ts, report-schedules.test.ts)': [
    ...['regenerateReport', 'revokeShare', 'mailReport', 'sharedPage', 'sharedReport', 'sharedFile'],
    ...['reportSchedules', 'scheduleRuns', 'saveSchedule', 'enableSchedule', 'runSchedule', 'deleteSchedule'],
  ],
  'its views are looked up when a wall asks for them: test below': ['createDisplayToken', 'wallSelf'],
  'accounts and roles, which user.manage administers for the whole platform (users.test.ts, roles.test.ts)': [
    ...['users', 'exportUsers', 'createUser', 'changeUser', 'disableUsers', 'resetUser', 'inviteUser', 'deleteUsers'],
    ...['importUsers', 'userSessions', 'endUserSession', 'resetSecondFactor'],
    ...['roles', 'createRole', 'changeRole', 'deleteRole'],
  ],
  'the licence of the platform, by license.manage (licence.test.ts)': [
    ...['showLicence', 'previewLicence', 'applyLicence', 'downloadLicence'],
  ],
  'the platform as a whole, by platform.settings': [
    ...[
      'readSettings',
      'saveSettings',
      'saveSite',
      'deleteSite',
      'ldapSettings',
      'saveLdap',
      'testLdap',
      'oidcSettings',
      'saveOidc',
      'testOidc',
    ],
    ...['envelopeKeys', 'rotateEnvelopeKey', 'setTool', 'sysFile', 'templateFile'],
  ],
  'the machine and its processes, by platform.maintain (environment.test.ts, maintenance-checks.test.ts, maintenance-logs.test.ts, maintenance-backups.test.ts)':
    [
      ...[
        'environment',
        'environmentHistory',
        'exportEnvironment',
        'environmentDiagnostics',
        'saveEnvironmentSettings',
      ],
      ...['maintenanceLogs', 'downloadProcessLog', 'downloadProcessLogs', 'previewLogCleaning', 'cleanLogs'],
      ...['checkRuns', 'startCheck', 'startRepair', 'stopMaintenance'],
      ...['backups', 'saveBackupPlan', 'startBackup', 'deleteBackups'],
    ],
  'the version of the platform, by platform.update': [
    ...['showUpdates', 'checkUpdate', 'beginUpdate', 'beginRollback'],
    ...['createUpdateUpload', 'appendUpdateUpload', 'updateUploadState', 'dropUpdateUpload'],
  ],
  'takes an upload of the caller (js-protection.test.ts)': ['uploadScript'],
  'takes a file of the caller, and then names it (reinforce-signatures.test.ts)': ['uploadKey', 'createSignature'],
  'takes an upload of the caller, or takes one back (service.test.ts)': [
    'uploadServiceAttachment',
    'dropServiceAttachment',
  ],
  'looks at a file that comes with the call and is not kept, or at a phone (tools.test.ts)': [
    ...['toolPackage', 'toolSignature', 'toolCompare', 'toolPattern', 'toolPhones', 'toolPhoneCheck'],
  ],
  'logs of the platform as a whole, by log.view, log.download and platform.settings (audit-log.test.ts)': [
    ...['auditLog', 'auditSummary', 'auditEntry', 'auditState', 'auditVerify', 'auditCheckpoints'],
    ...['networkLog', 'networkSummary', 'exportLog', 'deleteLogs'],
    ...['logOutputs', 'saveLogOutput', 'deleteLogOutput', 'testLogOutput'],
  ],
}

export const STACK =
  'java.lang.IllegalStateException: no bill\n\tat com.x.pay.PayFragment.onBill(PayFragment.kt:214)\n\tat com.x.pay.BillRepo.load(BillRepo.kt:88)'
const MAPPING = 'com.x.pay.PayFragment -> a.b:\n    1:1:void onBill():214:214 -> a\n'
export const ADDRESSES: Record<string, string> = { 'secret-of-alice': '203.0.113.77', 'secret-of-bob': '198.51.100.9' }
export const symbolsOf = (appid: string, upload: string, version = '1.0.0') => ({
  ...{ appid, version, kind: 'r8', upload, part: 0, last: true },
  content: gzipSync(MAPPING).toString('base64'),
})

// ------------------------------------------------------------------------------------------------ fields that hold an id

export type Path = readonly string[]
/** Where two inputs of one shape differ: those fields hold the id of an object. */
export function idFields(a: unknown, b: unknown, path: Path = []): Path[] {
  if (typeof a !== 'object' || a === null) return a === b ? [] : [path]
  return Object.entries(a).flatMap(([key, value]) =>
    idFields(value, (b as Record<string, unknown>)[key], [...path, key]),
  )
}
export const at = (input: unknown, path: Path): unknown =>
  path.reduce((value, key) => (value as Record<string, unknown>)[key], input)
export function withValue(input: Input, path: Path, value: unknown): Input {
  const copy = structuredClone(input)
  const holder = at(copy, path.slice(0, -1)) as Record<string, unknown>
  holder[path.at(-1) as string] = value
  return copy
}
/** Bob's input with each id of Alice's in turn, and with all of them. */
export function swapped(ask: Ask, alice: Own, bob: Own): { readonly path: Path; readonly input: Input }[] {
  const [hers, his] = [ask(alice), ask(bob)]
  const paths = idFields(hers, his)
  const each = paths.map((path) => ({ path, input: withValue(his, path, at(hers, path)) }))
  return paths.length === 1 ? each : [...each, { path: ['everything'], input: hers }]
}
/** A device, a user and a fingerprint are hashes that may lie in several applications: to name one in one's own is no access. */
export const isShared = (path: Path) => ['device', 'group'].includes(path.at(-1) as string)
