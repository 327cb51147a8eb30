import type { UpdateProblem, UpdateState, UpdateStep } from '#contracts/http/updates.ts'
import { defineTexts } from '#src/shared/i18n/texts.ts'

type Text = { zh: string; en: string }

export const updatesTexts = defineTexts('updates', {
  source: { zh: '当前从源码运行', en: 'Running from a source checkout' },
  sourceHint: {
    zh: '平台更新需要安装包版本：用 npm run package 生成安装包，解压后运行 ./appwarden start。',
    en: 'Updates need the packaged product: make it with npm run package, unpack it and run ./appwarden start.',
  },
  noKeys: {
    zh: '此版本没有厂商公钥，不能验证更新包的签名。',
    en: 'This build has no vendor key, so it cannot verify the signature of an update.',
  },
  choose: { zh: '选择更新包', en: 'Choose a package' },
  chooseHint: {
    zh: '只接受 ZIP，最大 {{size}}；签名与每个文件的哈希都会校验。',
    en: 'ZIP only, at most {{size}}; the signature and the hash of each file are verified.',
  },
  package: { zh: '更新包', en: 'Update package' },
  uploading: { zh: '上传中', en: 'Uploading' },
  checking: { zh: '正在校验', en: 'Verifying' },
  cancel: { zh: '取消', en: 'Cancel' },
  ready: { zh: '可以更新到 {{version}}', en: 'Ready to update to {{version}}' },
  refused: { zh: '不能安装', en: 'Cannot be installed' },
  begin: { zh: '开始更新', en: 'Begin update' },
  beginTitle: { zh: '更新到 {{version}}？', en: 'Update to {{version}}?' },
  beginText: {
    zh: '先备份，再停止服务、切换版本。期间接收暂停，SDK 会保留并重发事件；新版本不正常时自动回滚。',
    en: 'A backup is made, then the service stops and the version is switched. Meanwhile events are not taken: senders keep and repeat them. If the new version does not work, it is rolled back.',
  },
  versions: { zh: '两个版本', en: 'Both versions' },
  now: { zh: '现在', en: 'Now' },
  after: { zh: '之后', en: 'After' },
  version: { zh: '版本', en: 'Version' },
  tables: { zh: '数据结构', en: 'Tables' },
  tablesValue: { zh: '{{count}} 步迁移', en: '{{count}} migrations' },
  eventsFormat: { zh: '事件库格式', en: 'Event store format' },
  postgres: { zh: 'PostgreSQL', en: 'PostgreSQL' },
  size: { zh: '安装大小', en: 'Installed size' },
  signer: { zh: '签名', en: 'Signer' },
  stages: { zh: '阶段', en: 'Stages' },
  log: { zh: '日志', en: 'Log' },
  noLog: { zh: '还没有记录', en: 'Nothing yet' },
  runningUpdate: {
    zh: '正在更新，页面可以关掉，更新不会中断。此页不弹“服务器连接异常”，断开后自动重连。',
    en: 'The update goes on when this page is closed. The connection message is not shown here; the page reconnects by itself.',
  },
  runningReturn: { zh: '正在回滚，页面可以关掉。', en: 'Rolling back; this page may be closed.' },
  away: { zh: '服务正在重启，等待重连…', en: 'The service restarts, waiting for it …' },
  cancelReturn: { zh: '取消并回滚', en: 'Cancel and roll back' },
  cancelText: { zh: '停止更新，回到 {{version}}。', en: 'The update ends and {{version}} runs again.' },
  records: { zh: '更新记录', en: 'Update records' },
  recordsNote: { zh: '{{count}} 次', en: '{{count}}' },
  noRecords: { zh: '还没有更新过', en: 'No update yet' },
  from: { zh: '原版本', en: 'Original version' },
  to: { zh: '目标版本', en: 'Target version' },
  time: { zh: '时间', en: 'Time' },
  duration: { zh: '用时', en: 'Duration' },
  by: { zh: '操作人', en: 'By' },
  state: { zh: '状态', en: 'State' },
  seconds: { zh: '{{count}} 秒', en: '{{count}} s' },
  point: { zh: '回滚点', en: 'Point to go back to' },
  noPoint: { zh: '没有可回滚的版本', en: 'There is no version to go back to' },
  until: { zh: '保留至', en: 'Kept until' },
  expired: { zh: '已过期', en: 'Expired' },
  data: { zh: '更新后的数据', en: 'Data since then' },
  kept: { zh: '全部保留', en: 'All of it is kept' },
  aside: {
    zh: '事件与文件保留；账号、设置等表回到更新时，之后的改动另存',
    en: 'Events and files are kept; accounts, settings and other tables return to the moment of the update, later changes are set aside',
  },
  return: { zh: '回滚到 {{version}}', en: 'Roll back to {{version}}' },
  returnTitle: { zh: '回滚到 {{version}}？', en: 'Roll back to {{version}}?' },
  reload: { zh: '重新加载页面', en: 'Reload the page' },
  reloadText: {
    zh: '现在运行 {{version}}，页面仍是之前的版本。',
    en: 'Version {{version}} runs now; this page is still of the one before.',
  },
})

