/** What detection and repair looks at (MAINT-01), and what it says of what it finds. Ids are stable: scripts and the audit log name them. */

type Text = { zh: string; en: string }
export const CHECK_AREAS = {
  events: { zh: '事件存储', en: 'Event store' },
  journal: { zh: '写入日志', en: 'Journal' },
  files: { zh: '文件', en: 'Files' },
  database: { zh: '数据库', en: 'Database' },
  audit: { zh: '审计链', en: 'Audit chain' },
} as const satisfies Record<string, Text>

// biome-ignore format: one line a check
export const CHECKS = {
  'events.file': { zh: '存储文件与日志', en: 'File and write-ahead log' },
  'events.duplicates': { zh: '重复事件', en: 'Duplicate events' },
  'events.first_seen': { zh: '首次出现时间', en: 'Times first seen' },
  'events.keys': { zh: '设备与用户键', en: 'Keys of devices and users' },
  'events.set_aside': { zh: '搁置的损坏文件', en: 'Damaged files set aside' },
  'journal.entries': { zh: '损坏的条目', en: 'Damaged entries' },
  'journal.gaps': { zh: '缺失的位置', en: 'Missing positions' },
  'journal.name': { zh: '日志名称', en: 'Name of the journal' },
  'journal.incidents': { zh: '事故记录', en: 'Record of incidents' },
  'files.missing': { zh: '文件缺失', en: 'Missing files' },
  'files.changed': { zh: '内容与名称不符', en: 'Changed contents' },
  'files.results': { zh: '导出与报告', en: 'Exports and reports' },
  'files.orphans': { zh: '无记录引用的文件', en: 'Files without a record' },
  'files.temporary': { zh: '未完成的临时文件', en: 'Unfinished files' },
  'database.indexes': { zh: '索引', en: 'Indexes' },
  'database.schema': { zh: '缺少的索引、约束与触发器', en: 'Missing indexes, constraints, triggers' },
  'database.pages': { zh: '数据页', en: 'Table pages' },
  'database.sequences': { zh: '编号序列', en: 'Sequences' },
  'audit.chain': { zh: '哈希链', en: 'Hash chain' },
  'audit.tail': { zh: '链尾', en: 'End of the chain' },
  'audit.checkpoints': { zh: '检查点', en: 'Checkpoints' },
} as const satisfies Record<`${keyof typeof CHECK_AREAS}.${string}`, Text>
export type CheckId = keyof typeof CHECKS
export const CHECK_IDS = Object.keys(CHECKS) as [CheckId, ...CheckId[]]
export function areaOf(check: CheckId): keyof typeof CHECK_AREAS {
  return check.split('.')[0] as keyof typeof CHECK_AREAS
}

