import { defineTexts } from '#src/shared/i18n/texts.ts'

export const guideTexts = defineTexts('sdk-guide', {
  tabs: { zh: '平台', en: 'Platform' },
  web: { zh: 'Web', en: 'Web' },
  android: { zh: 'Android', en: 'Android' },
  server: { zh: '服务端', en: 'Server' },
  getFile: { zh: '下载 SDK', en: 'Get the SDK' },
  toDownloads: { zh: '前往下载', en: 'Go to downloads' },
  webGetText: {
    zh: '把脚本放到自己的站点上，不要从本平台直接引用。页面须使用 HTTPS（本机调试除外）。',
    en: 'Serve the script from your own site, not from this console. Pages must use HTTPS (localhost excepted).',
  },
  webStart: { zh: '引入并初始化', en: 'Include and initialize' },
  webStartText: {
    zh: '放在其他脚本之前。integrity 让浏览器拒绝被改过的文件；初始化本身不采集任何数据。',
    en: 'Before other scripts. With integrity the browser refuses a changed file; initializing collects nothing.',
  },
  webConsent: { zh: '征得同意后开始', en: 'Begin when the user agrees' },
  webConsentText: {
    zh: '用户同意之前不采集、不存储、不发送。每个页面都要调用；撤回时删除本机数据。',
    en: 'Before that nothing is collected, stored or sent. Call it on each page; withdrawal deletes what is on the device.',
  },
  webPolicy: { zh: '放行上报地址', en: 'Let it report' },
  webPolicyText: {
    zh: '若站点设置了内容安全策略（CSP），加入 connect-src。上报接口允许任意来源，不使用 Cookie。',
    en: 'Where the site has a content security policy, add this connect-src. The collector takes any origin and uses no cookies.',
  },
  androidGetText: {
    zh: '把 jar 放进 app/libs。无任何依赖，支持 Android 5.0（API 21）及以上。',
    en: 'Put the jar into app/libs. It has no dependencies and runs on Android 5.0 (API 21) and later.',
  },
  androidBuild: { zh: '加入工程', en: 'Add it to the project' },
  androidBuildText: {
    zh: '混淆无需额外规则；发布时上传 mapping 文件，崩溃即可还原。ACCESS_NETWORK_STATE 可选，用于网络类型。',
    en: 'R8 needs no rules; upload the mapping file of a release to read its crashes. ACCESS_NETWORK_STATE is optional, for the kind of network.',
  },
  androidStart: { zh: '初始化', en: 'Initialize' },
  androidStartText: {
    zh: '在 Application.onCreate 中调用，此时不读取任何信息。genuine 填写正式签名证书的 SHA-256，用于发现重打包。',
    en: 'In Application.onCreate; nothing is read yet. genuine takes the SHA-256 of your release certificate, to find repackaged copies.',
  },
  androidConsent: { zh: '征得同意后开始', en: 'Begin when the user agrees' },
  androidConsentText: {
    zh: '用户同意隐私政策后调用，之后每次启动都调用。',
    en: 'Call it when the user has agreed, and on every start after that.',
  },
  serverKey: { zh: '准备服务端密钥', en: 'Have a server key' },
  serverKeyText: {
    zh: '网关、业务服务器与测试使用服务端密钥。它是机密，只在创建时显示一次，不会出现在本页；请通过环境变量传入，绝不放进应用。',
    en: 'Gateways, servers and tests use a server key. It is secret, shown once when it is made and not on this page: pass it as an environment variable, and never put it into an app.',
  },
  toKeys: { zh: '管理上报密钥', en: 'Manage ingest keys' },
  serverPost: { zh: '上报一条事件', en: 'Post one event' },
  serverPostText: {
    zh: '返回 202 表示已落盘。重发同一批不会重复计数。',
    en: 'A 202 means the batch is on disk. Posting it again creates no duplicates.',
  },
  serverMany: { zh: '批量与压缩', en: 'Batches and gzip' },
  serverManyText: {
    zh: '每批最多 1000 条或 2 MB；也可用 NDJSON。429 与 503 带 Retry-After，稍后原样重发即可。',
    en: 'At most 1,000 events or 2 MB a batch; NDJSON is taken too. 429 and 503 name a Retry-After: send the same again later.',
  },
  live: { zh: '接入自检', en: 'Live check' },
  waiting: { zh: '等待第一条事件……', en: 'Waiting for the first event …' },
  waitingHint: {
    zh: '运行接入后的应用，事件到达后这里会变绿。每 3 秒检查一次。',
    en: 'Run the app; this turns green when its event arrives. Checked every 3 seconds.',
  },
  arrived: { zh: '第一条事件已到达', en: 'The first event has arrived' },
  fresh: { zh: '收到新的事件', en: 'A new event has arrived' },
  before: { zh: '此前已有事件到达，正在等待新的事件', en: 'Events have come before; waiting for a new one' },
  kind: { zh: '类型', en: 'Type' },
  platform: { zh: '平台', en: 'Platform' },
  sdkVersion: { zh: 'SDK', en: 'SDK' },
  when: { zh: '到达', en: 'Arrived' },
  device: { zh: '设备', en: 'Device' },
  trouble: { zh: '没有等到？', en: 'Nothing comes?' },
  trouble1: { zh: '设备能否访问 {{origin}}', en: 'Can the device reach {{origin}}?' },
  trouble2: { zh: '是否已调用 consent()', en: 'Was consent() called?' },
  trouble3: {
    zh: '密钥是否属于当前应用、是否被吊销',
    en: 'Does the key belong to this application, and is it not revoked?',
  },
  trouble4: {
    zh: '设备 7 天前的事件进入隔离区，可在系统设置查看',
    en: 'Events older than 7 days go to quarantine, see settings',
  },
})