export const STEP_TEXTS: Record<UpdateStep, Text> = {
  verify: { zh: '校验清单与签名、检查空间', en: 'Verify manifest and signature, check space' },
  unpack: { zh: '解压到旁边', en: 'Unpack beside' },
  backup: { zh: '备份', en: 'Backup' },
  stop: { zh: '停止服务', en: 'Stop the service' },
  copy: { zh: '封存数据表', en: 'Seal the tables' },
  switch: { zh: '切换到新版本', en: 'Switch to the new version' },
  start: { zh: '启动并迁移数据', en: 'Start and migrate' },
  health: { zh: '健康检查', en: 'Health check' },
  back_stop: { zh: '停止服务', en: 'Stop the service' },
  back_data: { zh: '还原数据结构', en: 'Undo migrations' },
  back_switch: { zh: '切换回原版本', en: 'Switch back' },
  back_start: { zh: '启动原版本', en: 'Start the version before' },
  back_health: { zh: '健康检查', en: 'Health check' },
}

export const STATE_TEXTS: Record<UpdateState, Text> = {
  updating: { zh: '更新中', en: 'Updating' },
  returning: { zh: '回滚中', en: 'Rolling back' },
  updated: { zh: '更新成功', en: 'Updated' },
  failed: { zh: '更新失败', en: 'Update failed' },
  returned: { zh: '回滚成功', en: 'Rolled back' },
  fallback_failed: { zh: '回退失败', en: 'The fallback failure' },
  close_failed: { zh: '更新失败，服务没有停下', en: 'Update failed, the service did not stop' },
}
/** An update that was undone by itself. */
export const UNDONE: Text = { zh: '更新失败，已自动回滚', en: 'Update failed, rolled back' }

export const STATUS_TEXTS: Record<number, Text> = {
  200: { zh: '成功', en: 'success' },
  202: { zh: '已上传', en: 'uploaded' },
  400: { zh: '失败', en: 'failed' },
  407: { zh: '已过期', en: 'expired' },
  102: { zh: '进行中', en: 'in progress' },
  500: { zh: '回退失败', en: 'fallback failed' },
  103: { zh: '停止失败', en: 'close failed' },
}

export const PROBLEM_TEXTS: Record<UpdateProblem, Text> = {
  signature: { zh: '签名不是本产品厂商的', en: 'The signature is not of this product’s vendor' },
  unsigned: { zh: '更新包没有签名', en: 'The package is not signed' },
  no_keys: { zh: '此版本没有厂商公钥', en: 'This build has no vendor key' },
  damaged: { zh: '更新包损坏，或不是更新包', en: 'The package is damaged, or is no update' },
  platform: { zh: '更新包属于其他系统', en: 'The package is for another system' },
  older: { zh: '版本比现在旧：降级只能用回滚', en: 'It is older than this version: use the rollback to go back' },
  same: { zh: '与现在的版本相同', en: 'It is the version that runs' },
  format: { zh: '数据格式不同，需要按手册手工升级', en: 'Its data format differs: upgrade by hand as the manual says' },
  irreversible: {
    zh: '迁移不能撤销，而数据库不归本产品管理',
    en: 'A migration cannot be undone, and the database is not ours',
  },
  disk: { zh: '磁盘空间不足', en: 'Not enough disk space' },
  read_only: { zh: '安装目录不可写', en: 'The installation cannot be written' },
  launcher: { zh: '启动程序已不在：请重启服务后再试', en: 'The launcher is gone: restart the service first' },
  interrupted: { zh: '被中断', en: 'It was interrupted' },
  cancelled: { zh: '已取消', en: 'Cancelled' },
  backup: { zh: '备份失败', en: 'The backup failed' },
  close: { zh: '服务没有停下', en: 'The service did not stop' },
  start: { zh: '版本没有启动', en: 'The version did not start' },
  health: { zh: '健康检查未通过', en: 'The health check failed' },
  data: { zh: '数据不能还原', en: 'The data could not be restored' },
  internal: { zh: '内部错误', en: 'Internal error' },
}
