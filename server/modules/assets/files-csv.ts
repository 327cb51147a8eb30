import { APPLICATION_TYPES, FILE_TYPES } from '#contracts/detection.ts'
import type { Language } from '#contracts/errors.ts'
import type { AppFile } from '#contracts/http/assets.ts'
import { PLATFORMS } from '#contracts/vocabulary.ts'
import { csvLine } from '../../jobs/csv.ts'

const HEADS = {
  zh: [
    '编号',
    '名称',
    '文件名',
    '包名',
    'APPID',
    '应用',
    '版本',
    '版本号',
    '文件类型',
    '平台',
    '应用类型',
    '加固状态',
    '推送平台',
    '大小（字节）',
    'MD5',
    'SHA-256',
    '签名',
    '上传时间',
    '操作人',
  ],
  en: [
    'id',
    'name',
    'file name',
    'package name',
    'APPID',
    'application',
    'version',
    'version code',
    'file type',
    'platform',
    'application type',
    'protection',
    'pushed',
    'size (bytes)',
    'MD5',
    'SHA-256',
    'signature',
    'uploaded',
    'operator',
  ],
} as const
const WORDS = {
  zh: {
    unreinforced: '未加固',
    reinforced: '已加固',
    yes: '是',
    no: '否',
    verified: '校验通过',
    broken: '校验不通过',
    unsigned: '未签名',
    unknown: '未校验',
  },
  en: {
    unreinforced: 'unreinforced',
    reinforced: 'reinforced',
    yes: 'yes',
    no: 'no',
    verified: 'verified',
    broken: 'broken',
    unsigned: 'unsigned',
    unknown: 'not verified',
  },
} as const

/** The asset list as a sheet, in a language; a byte order mark tells spreadsheets the encoding. */
export function filesCsv(files: readonly AppFile[], language: Language): string {
  const words = WORDS[language]
  const lines = files.map((file) =>
    csvLine([
      file.id,
      file.name,
      file.file_name,
      file.package_name,
      file.appid ?? '',
      file.application,
      file.version,
      file.version_code,
      FILE_TYPES[file.file_type][language],
      PLATFORMS[file.platform][language],
      file.type === '' ? '' : APPLICATION_TYPES[file.type][language],
      words[file.protection],
      file.pushed ? words.yes : words.no,
      file.size,
      file.md5,
      file.sha256,
      words[file.signature],
      new Date(file.uploaded_at).toISOString(),
      file.operator,
    ]),
  )
  return `\ufeff${csvLine(HEADS[language])}${lines.join('')}`
}