/** What was found, in words: why it is wrong, and what repair does or what is lost. `{x}` is filled in from the parameters. */
// biome-ignore format: one line a text
export const FOUND = {
  events_damaged: { zh: '无法读取：{detail}。修复将其搁置，用{source}替换并重放写入日志', en: 'Cannot be read: {detail}. Repair sets it aside, replaces it with {source} and replays the journal' },
  events_refused: { zh: '无法打开：{detail}。不是损坏，存储会自行重试', en: 'Cannot be opened: {detail}. This is no damage, the store tries again by itself' },
  duplicate: { zh: '存了 {count} 次以上，修复只留第一次', en: '{count} rows too many; repair keeps the first of each' },
  first_seen: { zh: '{count} 个设备或用户没有首次出现时间，会被再次算作新增；修复按现有事件补写', en: '{count} devices or users have no time first seen and count as new again; repair writes it from the events' },
  keyless: { zh: '{count} 个事件的设备或用户编号没有对应的键：属于谁已丢失，事件本身仍在', en: '{count} events have a number without a key: whom they belong to is lost, the events remain' },
  set_aside: { zh: '早先修复时搁置的损坏文件，含个人数据；删除后不能再用于调查', en: 'Damaged file that an earlier repair set aside; it holds personal data. Deleted, it cannot be examined any more' },
  conversion_left: { zh: '中断的格式转换的残留，没有用处', en: 'Left by an interrupted conversion, of no use' },
  entries_damaged: { zh: '{bytes} 字节不是有效条目{events}：已丢失。修复把该段搁置，其余条目保留', en: '{bytes} bytes are no valid entry{events}: lost. Repair sets the segment aside and keeps its other entries' },
  positions_missing: { zh: '位置 {from} 至 {to} 的条目不在任何段中：{bytes} 字节已丢失', en: 'No segment holds positions {from} to {to}: {bytes} bytes are lost' },
  name_missing: { zh: '名称文件缺失或不符，重启后会当作另一份日志；修复按运行中的名称写回', en: 'The file with the name is missing or differs: a restart would begin another journal. Repair writes the name in use' },
  incidents_unreadable: { zh: '记录无法读取，其中最近 7 天的事故只在运行日志中；修复从空记录开始', en: 'Unreadable: incidents of the last 7 days are in the process logs alone. Repair begins an empty record' },
  file_missing: { zh: '{record} 引用的文件不在磁盘上，也不在任何备份中：已丢失', en: 'Named by {record}, not on disk and in no backup: lost' },
  file_missing_backup: { zh: '{record} 引用的文件不在磁盘上，可从备份 {backup} 恢复', en: 'Named by {record}, not on disk; repair takes it from backup {backup}' },
  file_changed: { zh: '内容与其 SHA-256 不符，不在任何备份中：已丢失，修复将其移出', en: 'The contents do not match the SHA-256, and no backup has them: lost. Repair moves the file out' },
  file_changed_backup: { zh: '内容与其 SHA-256 不符，可从备份 {backup} 恢复', en: 'The contents do not match the SHA-256; repair takes them from backup {backup}' },
  result_missing: { zh: '{record} 的结果不在磁盘上，不能再下载；修复取消下载，可重新生成', en: 'The result of {record} is not on disk; repair withdraws the download, it can be made again' },
  orphan: { zh: '没有记录引用（{size}）；修复移入 files/removed，7 天后删除', en: 'No record names it ({size}); repair moves it to files/removed, which is emptied after 7 days' },
  temporary: { zh: '一天前中断的写入或上传（{size}）；修复删除', en: 'Left by a write or upload that ended a day ago or earlier ({size}); repair deletes it' },
  index_damaged: { zh: '索引与表不一致：{detail}；修复重建', en: 'The index does not match its table: {detail}; repair builds it anew' },
  index_invalid: { zh: '索引无效，查询不用它；修复重建', en: 'The index is invalid and not used; repair builds it anew' },
  object_missing: { zh: '缺少；修复重新建立', en: 'Missing; repair makes it again' },
  object_differs: { zh: '与此版本的定义不同；修复改回', en: 'Differs from the definition of this version; repair puts it back' },
  table_missing: { zh: '缺少表或列，内容已丢失：需从备份恢复平台', en: 'A table or column is missing and its contents are lost: restore the platform from a backup' },
  page_damaged: { zh: '数据页 {block} 损坏：{detail}。不能修复：其中的行可能已丢失，请从备份恢复', en: 'Page {block} is damaged: {detail}. It cannot be repaired: rows of it may be lost, restore a backup' },
  sequence_behind: { zh: '下一个编号 {next} 已被使用（最大 {most}），新建会失败；修复移到其后', en: 'The next number {next} is taken (the highest is {most}), so that inserts fail; repair moves it on' },
  chain_broken: { zh: '从第 {id} 条起与前一条的哈希不符：该条被改动，或其前有删除、插入。不能修复，也不应修复', en: 'Entry {id} does not follow from the one before: it was changed, or entries before it were removed or inserted. It cannot and must not be repaired' },
  tail_missing: { zh: '第 {from} 至 {to} 条由签名检查点证明存在过，现已不在：已丢失，不能修复', en: 'Signed checkpoints prove that entries {from} to {to} existed; they are gone and cannot be repaired' },
  checkpoint_bad: { zh: '检查点 {id} 的签名或哈希不符，不能修复', en: 'Signature or hash of checkpoint {id} does not fit; it cannot be repaired' },
  checkpoint_uncopied: { zh: '库外副本缺少 {count} 个检查点；修复补写', en: '{count} checkpoints have no copy outside the database; repair writes them' },
  checkpoint_unstored: { zh: '检查点 {id} 只在库外副本中，签名有效；修复写回库中', en: 'Checkpoint {id} is in the copy alone, with a good signature; repair puts it back into the database' },
  copies_torn: { zh: '副本文件中 {count} 行无法读取；修复去除', en: '{count} lines of the copy are unreadable; repair removes them' },
} as const satisfies Record<string, Text>
export type FoundKey = keyof typeof FOUND
