import { APPLICATION_TYPES, FILE_TYPES } from '#contracts/detection/kinds.ts'
import type { AppFile } from '#contracts/http/assets.ts'
import { PLATFORMS } from '#domain/vocabulary.ts'
import { readFiles } from '../../assets/file-rows.ts'
import { matchingFiles } from '../../assets/list-files.ts'
import type { ExportedList } from '../../jobs/job-rows.ts'
import type { ExportTable } from '../export-tables.ts'
import { type ListSource, listTable } from './list-table.ts'

const PAGE = 500
const PROTECTION = {
  unreinforced: { zh: '未加固', en: 'unreinforced' },
  reinforced: { zh: '已加固', en: 'reinforced' },
} as const
const SIGNATURES = {
  verified: { zh: '校验通过', en: 'verified' },
  partial: { zh: '部分覆盖', en: 'covers a part' },
  broken: { zh: '校验不通过', en: 'broken' },
  unsigned: { zh: '未签名', en: 'unsigned' },
  unknown: { zh: '未校验', en: 'not verified' },
} as const

/** Application files that the filters leave, in the list's order. */
export async function fileTable({ filters }: Extract<ExportedList, { of: 'files' }>, source: ListSource) {
  const { words, language } = source
  const matching = () => matchingFiles(source, source, filters)
  const { total } = await matching()
    .select(({ fn }) => fn.countAll<string>().as('total'))
    .executeTakeFirstOrThrow()
  async function* pages(): AsyncGenerator<AppFile[]> {
    for (let offset = 0; ; offset += PAGE) {
      const select = matching().orderBy(`app_files.${filters.sort}`, filters.direction)
      const rows = await readFiles(source, select.orderBy('app_files.id', filters.direction).limit(PAGE).offset(offset))
      yield rows
      if (rows.length < PAGE) return
    }
  }
  return listTable<AppFile>(
    [
      ['编号', 'Id', (one) => one.id],
      ['名称', 'Name', (one) => one.name],
      ['文件名', 'File name', (one) => one.file_name],
      ['包名', 'Package name', (one) => one.package_name],
      ['APPID', 'APPID', (one) => one.appid ?? ''],
      ['应用', 'Application', (one) => one.application],
      ['版本', 'Version', (one) => one.version],
      ['版本号', 'Version code', (one) => one.version_code],
      ['文件类型', 'File type', (one) => FILE_TYPES[one.file_type][language]],
      ['平台', 'Platform', (one) => PLATFORMS[one.platform][language]],
      ['应用类型', 'Application type', (one) => (one.type === '' ? '' : APPLICATION_TYPES[one.type][language])],
      ['加固状态', 'Protection', (one) => PROTECTION[one.protection][language]],
      ['推送平台', 'Pushed', (one) => words.yesNo(one.pushed)],
      ['大小（字节）', 'Size (bytes)', (one) => one.size],
      ['MD5', 'MD5', (one) => one.md5],
      ['SHA-256', 'SHA-256', (one) => one.sha256],
      ['签名', 'Signature', (one) => SIGNATURES[one.signature][language]],
      ['上传时间', 'Uploaded at', (one) => words.time(one.uploaded_at)],
      ['操作人', 'Operator', (one) => one.operator],
    ],
    source,
    Number(total),
    pages(),
  ) satisfies ExportTable
}
